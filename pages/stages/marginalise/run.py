"""The runs behind the charts: the sampler that follows the gradient, and Gibbs with labels on the same data."""

from __future__ import annotations

import time
from typing import Any, TypeVar

import numpy as np

from lessons.stages.marginalise import CLASSES, ITERATIONS, MarginaliseSettings
from pages.player.run import KEPT, Run
from pages.stages.leapfrogs import LeapfrogPath
from samplers import Chain
from samplers.gradient.hmc import HMCState, Trajectory
from samplers.gradient.naive_bayes_marginal import LogSumExp
from samplers.mixtures.labels import HIDDEN, LabelState
from samplers.recipe import Kernel, drained

S = TypeVar("S")
R = TypeVar("R")
FIRST_LOOK = 12  # iterations that are made before anything is shown: they set the axes


class Timed(Kernel[S, tuple[R, float]]):
    """A kernel with the processor time of each step beside its record, in seconds.

    It is that of this thread alone, so that other sessions do not count; a step is one piece, so that nothing else is
    timed, and the updates of a sweep are not recorded.
    """

    def __init__(self, kernel: Kernel[S, R]) -> None:
        self.kernel = kernel

    def init(self, rng: np.random.Generator) -> S:
        """Return the kernel's first state."""
        return self.kernel.init(rng)

    def step(self, state: S, rng: np.random.Generator) -> tuple[S, tuple[R, float]]:
        """Make a step of the kernel."""
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
        Probability of the first class for each item given the parameters, shape (T + 1, M).
    belongs : numpy.ndarray
        The same, but 0 or 1 where the label is shown, shape (T + 1, M).
    larger : numpy.ndarray
        How many items the larger class is expected to have given the parameters, shape (T + 1,).
    pair : numpy.ndarray
        What has a name and may change it: the two weights, or the two means, shape (T + 1, 2).
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
        self.class_probs, self.belongs = np.zeros((2, rows, settings.size), np.float32)
        self.larger, self.divergent = np.zeros(rows), np.zeros(rows, np.uint8)
        self._labels = settings.labels
        self.pair = np.zeros((rows, CLASSES), np.float32)
        self.word_probs = np.zeros((rows, CLASSES, words), np.float32)
        super().__init__(settings.sampler(), seed)

    def add(self, t: int, state: HMCState) -> None:
        """Keep what the charts need of iteration t."""
        self.positions[t], self.log_density[t] = state.position, state.log_density
        gamma = self.target.log_joint_by_class(state.position)
        self.class_probs[t] = LogSumExp(gamma).softmax[:, 0]
        self.belongs[t] = np.where(self._labels == HIDDEN, self.class_probs[t], self._labels == 0)
        self.larger[t] = expected_larger(self.belongs[t])
        parameters = self.target.constrain(state.position)
        if self.settings.model == "two means":
            self.pair[t] = parameters.means
        else:
            self.pair[t], self.word_probs[t] = parameters.weights, parameters.word_probs
        self.step_size[t] = state.step_size

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
        super().__init__(settings.gibbs_sampler(), seed)

    def add(self, t: int, state: LabelState) -> None:
        """Keep the labels of sweep t."""
        self.labels[t] = state.labels


def expected_larger(probabilities: np.ndarray) -> float:
    """Return how many items the larger of two classes has on average, each item being of the first independently.

    Parameters
    ----------
    probabilities : numpy.ndarray
        Of the first class for each item, shape (M,).

    Notes
    -----
    The number of items in the first class has a Poisson binomial distribution, found item by item.
    """
    found = np.ones(1)
    for chance in np.asarray(probabilities, float).tolist():
        found = np.convolve(found, (1 - chance, chance))
    numbers = np.arange(len(found))
    return float(found @ np.maximum(numbers, numbers[::-1]))
