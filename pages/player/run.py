"""A run that sessions share: one chain and the charts' columns of each iteration, computed in slices."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from lessons.kept import weight
from pages.contract.waiting import MOST, NotYet
from pages.player.turns import SlicedWork, time_slice
from samplers import Chain

S = TypeVar("S")
KEPT = 40  # states in memory, from which the others are replayed
RECENT = 40  # states of the last iterations, also in memory: as many as a browser fetches ahead while a learner steps
WEIGHED = (1, 10, 30, 100, 300)  # iterations at which a state's size is measured, since it may grow along the run
SPARSE = 128_000  # bytes from which an array has memory of its own on the server: as much as has been filled
FILM = 50_000  # bytes of a film's own descriptions and constant columns
SOUGHT = 8  # states that are being replayed, or were replayed last


class Run(ABC, Generic[S]):
    """The iterations of one chain, with the charts' columns of each.

    Sessions with the same settings share a run, so it grows under a lock. A subclass makes its arrays with
    `numpy.empty`, with a row for every iteration, before it calls this constructor, and fills one row of each in `add`.
    Rows that are not filled take no memory.

    Parameters
    ----------
    chain : Chain
        A new chain, or a branch.
    recent : int, optional
        How many states of the last iterations to keep.

    Attributes
    ----------
    made : int
        The last iteration that has been computed.
    unit : str
        The word for iterations.
    """

    unit: ClassVar[str] = "sweeps"

    def __init__(self, chain: Chain[Any], recent: int = RECENT) -> None:
        self.chain = chain
        self.made = -1
        self._next: SlicedWork[S] | None = None  # the iteration under way
        self._most_recent = recent
        self._recent: dict[int, Any] = {}  # states of the last iterations, where learners step, as the chain keeps them
        self._sought: dict[int, SlicedWork[S]] = {}
        self._seconds = 0.0  # of computing so far
        self._lock = threading.Lock()
        arrays = [array for array in vars(self).values() if isinstance(array, np.ndarray) and array.ndim]
        sparse = [array for array in arrays if array.nbytes >= SPARSE]
        self._whole: int = sum(array.nbytes for array in arrays) - sum(array.nbytes for array in sparse)
        self._a_row: int = sum(array.nbytes // len(array) for array in sparse)
        self._a_state = 0  # bytes of one stored state
        self.grow(0)

    @property
    def nbytes(self) -> int:
        """About how many bytes the filled rows, the stored states and the film take."""
        states = self.chain.kept.keys() | self._recent.keys()
        return FILM + self._whole + self._a_row * (self.made + 1) + self._a_state * len(states)

    @abstractmethod
    def add(self, t: int, state: S) -> None:
        """Store the charts' columns of iteration t."""

    def grow(self, t: int, seconds: float | None = None) -> int:
        """Compute iterations up to t for one time slice or `seconds`; return the last one computed."""
        with self._lock, time_slice(seconds) as over:
            start = time.thread_time()
            while self.made < t:
                self._next = self._next or SlicedWork(self.chain.towards(self.made + 1))
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
        kept = self.chain.kept.get(t)
        self._recent[t] = kept = self.chain.sampler.packed(state) if kept is None else kept
        self._recent.pop(t - self._most_recent, None)
        if t in WEIGHED:
            seen: set[int] = set()
            weight(self.chain.sampler, seen)  # shared by all states
            self._a_state = weight(kept, seen)

    def reach(self, t: int, what: str = "Replaying") -> None:
        """Compute the iterations up to t.

        Raises
        ------
        NotYet
            If one slice is not enough, or if the rest would take too long to begin.
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
        """Return the estimated seconds of computing up to iteration t; 0 before the first iteration."""
        return self._seconds / max(self.made, 1) * (t - self.made) if self.made > 0 else 0.0

    def state(self, t: int) -> S:
        """Return the state after t iterations, t at most `made`.

        Raises
        ------
        NotYet
            If the state must be replayed, and one slice is not enough.
        """
        if t in self._recent:
            return self.chain.sampler.unpacked(self._recent[t])
        with self._lock, time_slice() as over:
            work = self._sought.pop(t, None) or SlicedWork(self.chain.towards(t))
            self._sought[t] = work  # the most recently asked for is last
            for old in list(self._sought)[:-SOUGHT]:
                del self._sought[old]
            if work.until(over):
                return work.made
        said = f"Replaying the previous {self.unit}: {work.pieces:,} updates so far"
        raise NotYet(said, 0.0, lambda: self.state(t), self.made)

    def record(self, t: int) -> Any:
        """Replay step t, from 1, and return its record; errors as in `state`."""
        return self.chain.sampler.step(self.state(t - 1), self.chain.rng(t))[1]


def grown(runs: Sequence[Run[Any]], t: int) -> int:
    """Compute iterations of several runs up to t, the run furthest behind first; return the last one that all have."""
    for run in sorted(runs, key=lambda run: run.made):
        run.grow(t)
    return min(run.made for run in runs)


def reach(runs: Sequence[Run[Any]], t: int) -> None:
    """Compute iterations of several runs up to t, or raise `NotYet`."""
    for run in runs:
        run.reach(t)
