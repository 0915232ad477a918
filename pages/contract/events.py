"""The player's reports as typed events, checked in this one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter


@dataclass(frozen=True)
class Rest:
    """The player has come to rest at iteration `t`."""

    t: int


@dataclass(frozen=True)
class Turn:
    """The learner goes to the next chapter of a run (1) or to the last one (-1)."""

    by: int


@dataclass(frozen=True)
class Touch:
    """A click or a drag on a chart.

    Attributes
    ----------
    hand : str
        The chart's.
    x, y : float
        Where it was released, in the chart's units and within its axes.
    moved : bool
        Whether it was dragged; if not, it was a click.
    row : int or None
        The mark that was pressed, by the field ``row`` of its data.
    done : bool
        Whether it was let go; until then the place follows the pointer.
    """

    hand: str
    x: float
    y: float
    moved: bool
    row: int | None
    done: bool = True


@dataclass(frozen=True)
class Guess:
    """A guess that a learner has placed on a chart, or a mark that they have picked.

    Attributes
    ----------
    value : str
        The number, or the mark's value of the field that is asked for.
    """

    value: str


@dataclass(frozen=True)
class Dialled:
    """A turn of a dial.

    Attributes
    ----------
    name : str
        The dial's.
    value : float
        Its new value.
    t : int
        The iteration at which the player was when it was taken hold of.
    done : bool
        Whether it was let go.
    """

    name: str
    value: float
    t: int
    done: bool


@dataclass(frozen=True)
class Zoom:
    """The learner wants to step by something else, which another film shows: that one, from iteration `t` of this."""

    level: str
    t: int


@dataclass(frozen=True)
class Open:
    """A mark was clicked: `what` and `which` are ``"point"`` and 3 of ``point-3``; iteration `t` was shown."""

    what: str
    which: int
    t: int


@dataclass(frozen=True)
class Move:
    """A part of a card was put elsewhere: the one at place `which` went to place `to`, both from 1."""

    which: int
    to: int


Event = Rest | Turn | Touch | Guess | Dialled | Zoom | Open | Move
# by the names under which the browser reports them
EVENTS: dict[str, TypeAdapter[Event]] = {
    name: TypeAdapter(event)
    for name, event in {
        "rest": Rest,
        "turn": Turn,
        "touch": Touch,
        "guess": Guess,
        "dial": Dialled,
        "zoom": Zoom,
        "open": Open,
        "move": Move,
    }.items()
}
OF_ANY_FILM = ("dial",)  # a dial makes a new film while it is turned


def heard(report: Mapping[str, Any], chain: str) -> Event | None:
    """Return a report as an event; None if it is of another film than the one of this chain, with which it crossed.

    Raises
    ------
    ValueError
        If the report lacks a part, or one is of another type.
    """
    kind = report["kind"]
    if kind not in OF_ANY_FILM and report["chain"] != chain:
        return None
    return EVENTS[kind].validate_python(report)
