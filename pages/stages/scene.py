"""A scene: settings, the runs that they make, and what is looked at; what films and cards are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lessons.stages.settings import Settings
from pages.player.run import Run, grown
from pages.stages.close_up import step_shown

BYTES = 200_000  # of all that is no run
R = TypeVar("R", bound=Run[Any])


@dataclass(frozen=True)
class RunScene(Generic[Settings, R]):
    """Settings with their runs; a topic adds what else it shows.

    Attributes
    ----------
    settings : StageSettings
        What the learner chose.
    key : str
        Of the data and the runs: what only changes the look is not in it.
    runs : sequence of Run
        One, or those that are shown side by side, the topic's own first.
    """

    settings: Settings
    key: str
    runs: Sequence[R]

    @property
    def run(self) -> R:
        """The first run."""
        return self.runs[0]

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        return BYTES + sum(run.nbytes for run in self.runs)

    @property
    def made(self) -> int:
        """The last iteration that all runs have."""
        return min(run.made for run in self.runs)

    def grow(self, t: int) -> int:
        """Make iterations up to t, for a moment at most, and return up to where there are some."""
        return grown(self.runs, t)

    def step(self, t: int) -> int:
        """Return the step of the run to speak of in frame t: that one, or the one that is opened."""
        return step_shown(self.settings, t)
