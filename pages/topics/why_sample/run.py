"""Runs over the clusterings of a few points: which are visited, and what is known exactly."""

from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from lessons.topics.why_sample import WhySampleSettings
from lessons.topics.why_sample.visits import UPDATES
from samplers import Chain
from samplers.crp.one_at_a_time import (
    OneAtATime,
    effective_visits_per_update,
    spread,
    sweep_of,
    update_matrices,
    visited,
)
from samplers.diagnostics.convergence import noise_floor

ROUNDING = 1e-9  # distances below it are 0


class Way(NamedTuple):
    """A way of going on: where it leads from each clustering, and its name in a title and within a sentence."""

    matrix: np.ndarray
    title: str
    name: str


class Clusterings:
    """All clusterings of a few points, of which a run visits one after the other.

    Attributes
    ----------
    partitions : tuple of tuple of int
        All clusterings, in the order in which they are numbered.
    exact : numpy.ndarray
        The posterior of each.
    matrices : list of numpy.ndarray
        Where the update of each point leads, by the rule that is set.
    total : int
        The last iteration.
    path : numpy.ndarray
        The clustering of the run, or of the draw, after each iteration, shape (total + 1,).
    """

    def __init__(self, settings: WhySampleSettings, seed: int) -> None:
        self.settings, self.seed, self.points = settings, seed, settings.points
        self.total = settings.iterations
        self.chain: Chain[Any] = Chain(settings.sampler(), seed, keep=self.total + 1)
        self.state = self.chain.__getitem__
        self.posterior = settings.exact()
        self.partitions, self.exact = self.posterior.partitions, self.posterior.probabilities
        states = map(self.state, range(self.total + 1))
        self.path = np.array([self.place(each) for each in states])
        self.matrices = update_matrices(settings.mixture())
        self.wrong = settings.rule != "right"

    def place(self, state: Any) -> int:
        """Return the clustering in a state."""
        return self.settings.now.place(self.settings, state)

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film."""
        return self.total * (2_000 + 40 * len(self.partitions))

    def turn(self, t: int) -> int:
        """Return the point that update t draws again, from 0."""
        return (t - 1) % self.points

    def ways(self, t: int) -> tuple[Way, Way]:
        """Return the update of the point at hand, and a sweep."""
        point = self.turn(max(t, 1))
        update = Way(self.matrices[point], f"Update of point {point + 1}", f"point {point + 1}")
        return update, Way(
            sweep_of(self.matrices), "A sweep: the updates of all points, one after the other", "a sweep"
        )

    def opened(self, t: int) -> Way:
        """Return the way whose flows are of interest."""
        return self.ways(t)[0]

    @cached_property
    def visits(self) -> np.ndarray:
        """Visits of each clustering after each iteration, shape (total + 1, clusterings)."""
        found = np.zeros((self.total + 1, len(self.partitions)), np.uint16)
        found[np.arange(1, self.total + 1), self.path[1:]] = 1
        return found.cumsum(axis=0, dtype=np.uint16)

    @cached_property
    def shares(self) -> np.ndarray:
        """Sizes of the discs, shape (total + 1, clusterings): shares of visits, all 0 at first."""
        return self.visits / np.maximum(np.arange(self.total + 1), 1)[:, None]

    @cached_property
    def distance(self) -> np.ndarray:
        """Total variation distance of the shares from the posterior after each iteration; NaN before the first visit.

        A distance that is there by rounding alone is 0.
        """
        found: np.ndarray = np.abs(self.shares - self.exact).sum(axis=1) / 2
        found[found < ROUNDING] = 0.0
        if not self.shares[0].any():
            found[0] = np.nan
        return found

    @cached_property
    def limit(self) -> np.ndarray:
        """The share of visits that each clustering gets in the long run, by the rule that is set."""
        return visited(self.matrices) if self.wrong else self.exact


class WhyRun(Clusterings):
    """All updates of one run, which take hundredths of a second."""

    @property
    def sampler(self) -> OneAtATime:
        """The sampler of single updates."""
        return cast("OneAtATime", self.chain.sampler)

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {partition: index for index, partition in enumerate(self.partitions)}

    def place(self, state: Any) -> int:
        """Return the clustering in a state, without a search: an update takes little else."""
        return self._numbers[state.partition]

    @cached_property
    def crowd(self) -> np.ndarray:
        """Distribution of a crowd of runs over the clusterings after each update, shape (UPDATES + 1, clusterings)."""
        return spread(self.matrices, int(self.path[0]), UPDATES)

    @cached_property
    def shares(self) -> np.ndarray:
        """Sizes of the discs: shares of visits; or the crowd's."""
        return self.crowd if self.settings.shown == "crowd" else super().shares

    @cached_property
    def worth(self) -> float:
        """The number of independent draws that an update by the right rule is worth."""
        right = update_matrices(self.settings.mixture(right=True)) if self.wrong else self.matrices
        return effective_visits_per_update(right)

    def noise(self, t: Any) -> np.ndarray:
        """Return the mean error, roughly, of the right rule's visits after a number of updates."""
        return noise_floor(self.exact, np.asarray(t) * self.worth)
