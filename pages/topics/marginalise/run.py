"""The runs behind the charts: the sampler that follows the gradient, and Gibbs with labels on the same data."""

import time
from typing import Any, TypeVar

import numpy as np

from lessons.topics.marginalise import MarginaliseSettings
from lessons.topics.marginalise.mixture import ITERATIONS
from pages.player.run import KEPT, Run
from pages.scenes.leapfrogs import LeapfrogPath
from samplers import Chain
from samplers.gradient.hmc import HMCState, Trajectory
from samplers.gradient.naive_bayes_marginal import LogSumExp
from samplers.mixtures.labels import HIDDEN, LabelState
from samplers.recipe import Kernel, drained

S = TypeVar("S")
R = TypeVar("R")
FAR = 1e30  # within float32; a chain on a density that is not proper moves farther
FIRST_LOOK = 12  # iterations that are made before anything is shown: they set the axes


def _within(values: Any) -> Any:
    """Return numbers, those beyond ±`FAR` moved there."""
    return np.clip(values, -FAR, FAR)


class Timed(Kernel[S, tuple[R, float]]):
    """A kernel with the processor time of each step beside its record, in seconds.

    It is that of this thread alone, so that other sessions do not count; a step is one piece, so that nothing else is
    timed, and the updates of a sweep are not recorded.
    """

    def __init__(self, kernel: Kernel[S, R]) -> None:
        self.kernel = kernel

    def init(self, rng: np.random.Generator) -> S:
        return self.kernel.init(rng)

    def step(self, state: S, rng: np.random.Generator) -> tuple[S, tuple[R, float]]:
        start = time.thread_time()
        state, record = drained(self.kernel.pieces(state, rng, recorded=False))
        return state, (record, time.thread_time() - start)


class _Timed(Run[S]):
    """A run that keeps the seconds of every iteration.

    Attributes
    ----------
    seconds : numpy.ndarray
        Processor time of each iteration, 0 of the start, shape (T + 1,).
    """

    def __init__(self, kernel: Kernel[S, Any], seed: int) -> None:
        self.seconds = np.zeros(ITERATIONS + 1)
        super().__init__(Chain(Timed(kernel), seed, keep=KEPT, on_step=self.note))

    def note(self, t: int, record: tuple[Any, float]) -> None:
        """Keep what the charts need of the record of step t."""
        if t > self.made:  # the first time it is made
            self.seconds[t] = record[1]


class MarginalRun(_Timed[HMCState]):
    """The iterations of HMC or NUTS.

    Attributes
    ----------
    positions : numpy.ndarray
        Shape (T + 1, D).
    log_density : numpy.ndarray
        Shape (T + 1,).
    class_probs : numpy.ndarray
        Probability of each class for each item given the parameters, shape (T + 1, M, K).
    larger : numpy.ndarray
        How many items the largest class is expected to have given the parameters, shape (T + 1,); 0 where it is no
        summary.
    by_class : numpy.ndarray
        What has a name and may change it: the weights, or the two means, shape (T + 1, K).
    word_probs : numpy.ndarray
        Shape (T + 1, K, V); V is 0 where there are no words.
    step_size : numpy.ndarray
        That the iteration took, shape (T + 1,).
    divergent : numpy.ndarray
        Whether the iteration's path diverged, 0 or 1, shape (T + 1,).
    """

    unit = "iterations"

    def __init__(self, settings: MarginaliseSettings, seed: int) -> None:
        self.settings = settings
        self.target: Any = settings.target()
        rows, words = ITERATIONS + 1, getattr(self.target, "vocabulary_size", 0)
        self.positions = np.zeros((rows, self.target.dimension), np.float32)
        self.log_density, self.step_size = np.zeros(rows), np.zeros(rows, np.float32)
        classes = settings.class_count
        self.class_probs = np.zeros((rows, settings.size, classes), np.float32)
        self.larger, self.divergent = np.zeros(rows), np.zeros(rows, np.uint8)
        self._labels = settings.labels
        self.by_class = np.zeros((rows, classes), np.float32)
        self.word_probs = np.zeros((rows, classes, words), np.float32)
        super().__init__(settings.sampler(), seed)

    def add(self, t: int, state: HMCState) -> None:
        self.positions[t], self.log_density[t] = _within(state.position), _within(state.log_density)
        self.class_probs[t] = LogSumExp(self.target.log_joint_by_class(state.position)).softmax
        if "larger class" in self.settings.summaries:
            self.larger[t] = expected_larger(self.belongs(slice(t, t + 1))[0])
        parameters = self.target.constrain(state.position)
        self.by_class[t] = getattr(parameters, self.settings.now.named)
        self.word_probs[t] = getattr(parameters, "word_probs", 0)  # points have no words
        self.step_size[t] = _within(state.step_size)

    def belongs(self, iterations: slice, item: int | None = None) -> np.ndarray:
        """Return class probabilities, but 0 or 1 where the label is shown: (iterations, M, K), of an item without M."""
        certain = self._labels[:, None] == np.arange(self.class_probs.shape[2])
        if item is not None:
            shown, certain = self._labels[item] != HIDDEN, certain[item]
            return np.where(shown, certain, self.class_probs[iterations, item])
        return np.where((self._labels != HIDDEN)[:, None], certain, self.class_probs[iterations])

    def note(self, t: int, record: tuple[Trajectory, float]) -> None:
        """Keep whether the path of iteration t diverged."""
        super().note(t, record)
        self.divergent[t] = record[0].divergent is not None

    def close_up(self, t: int) -> LeapfrogPath:
        """Return the path of iteration t, from 1, replayed; see `state` for what this raises."""
        return LeapfrogPath(t, self.record(t)[0])


class GibbsRun(_Timed[Any]):
    """The sweeps of Gibbs with labels.

    Attributes
    ----------
    labels : numpy.ndarray
        Of each item, uint8 of shape (T + 1, M).
    """

    def __init__(self, settings: MarginaliseSettings, seed: int) -> None:
        self.labels = np.zeros((ITERATIONS + 1, settings.size), np.uint8)
        super().__init__(settings.now.gibbs(settings), seed)

    def add(self, t: int, state: LabelState) -> None:
        """Keep the labels of sweep t."""
        self.labels[t] = state.labels


def expected_larger(probabilities: np.ndarray) -> float:
    """Return how many items the largest class has on average, by the probability of each class for each, shape (M, K).

    Items are independent: the numbers of items in the first K - 1 classes have a Poisson multinomial distribution,
    which is found item by item, in a table of (M + 1)^(K - 1) cells.
    """
    chances = np.asarray(probabilities, float)
    items, classes = chances.shape
    found = np.zeros((items + 1,) * (classes - 1))
    found[(0,) * (classes - 1)] = 1.0
    every = (slice(None),)
    one_more = [(every * axis + (slice(1, None),), every * axis + (slice(-1),)) for axis in range(classes - 1)]
    for *others, last in chances.tolist():
        before, found = found, found * last
        for chance, (there, here) in zip(others, one_more, strict=True):
            found[there] += chance * before[here]
    numbers = np.indices(found.shape)
    largest = np.maximum(numbers.max(axis=0), items - numbers.sum(axis=0))
    return float((found * largest).sum())
