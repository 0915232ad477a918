"""The scene that all films and panels of the page are made of."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.stages.marginalise import MarginaliseSettings
from pages.contract.columns import FLOAT32
from pages.player.run import Run
from pages.stages.marginalise.run import GibbsRun, MarginalRun
from pages.stages.scene import RunScene
from samplers.mixtures.exact_labellings import ExactLabels

TEXT = 30  # characters of a document that name it
FEWEST = 20  # iterations after the warm-up, before anything is said of them
ROWS = 12  # items whose class probabilities are in sight at a time


@dataclass(frozen=True)
class Scene(RunScene[MarginaliseSettings, Run[Any]]):
    """The run of some settings, and Gibbs beside it where that is asked for and samples the same posterior."""

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

    @property
    def two_means(self) -> bool:
        """Whether the items are points on a line."""
        return self.settings.model == "two means"

    @cached_property
    def labels(self) -> np.ndarray:
        """Labels that are shown, -1 where none is, shape (M,)."""
        return self.settings.labels

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the classes."""
        if self.two_means:
            return "component 1", "component 2"
        return self.settings.corpus().class_names(self.classes)

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

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The vocabulary."""
        return () if self.two_means else self.settings.corpus().bag.words

    @property
    def word(self) -> int:
        """The word that is followed, from 0."""
        return min(self.settings.word, len(self.words)) - 1

    @property
    def iteration(self) -> int:
        """The iteration that is opened."""
        return self.settings.opened or self.settings.iteration

    def title_of(self, item: int) -> str:
        """Return an item's name in a chart: its number and how it begins."""
        if self.two_means:
            return f"{item + 1}"
        text = " ".join(self.settings.corpus().messages.texts[item].split())
        return f"{item + 1}  {text if len(text) <= TEXT else text[: TEXT - 1] + '…'}"


def room(*fields: str, many: int = 1) -> dict[str, Any]:
    """Return a data set with a number of rows in which these fields come with the frames."""
    return dict.fromkeys(fields, FLOAT32.of(many))


def too_early(scene: Scene, t: int) -> str:
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
