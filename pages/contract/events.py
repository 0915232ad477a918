"""The player's reports as typed events, all checked here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter


@dataclass(frozen=True)
class Rest:
    """The player has stopped at iteration `t`."""

    t: int


@dataclass(frozen=True)
class Turn:
    """The learner goes to the next chapter of a run (1) or to the previous one (-1)."""

    by: int


@dataclass(frozen=True)
class Touch:
    """A press or a drag on a chart."""

    hand: str  # the chart's `hand`: the parameter that moves
    # x, y: where the pointer was released, or is now, in the chart's units and within its axes
    x: float
    y: float
    moved: bool  # true for a drag, false for a press
    row: int | None  # the field ``row`` of the mark that was pressed, if it has one
    done: bool = True  # whether the pointer was released; until then the place follows it


@dataclass(frozen=True)
class Dialled:
    """A turn of a dial."""

    name: str  # the name of the dial
    value: float  # its new value
    t: int  # the iteration of the player when the learner took hold of the dial
    done: bool  # whether the learner let go of it


@dataclass(frozen=True)
class Zoom:
    """The learner changed what a step goes by: open the film of that level, from iteration `t` of this one."""

    level: str
    t: int


@dataclass(frozen=True)
class Open:
    """A press on a mark at iteration `t`: for ``point-3``, `what` is ``"point"`` and `which` is 3."""

    what: str
    which: int
    t: int


@dataclass(frozen=True)
class Move:
    """A part of a card was moved from place `which` to place `to`, both from 1."""

    which: int
    to: int


Event = Rest | Turn | Touch | Dialled | Zoom | Open | Move
# by the names that the browser reports
EVENTS: dict[str, TypeAdapter[Event]] = {
    name: TypeAdapter(event)
    for name, event in {
        "rest": Rest,
        "turn": Turn,
        "touch": Touch,
        "dial": Dialled,
        "zoom": Zoom,
        "open": Open,
        "move": Move,
    }.items()
}
OF_ANY_FILM = ("dial",)  # a dial makes a new film while it is turned


def heard(report: Mapping[str, Any], chain: str) -> Event | None:
    """Return a report as an event, or None if it crossed with a change of film and is not about this chain.

    Raises
    ------
    ValueError
        If a part of the report is missing or has the wrong type.
    """
    kind = report["kind"]
    if kind not in OF_ANY_FILM and report["chain"] != chain:
        return None
    return EVENTS[kind].validate_python(report)
