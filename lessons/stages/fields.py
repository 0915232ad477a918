"""How the fields of settings are declared, those that several stages have, and the way from one sweep to the next."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from types import EllipsisType
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from lessons.stages.settings import DIGEST, StageSettings

SWEEPS = 2_000  # of the longest run
ON_A_WALL = 60  # sweeps of each chain there, if it has few labels
UPDATES = 240_000  # of all chains of a wall: some three seconds, before any of it is shown


def quantity(
    default: float | EllipsisType, within: tuple[float, float, float], title: str, why: str, **flags: bool
) -> Any:
    """Declare a number with limits, as a field of a stage's settings.

    Parameters
    ----------
    default : int or float
        Or ``...`` in a shared type, whose default each stage says.
    within : tuple of int or float
        The least, the most, and how far it moves at a time.
    title, why : str
        Its label, and the help behind its question mark.
    **flags : bool
        See `choice`; and ``dial``: it is shown beside the charts, which follow while it is dragged (a change must cost
        little); ``typed``: a box suits it better than a slider.
    """
    low, high, step = within
    finite = False if isinstance(default, float) else None  # only floats can be infinite
    extra: dict[str, Any] = {"step": step, **flags}
    return Field(default, ge=low, le=high, allow_inf_nan=finite, title=title, description=why, json_schema_extra=extra)


def choice(
    default: str | EllipsisType, title: str, why: str, words: Mapping[str, str] | None = None, **flags: bool
) -> Any:
    """Declare a choice among words, which its type lists, as a field of a stage's settings.

    Parameters
    ----------
    default : str
        Or ``...`` in a shared type, whose default each stage says.
    title, why : str
        Its label, and the help behind its question mark.
    words : mapping of str to str, optional
        What learners read in place of an option that is too short to be understood alone, or a name.
    **flags : bool
        ``look=True``: it changes what is looked at, and never what runs. ``control=False``: it has no control of its
        own; learners set it by what they do on the stage.
    """
    return Field(default, title=title, description=why, json_schema_extra={"words": dict(words or {}), **flags})


def one_or_many(one: str, over: Mapping[str, str]) -> Any:
    """Declare whether one run is shown, or a wall of many, as the field ``runs`` of a stage's settings.

    Its type lists ``"one"`` and those of the outcomes over which runs are compared.

    Parameters
    ----------
    one : str
        What learners read of one run.
    over : mapping of str to str
        What they read of many, by the outcome.
    """
    why = "One run, or a wall of many: each has a seed of its own, and a dot in the distribution."
    return choice("one", "Runs", why, {"one": one, **over}, look=True, dial=True)


StepBy = Annotated[
    Literal["sweep", "update"],
    choice(..., "Step by", "Each step is a whole sweep, or one beat of one update.", look=True, control=False),
]
Sweep = Annotated[
    int,
    quantity(..., (1, SWEEPS, 1), "Sweep", "The sweep that is shown update by update.", look=True, control=False),
]


OwnDigest = Annotated[
    str,
    Field(
        pattern=DIGEST,
        title="Own data",
        description="The digest under which the server keeps the learner's own data.",
        json_schema_extra={"control": False, "lesson": False, "called": "digest of anybody's data"},
    ),
]


class SweptSettings(StageSettings):
    """A stage whose run can be looked at sweep by sweep, as its fields ``step_by`` and ``sweep`` say."""

    unit = "sweeps"

    @property
    def iterations(self) -> int:
        """Sweeps of a run, fewer on a wall; or the four beats of each of a sweep's updates."""
        if self.opened is not None:
            return 4 * self.sites(self.size)
        return min(ON_A_WALL, max(5, UPDATES // (self.wall * self.size))) if self.many else SWEEPS

    @property
    @abstractmethod
    def size(self) -> int:
        """How many labels are drawn in a sweep; of the learner's own data, the most that there can be."""

    @abstractmethod
    def sites(self, labels: int) -> int:
        """Return the number of updates in a sweep over a number of labels."""

    @property
    def opened(self) -> int | None:
        """The sweep that is looked at update by update; None if a step is a sweep."""
        now: Any = self
        return None if now.step_by == "sweep" else now.sweep

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the sweep after or before the one that is looked at update by update."""
        if self.opened is None or not 1 <= self.opened + by <= SWEEPS:
            return None
        return self.model_copy(update={"sweep": self.opened + by})
