"""A scene: settings and the runs that they make, from which films and cards are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from lessons.settings.settings import Settings
from pages.player.run import Run, grown, reach
from pages.scenes.close_up import step_shown

BYTES = 200_000  # of everything except the runs
R = TypeVar("R", bound=Run[Any])


@dataclass(frozen=True)
class RunScene(Generic[Settings, R]):
    """Settings with their runs; a topic adds what else it shows."""

    # the prefixes of the runs' variables in a script
    prefixes: ClassVar[tuple[str, ...]] = ("", "second", "third", "fourth")

    settings: Settings  # the learner's settings
    key: str  # identifies the data and the runs; settings that change only the look are not in it
    runs: Sequence[R]  # one run, or several side by side, the topic's own first

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
        """The last iteration that all runs have computed."""
        return min(run.made for run in self.runs)

    def grow(self, t: int) -> int:
        """Compute iterations up to t, for one slice of time, and return the last one that all runs have."""
        return grown(self.runs, t)

    def step(self, t: int) -> int:
        """Return the step of the run at frame t: t itself, or the opened step."""
        return step_shown(self.settings, t)

    def steps_at(self, t: int) -> Sequence[int]:
        """Return the step of each run at frame t."""
        return [self.step(t)] * len(self.runs)

    def ready(self, t: int) -> None:
        """Compute the runs up to frame t, or raise `NotYet`."""
        reach(self.runs, self.step(t))
