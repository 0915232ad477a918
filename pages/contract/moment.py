"""A moment of a topic, for downloads: the chains on the screen, and the values that the page computes from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lessons.settings.calls import Call, Entry
from samplers.recipe import Kernel


@dataclass(frozen=True)
class ShownChain:
    """A chain on the screen.

    Parameters
    ----------
    sampler : Kernel
        The sampler that makes its steps.
    seed : int
        The chain's seed; for a branch, the seed that it draws from after it has left the first chain.
    t : int
        The iteration that is shown, or opened.
    name : str, optional
        The prefix of its variables in a script; the first chain has none.
    branch : int, optional
        For a branch, the iteration after which it leaves the first chain.
    """

    sampler: Kernel[Any, Any]
    seed: int
    t: int
    name: str = ""
    branch: int | None = None


@dataclass(frozen=True)
class Code:
    """An expression and its value, for a result that no single call returns."""

    text: str
    value: Any


@dataclass(frozen=True)
class Moment:
    """The chains on the screen, each at its iteration."""

    chains: Sequence[ShownChain]  # the topic's own chain comes first
    # the calls that make the samplers' arguments; see `lessons.settings.settings.StageSettings.origins`
    origins: Mapping[str, Call | Entry]
    # further results that the page computes from the state, by their names in the script: calls, expressions or values.
    # The script prints the last one.
    more: Mapping[str, Any] = field(default_factory=dict)
    frame: int | None = None  # the frame that is shown of an opened step; None while the whole run is shown
