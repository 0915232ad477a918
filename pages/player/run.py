"""A run that sessions share: one chain, and the charts' columns of each iteration, made in slices."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from pages.contract.waiting import MOST, NotYet
from pages.player.kept import weight
from pages.player.turns import Work, time_slice
from samplers import Chain

S = TypeVar("S")
KEPT = 40  # states in memory; the others are replayed from these
RECENT = 40  # states of the last iterations that are in memory too: as many as browsers hold ahead of who steps
WEIGHED = (1, 100)  # iterations whose states say how large all are: they may grow along the run
SOUGHT = 8  # states that are being replayed, or were replayed last


class Run(ABC, Generic[S]):
    """The iterations of one chain, with the charts' columns of each.

    Sessions with the same settings share it, so that it grows under a lock. A stage's own run makes its arrays, with
    room for every iteration, before it calls this constructor, and fills a row of each in `add`: what `numpy.empty`
    gives takes memory only where it is written.

    Parameters
    ----------
    chain : Chain
        At its start, or a branch.
    recent : int, optional
        How many states of the last iterations are kept.

    Attributes
    ----------
    made : int
        The last iteration that is there.
    unit : str
        What iterations are called.
    """

    unit: ClassVar[str] = "sweeps"

    def __init__(self, chain: Chain[Any], recent: int = RECENT) -> None:
        self.chain = chain
        self.made = -1
        self._next: Work[S] | None = None  # the iteration that is being made
        self._most_recent = recent
        self._recent: dict[int, S] = {}  # of the last iterations, where those who step are
        self._sought: dict[int, Work[S]] = {}
        self._seconds = 0.0  # of computing that the iterations so far have taken
        self._lock = threading.Lock()
        self._a_row: int = sum(array.nbytes // len(array) for array in vars(self).values() if _by_iteration(array))
        self._a_state = 0  # bytes of one that is kept
        self.grow(0)

    @property
    def nbytes(self) -> int:
        """About how many bytes are taken by rows that have been filled, and by states that are kept."""
        states = self.chain.kept | self._recent.keys()
        return self._a_row * (self.made + 1) + self._a_state * len(states)

    @abstractmethod
    def add(self, t: int, state: S) -> None:
        """Keep the charts' columns of iteration t."""

    def grow(self, t: int, seconds: float | None = None) -> int:
        """Compute up to t for one time slice or `seconds`; return the last iteration made."""
        with self._lock, time_slice(seconds) as over:
            start = time.thread_time()
            while self.made < t:
                self._next = self._next or Work(self.chain.towards(self.made + 1))
                if not self._next.until(over):
                    break
                self._keep(self.made + 1, self._next.made)
                self.made, self._next = self.made + 1, None
                if self.made and over():
                    break
            self._seconds += time.thread_time() - start
        return self.made

    def _keep(self, t: int, state: S) -> None:
        self.add(t, state)
        self._recent[t] = state
        self._recent.pop(t - self._most_recent, None)
        if t in WEIGHED:
            seen: set[int] = set()
            weight(self.chain.sampler, seen)  # what all states share
            self._a_state = weight(state, seen)

    def reach(self, t: int, what: str = "Replaying") -> None:
        """Have iterations up to t.

        Raises
        ------
        NotYet
            If they are not all there after a slice, or if they take so long that they are not made at all.
        """
        if self.made < t and (self.left(t) > MOST or self.grow(t) < t):
            raise NotYet(
                f"{what}: {self.made:,} of {t:,} {self.unit}",
                self.made / t,
                lambda: self.reach(t, what),
                self.made,
                self.left(t),
            )

    def left(self, t: int) -> float:
        """Return about how many seconds of computing there are left up to iteration t; 0 if none has been made yet."""
        return self._seconds / max(self.made, 1) * (t - self.made) if self.made > 0 else 0.0

    def state(self, t: int) -> S:
        """Return the state after t iterations, t at most `made`.

        Raises
        ------
        NotYet
            If it has to be replayed, and a slice was too short for that.
        """
        if (recent := self._recent.get(t)) is not None:
            return recent
        with self._lock, time_slice() as over:
            work = self._sought.pop(t, None) or Work(self.chain.towards(t))
            self._sought[t] = work  # what was asked for last stands last
            for old in list(self._sought)[:-SOUGHT]:
                del self._sought[old]
            if work.until(over):
                return work.made
        said = f"Replaying the {self.unit} before: {work.pieces:,} updates so far"
        raise NotYet(said, 0.0, lambda: self.state(t), self.made)

    def record(self, t: int) -> Any:
        """Return the record of step t, from 1, replayed; see `state` for what this raises."""
        return self.chain.sampler.step(self.state(t - 1), self.chain.rng(t))[1]


def _by_iteration(array: object) -> bool:
    return isinstance(array, np.ndarray) and array.ndim > 0 and len(array) > 1


def grown(runs: Sequence[Run[Any]], t: int) -> int:
    """Make iterations of several runs up to t, the run that is behind first; return the last one that all have."""
    for run in sorted(runs, key=lambda run: run.made):
        run.grow(t)
    return min(run.made for run in runs)


def reach(runs: Sequence[Run[Any]], t: int) -> None:
    """Have iterations of several runs up to t, or raise `NotYet`."""
    for run in runs:
        run.reach(t)
