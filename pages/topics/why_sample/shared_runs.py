"""Runs that share their darts: from every start, from one start with one dart elsewhere, or from the past."""

from functools import cached_property
from typing import Any

import numpy as np

from lessons.topics.why_sample import WhySampleSettings
from lessons.topics.why_sample.starts import LISTED
from pages.topics.why_sample.run import Clusterings


class StartsRun(Clusterings):
    """Runs with one stream of darts.

    Attributes
    ----------
    where : numpy.ndarray
        The clustering of each run after each update, shape (total + 1, runs): from every start; or of two runs from one
        start, of which the second has one dart elsewhere.
    """

    def __init__(self, settings: WhySampleSettings, seed: int) -> None:
        super().__init__(settings, seed)
        states = [self.state(t) for t in range(self.total + 1)]
        self.two, first = settings.starts == "two", settings.first
        self.where = np.array([(s.where[first], s.elsewhere[first]) if self.two else s.where for s in states])

    def dart(self, t: int) -> float:
        """Return the dart of update t."""
        return float(self.chain.record(t))

    @cached_property
    def left(self) -> np.ndarray:
        """In how many clusterings the runs are after each update, shape (total + 1,)."""
        return np.array([len({*now.tolist()}) for now in self.where])

    @cached_property
    def together(self) -> np.ndarray:
        """The number of runs in each clustering after each update, shape (total + 1, clusterings)."""
        return np.array([np.bincount(now, minlength=len(self.partitions)) for now in self.where])

    @cached_property
    def shares(self) -> np.ndarray:
        """Sizes of the discs: the share of the runs that is there."""
        return self.together / self.where.shape[1]


class PastRun(Clusterings):
    """Draws from all starts: perfect ones, or where they first meet."""

    def __init__(self, settings: WhySampleSettings, seed: int) -> None:
        super().__init__(settings, seed)
        self.mistake = settings.until == "meeting"

    @cached_property
    def limit(self) -> np.ndarray:
        """The share of draws that each clustering gets in the long run: where starts meet, if that is known."""
        if self.mistake and self.points <= LISTED:
            return self.settings.meeting().where
        return super().limit

    @property
    def leads(self) -> bool:
        """Whether it is known where a mistake leads."""
        return self.wrong if not self.mistake else self.points <= LISTED

    @cached_property
    def sweeps(self) -> np.ndarray:
        """The number of sweeps that each draw took, shape (total + 1,)."""
        return np.array([self.state(t).sweeps for t in range(self.total + 1)])

    def where(self, t: int) -> np.ndarray:
        """Return where each start of draw t is after each of its darts, shape (darts + 1, clusterings)."""
        kernel: Any = self.chain.sampler
        found: np.ndarray = kernel.path(self.state(t).darts)
        return found
