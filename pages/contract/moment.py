"""A moment of a topic, as it is taken away: the chains that are on the screen, and what is made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lessons.stages.calls import Call, Entry
from samplers.recipe import Kernel


@dataclass(frozen=True)
class Shown:
    """A chain that is on the screen.

    Parameters
    ----------
    sampler : Kernel
        What steps.
    seed : int
        Of the chain; of a branch, the seed that it draws from after it has branched off.
    t : int
        The iteration that is shown, or opened.
    name : str, optional
        What its variables begin with in a script; the first chain has no name.
    branch : int, optional
        The iteration after which it leaves the first chain, if it is a branch.
    """

    sampler: Kernel[Any, Any]
    seed: int
    t: int
    name: str = ""
    branch: int | None = None


@dataclass(frozen=True)
class Code:
    """An expression, and its value: for what is made by no call."""

    text: str
    value: Any


@dataclass(frozen=True)
class Moment:
    """The chains on the screen, and the iteration of each.

    Attributes
    ----------
    chains : sequence of Shown
        The first is the one that the topic is about.
    origins : mapping
        The calls that make what the samplers are built from; see `lessons.stages.settings.StageSettings.origins`.
    more : mapping
        What the page makes of the state, by the names that it has in the script: calls, expressions or values; the last
        one is printed.
    frame : int or None
        Of a step that is opened, the frame that is shown; None while a whole run is shown.
    """

    chains: Sequence[Shown]
    origins: Mapping[str, Call | Entry]
    more: Mapping[str, Any] = field(default_factory=dict)
    frame: int | None = None
