"""A class as thirty chains: where they are, what each half has visited, and how far that is from the posterior."""

from functools import cached_property

import numpy as np

from lessons.topics.why_sample import WhySampleSettings
from lessons.topics.why_sample.people import HALF
from pages.topics.why_sample.run import ROUNDING, Clusterings, Way
from samplers.relay import Passed, expected_distances, matrix

HALVES = ("A", "B")
SIMULATED = 100  # halves


class PeopleRun(Clusterings):
    """The rounds of a class; in a round, each chain is passed to a person, who accepts or rejects a proposal.

    Attributes
    ----------
    where : numpy.ndarray
        The clustering of each chain after each round, shape (total + 1, 2, chains of a half).
    """

    def __init__(self, settings: WhySampleSettings, seed: int) -> None:
        super().__init__(settings, seed)
        self.wrong = False
        self.where = np.array([self.state(t).where for t in range(self.total + 1)]).reshape(-1, 2, HALF)

    def passed(self, t: int) -> Passed:
        """Return the proposals of round t, and the darts."""
        found: Passed = self.chain.record(t)
        return found

    def rule(self, half: int) -> str:
        """Return the name of a half's rule."""
        return ("right", self.settings.half_b)[half]

    def ways(self, t: int) -> tuple[Way, Way]:
        """Return a step of half A, and one of half B."""
        found = [
            Way(matrix(self.exact, self.rule(half)), f"A step of half {name}", f"a step of half {name}")
            for half, name in enumerate(HALVES)
        ]
        return found[0], found[1]

    def opened(self, t: int) -> Way:
        """Return the step of half B, whose rule is a setting."""
        return self.ways(t)[1]

    def ratio(self, here: int, there: int) -> float:
        """Return the ratio of two clusterings' posteriors."""
        return float(self.exact[there] / self.exact[here])

    @cached_property
    def heaps(self) -> np.ndarray:
        """The share of each clustering among a half's visits, shape (total + 1, 2, clusterings): 0 at first."""
        there = self.where[..., None] == np.arange(len(self.partitions))
        visits = there.sum(axis=2)
        visits[0] = 0
        rounds = np.maximum(np.arange(self.total + 1), 1)[:, None, None]
        found: np.ndarray = visits.cumsum(axis=0) / (HALF * rounds)
        return found

    @cached_property
    def visits(self) -> np.ndarray:
        """Visits of half A, on average over its chains, shape (total + 1, clusterings)."""
        found: np.ndarray = self.heaps[:, 0] * np.arange(self.total + 1)[:, None]
        return found

    @cached_property
    def distances(self) -> np.ndarray:
        """Total variation distance of each half's visits from the posterior, shape (total + 1, 2); NaN at first."""
        found: np.ndarray = np.abs(self.heaps - self.exact).sum(axis=2) / 2
        found[found < ROUNDING] = 0.0
        found[0] = np.nan
        return found

    @cached_property
    def noise(self) -> np.ndarray:
        """The mean distance of simulated halves that follow the right rule, after each round, shape (total,)."""
        return expected_distances(self.exact, HALF, self.total, SIMULATED, np.random.default_rng(SIMULATED))
