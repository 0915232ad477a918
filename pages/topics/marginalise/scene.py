"""The scene that all films and panels of the page are made of."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from lessons.topics.marginalise import MarginaliseSettings
from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.drawing.cards import quiet
from pages.drawing.charts import Domain
from pages.player.run import Run
from pages.scenes.leapfrogs import LeapfrogPath
from pages.scenes.scene import RunScene
from pages.topics.marginalise.run import GibbsRun, MarginalRun
from samplers.mixtures.exact_labellings import ExactLabels

FEWEST = 20  # iterations after the warm-up, before anything is said of them
ROWS = 12  # items whose class probabilities are in sight at a time


@dataclass(frozen=True)
class MarginaliseScene(RunScene[MarginaliseSettings, Run[Any]], ABC):
    """The run of some settings, and Gibbs beside it where that is asked for and samples the same posterior."""

    plane: ClassVar[str]  # what its two coordinates are
    sliced: ClassVar[bool] = False  # whether a plane is a slice of the density, not all of it
    by_class: ClassVar[tuple[str, ...]] = ("a",)  # what each class has, in the charts along the run
    told: ClassVar[tuple[str, ...]] = ()  # more columns that captions read

    exact: ExactLabels | None  # every labelling, of few items

    @property
    def run(self) -> MarginalRun:
        """The run over unconstrained numbers."""
        run = self.runs[0]
        assert isinstance(run, MarginalRun)
        return run

    @property
    def gibbs(self) -> GibbsRun | None:
        """Gibbs sampling beside it."""
        return next((run for run in self.runs if isinstance(run, GibbsRun)), None)

    @cached_property
    def labels(self) -> np.ndarray:
        """Labels that are shown, -1 where none is, shape (M,)."""
        return self.settings.labels

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Names of the classes."""

    @property
    def classes(self) -> int:
        """K."""
        return self.settings.class_count

    @property
    def item(self) -> int:
        """The item that is looked at, from 0."""
        return min(self.settings.document, self.settings.size) - 1

    @property
    def partner(self) -> int:
        """The other one of a pair, from 0."""
        return min(self.settings.partner, self.settings.size) - 1

    @property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return ()

    @property
    def word(self) -> int:
        """The word that is followed, from 0."""
        return min(self.settings.word, len(self.words)) - 1

    @property
    def tokens(self) -> int:
        """Words of the item that is looked at."""
        return 0

    @property
    def times(self) -> int:
        """How often the words of that item are counted."""
        return 1

    def gamma(self, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the terms of the item's γ at a position, and their sum; see `Mixture.gamma`."""
        return self.settings.now.gamma(self.settings, self.run.target, position, self.item)

    @property
    def iteration(self) -> int:
        """The iteration that is opened."""
        return self.settings.opened or self.settings.iteration

    @property
    def params(self) -> dict[str, float]:
        """Parameters of the charts of items."""
        return {}

    @abstractmethod
    def title_of(self, item: int) -> str:
        """Return an item's name in a chart: its number and how it begins."""

    @property
    @abstractmethod
    def heading(self) -> str:
        """Which item is looked at, as HTML."""

    @property
    @abstractmethod
    def coordinates(self) -> tuple[int, int]:
        """Which two numbers of a position are drawn."""

    @property
    @abstractmethod
    def domains(self) -> tuple[Domain, Domain]:
        """The ends of both axes of their plane."""

    @property
    @abstractmethod
    def titles(self) -> tuple[str, str]:
        """The titles of these axes."""

    @abstractmethod
    def walk_charts(self) -> list[Chart]:
        """Return the charts of a run."""

    @abstractmethod
    def path_charts(self) -> list[Chart]:
        """Return the charts of the items on a path, between its plane and its energy."""

    def item_data(self, rows: dict[str, Any]) -> Data:
        """Return the data sets of the charts of items; `rows` has what all items have."""
        return {"rows": rows}

    def walk_data(self) -> Data:
        """Return more data sets of a run."""
        return {}

    @abstractmethod
    def walk_columns(self, start: int, stop: int) -> Columns:
        """Return more columns of a run."""

    def path_data(self, path: LeapfrogPath) -> Data:
        """Return more data sets of a path."""
        return {}

    def path_columns(self, path: LeapfrogPath, at: np.ndarray, over: np.ndarray) -> Columns:
        """Return more columns of a path; see `plane.path_columns`."""
        return {}

    def beside(self, position: np.ndarray) -> str:
        """Return the coordinates of a position beside the one that is drawn, as HTML."""
        return quiet(f"All {len(position)} coordinates move at once; this is the one drawn across.")


def room(*fields: str, many: int = 1) -> dict[str, Any]:
    """Return a data set with a number of rows in which these fields come with the frames."""
    return dict.fromkeys(fields, FLOAT32.of(many))


def too_early(scene: MarginaliseScene, t: int) -> str:
    """Return the advice to a learner for whom iteration t is too early for averages, without a full stop; or ""."""
    warmup = scene.settings.warmup
    if t - warmup >= FEWEST:
        return ""
    return f"Averages leave the first {warmup} iterations out. Run on beyond {warmup + FEWEST}"


def of_one_class(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the probability that two independent items are of one class, from their class probabilities (..., K)."""
    return (first * second).sum(axis=-1)


def running(values: np.ndarray, start: int, warmup: int, within: float | None = None) -> np.ndarray:
    """Return the mean of all rows after the warm-up, from row `start` on.

    Parameters
    ----------
    values : numpy.ndarray
        One row an iteration, shape (T, …).
    start : int
        The first row that is asked for.
    warmup : int
        Iterations that do not count; the first that does is the next one.
    within : float, optional
        The numbers in the rows of the warm-up; each row itself, if left out.
    """
    first = min(warmup + 1, len(values))
    means = np.array(values, float)
    after = means[first:]
    means[first:] = np.cumsum(after, axis=0) / np.arange(1, len(after) + 1).reshape(-1, *[1] * (after.ndim - 1))
    if within is not None:
        means[:first] = within
    return means[start:]
