"""Declarations of settings' fields, fields that several stages share, and the step from one sweep to the next."""

from abc import abstractmethod
from types import EllipsisType
from typing import Annotated, Any, Literal, Self

from pydantic import Field

from lessons.settings.settings import DIGEST, OWN, StageSettings

SWEEPS = 2_000  # of the longest run
ON_A_WALL = 60  # sweeps of each chain on a wall, if there are few labels
UPDATES = 240_000  # of all chains of a wall: about three seconds before the wall appears
OF_A_SWAP = 3  # frames of a swap: the pair, the ratio, the dart
MOST_LEVELS = 6  # of a ladder


def quantity(default: float | EllipsisType, within: tuple[float, float, float], **flags: bool) -> Any:
    """Declare a number with limits, as a field of a stage's settings.

    Parameters
    ----------
    default : int or float
        The default, or ``...`` in a shared type, for which each stage sets the default.
    within : tuple of int or float
        The lowest value, the highest value, and the step.
    **flags : bool
        See `choice`. Also ``dial``: the control is beside the charts, which follow while learners drag it, so a change
        must be cheap; ``typed``: the control is a box instead of a slider.
    """
    low, high, step = within
    finite = False if isinstance(default, float) else None  # only floats can be infinite
    return Field(default, ge=low, le=high, allow_inf_nan=finite, json_schema_extra={"step": step, **flags})


def choice(default: str | EllipsisType, **flags: bool) -> Any:
    """Declare a choice among the words that its type lists, as a field of a stage's settings.

    Parameters
    ----------
    default : str
        The default, or ``...`` in a shared type, for which each stage sets the default.
    **flags : bool
        ``look=True``: the field changes the view and never the run. ``control=False``: it has no control, and learners
        set it by acting on the stage.
    """
    return Field(default, json_schema_extra={**flags})


def one_or_many() -> Any:
    """Declare the field ``runs``: ``"one"`` run, or a wall of many that compares one of the outcomes its type lists."""
    return choice("one", look=True, dial=True)


WORD_CHOICE = ("stop_words", "minimum_count", "most_words")  # fields that choose the words of messages


def word_choice(settings: StageSettings) -> dict[str, Any]:
    """Return the values of these fields, as arguments of `lessons.data.words.bag_of_words`."""
    return {name: getattr(settings, name) for name in WORD_CHOICE}


StepBy = Annotated[Literal["sweep", "update"], choice(..., look=True, control=False)]
Sweep = Annotated[int, quantity(..., (1, SWEEPS, 1), look=True, control=False)]
Levels = Annotated[int, quantity(..., (2, MOST_LEVELS, 1))]
Hottest = Annotated[float, quantity(..., (0.05, 0.95, 0.05))]
OwnDigest = Annotated[
    str,
    Field(
        pattern=DIGEST,
        json_schema_extra={"control": False, "lesson": False, "called": "digest of anybody's data"},
    ),
]


class SweptSettings(StageSettings):
    """Settings of a stage whose sweeps can be opened, with the fields ``step_by`` and ``sweep``."""

    unit = "sweeps"

    @property
    def iterations(self) -> int:
        """The sweeps of a run, or the beats of an opened sweep; see `sweeps_of`."""
        return sweeps_of(self)

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of labels in a sweep; of own data that are gone, the largest possible number."""

    @abstractmethod
    def sites(self, labels: int) -> int:
        """Return the number of updates in a sweep over a number of labels."""

    @property
    def opened(self) -> int | None:
        """The sweep that is shown update by update; None if a step is a sweep."""
        now: Any = self
        return None if now.step_by == "sweep" else now.sweep

    @property
    def walled(self) -> bool:
        """Whether many runs can be compared: whole ones, and not of data that only one learner has."""
        now: Any = self
        return self.opened is None and now.data != OWN

    def chapter(self, by: int) -> Self | None:
        """Return the settings of the next or the previous opened sweep; None if there is none."""
        if self.opened is None or not 1 <= self.opened + by <= SWEEPS:
            return None
        return self.model_copy(update={"sweep": self.opened + by})


def sweeps_of(settings: SweptSettings) -> int:
    """Return the sweeps of a run, fewer on a wall; or four beats for each update of an opened sweep."""
    if settings.opened is not None:
        return 4 * settings.sites(settings.size)
    most = UPDATES // (settings.wall * max(settings.size, 1))
    return min(ON_A_WALL, max(5, most)) if settings.many else SWEEPS
