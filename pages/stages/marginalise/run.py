"""The runs behind the charts: the sampler that follows the gradient, and Gibbs with labels on the same data."""

from __future__ import annotations

import time
from typing import Any, TypeVar

import numpy as np

from lessons.reader.stages.marginalise import CLASSES, ITERATIONS, MarginaliseSettings
from pages.parts.run import KEPT, Run
from samplers import Chain
from samplers.hmc import HMCState, Trajectory
from samplers.labels import HIDDEN, LabelState
from samplers.marginal import LogSumExp

S = TypeVar("S")
FIRST_LOOK = 12  # iterations that are made at once: they set the axes


class TimedChain(Chain[S]):
    """A chain that knows how much processor time its last step took.

    Attributes
    ----------
    seconds : float
        Of this thread alone, so that other sessions do not count.
    """

    seconds = 0.0

    def _advance(self, state: S, rng: np.random.Generator) -> S:
        start = time.thread_time()
        state = super()._advance(state, rng)
        self.seconds = time.thread_time() - start
        return state


class _Timed(Run[S]):
    """A run that keeps the seconds of every iteration.

    Attributes
    ----------
    seconds : numpy.ndarray
        Processor time of each iteration, 0 of the start, shape (T + 1,).
    """

    def __init__(self, chain: TimedChain[S]) -> None:
        self.seconds = np.zeros(ITERATIONS + 1)
        super().__init__(chain)

    def add(self, t: int, state: S) -> None:
        """Keep what the charts need of iteration t."""
        self.seconds[t] = self.chain.seconds if t else 0.0


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
    leapfrogs, depth, divergent : numpy.ndarray
        Of the iteration, shape (T + 1,).
    """

    def __init__(self, settings: MarginaliseSettings, seed: int) -> None:
        self.settings = settings
        self.target: Any = settings.target()
        rows, words = ITERATIONS + 1, getattr(self.target, "vocabulary_size", 0)
        self.positions = np.zeros((rows, self.target.dimension), np.float32)
        self.log_density, self.step_size = np.zeros(rows), np.zeros(rows, np.float32)
        self.class_probs = np.zeros((rows, settings.size), np.float32)
        self.belongs = np.zeros((rows, settings.size), np.float32)
        self.larger = np.zeros(rows)
        self._labels = settings.labels
        self.pair = np.zeros((rows, CLASSES), np.float32)
        self.word_probs = np.zeros((rows, CLASSES, words), np.float32)
        self.leapfrogs, self.depth = np.zeros(rows, np.int16), np.zeros(rows, np.uint8)
        self.divergent = np.zeros(rows, np.uint8)
        super().__init__(TimedChain(settings.sampler(), seed, keep=KEPT))
        self.grow(FIRST_LOOK, seconds=30)

    def add(self, t: int, state: HMCState) -> None:
        """Keep what the charts need of iteration t."""
        super().add(t, state)
        self.positions[t], self.log_density[t] = state.position, state.log_density
        gamma = self.target.log_joint_by_class(state.position)
        self.class_probs[t] = LogSumExp(gamma).softmax[:, 0]
        self.belongs[t] = np.where(self._labels == HIDDEN, self.class_probs[t], self._labels == 0)
        self.larger[t] = expected_larger(self.belongs[t])
        parameters = self.target.constrain(state.position)
        if self.settings.model == "two means":
            self.pair[t] = parameters.means[:, 0]
        else:
            self.pair[t], self.word_probs[t] = parameters.weights, parameters.word_probs
        self.step_size[t] = state.step_size
        self.leapfrogs[t], self.depth[t], self.divergent[t] = state.leapfrogs, state.depth, state.divergent

    def trajectory(self, t: int) -> Trajectory:
        """Return the path of iteration t, from 1, replayed."""
        with self._lock:
            trajectory: Trajectory = self.chain.sampler.inside(self.chain[t - 1], self.chain.rng(t))
        return trajectory


class GibbsRun(_Timed[LabelState]):
    """The sweeps of Gibbs with labels.

    Attributes
    ----------
    labels : numpy.ndarray
        Of each item, uint8 of shape (T + 1, M).
    """

    def __init__(self, settings: MarginaliseSettings, seed: int) -> None:
        self.labels = np.zeros((ITERATIONS + 1, settings.size), np.uint8)
        super().__init__(TimedChain(settings.gibbs_sampler(), seed, keep=KEPT))

    def add(self, t: int, state: LabelState) -> None:
        """Keep the labels of sweep t."""
        super().add(t, state)
        self.labels[t] = state.labels


def expected_larger(probabilities: np.ndarray) -> float:
    """Return how many items the larger of two classes has on average, each item being of the first independently.

    Parameters
    ----------
    probabilities : numpy.ndarray
        Of the first class for each item, shape (M,).

    Notes
    -----
    The number of items in the first class has a Poisson binomial law, found by adding one item after the other.
    """
    law = np.ones(1)
    for chance in np.asarray(probabilities, float).tolist():
        longer = np.zeros(len(law) + 1)
        longer[:-1] = (1 - chance) * law
        longer[1:] += chance * law
        law = longer
    numbers = np.arange(len(law))
    return float(law @ np.maximum(numbers, numbers[::-1]))
