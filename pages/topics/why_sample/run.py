"""One run over the clusterings of a few points: which it visits, and what is known exactly."""

from functools import cached_property
from typing import Any

import numpy as np

from lessons.topics.why_sample import UPDATES, WhySampleSettings
from samplers import Chain
from samplers.crp.one_at_a_time import effective_visits_per_update, spread, update_matrices, visited
from samplers.diagnostics.convergence import noise_floor

ROUNDING = 1e-9  # distances below it are 0


class WhyRun:
    """All updates of one run, which take hundredths of a second.

    Attributes
    ----------
    partitions : tuple of tuple of int
        All clusterings, in the order in which they are numbered.
    exact : numpy.ndarray
        The posterior of each.
    path : numpy.ndarray
        Which of them the chain is in after each update, shape (UPDATES + 1,).
    matrices : list of numpy.ndarray
        Where the update of each point leads, by the rule that is set.
    """

    def __init__(self, settings: WhySampleSettings, seed: int) -> None:
        self.settings, self.seed, self.points = settings, seed, settings.points
        self.sampler = settings.sampler()
        self.chain = Chain(self.sampler, seed, keep=UPDATES + 1)
        self.posterior = settings.exact()
        self.partitions, self.exact = self.posterior.partitions, self.posterior.probabilities
        place = {partition: index for index, partition in enumerate(self.partitions)}
        self.path = np.array([place[self.chain[t].partition] for t in range(UPDATES + 1)])
        self.matrices = update_matrices(settings.mixture())
        self.wrong = settings.rule != "right"

    @property
    def nbytes(self) -> int:
        """About how many bytes it takes, with its film."""
        return UPDATES * (2_000 + 40 * len(self.partitions))

    def turn(self, t: int) -> int:
        """Return the point that update t draws again, from 0."""
        return (t - 1) % self.points

    @cached_property
    def visits(self) -> np.ndarray:
        """Visits of each clustering after each update, shape (UPDATES + 1, clusterings)."""
        found = np.zeros((UPDATES + 1, len(self.partitions)), np.uint16)
        found[np.arange(1, UPDATES + 1), self.path[1:]] = 1
        return found.cumsum(axis=0, dtype=np.uint16)

    @cached_property
    def crowd(self) -> np.ndarray:
        """Distribution of a crowd of runs over the clusterings after each update, shape (UPDATES + 1, clusterings)."""
        return spread(self.matrices, int(self.path[0]), UPDATES)

    @cached_property
    def shares(self) -> np.ndarray:
        """Sizes of the discs, shape (UPDATES + 1, clusterings): shares of visits, all 0 at first; or the crowd's."""
        if self.settings.shown == "crowd":
            return self.crowd
        return self.visits / np.maximum(np.arange(UPDATES + 1), 1)[:, None]

    @cached_property
    def distance(self) -> np.ndarray:
        """Total variation distance of the shares from the posterior after each update; NaN before the first visit.

        A distance that is there by rounding alone is 0.
        """
        found: np.ndarray = np.abs(self.shares - self.exact).sum(axis=1) / 2
        found[found < ROUNDING] = 0.0
        if self.settings.shown == "run":
            found[0] = np.nan
        return found

    @cached_property
    def limit(self) -> np.ndarray:
        """The share of visits that each clustering gets in the long run, by the rule that is set."""
        return visited(self.matrices) if self.wrong else self.exact

    @cached_property
    def worth(self) -> float:
        """The number of independent draws that an update by the right rule is worth."""
        right = update_matrices(self.settings.mixture(right=True)) if self.wrong else self.matrices
        return effective_visits_per_update(right)

    def noise(self, t: Any) -> np.ndarray:
        """Return the mean error, roughly, of the right rule's visits after a number of updates."""
        return noise_floor(self.exact, np.asarray(t) * self.worth)
