"""A run that sessions share: what the charts need of each iteration of a chain, made in slices."""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from samplers import Chain

S = TypeVar("S")
SLICE = 0.2  # seconds of iterations between two answers to the browser
KEPT = 40  # states in memory; the others are replayed from these


class Run(ABC, Generic[S]):
    """The iterations of one chain, with what the charts need of each.

    Sessions with the same settings share it, so that it grows under a lock. A stage's own run makes its arrays, with
    room for every iteration, before it calls this constructor, and fills a row of each in `add`.

    Parameters
    ----------
    chain : Chain
        At its start, or a branch.

    Attributes
    ----------
    made : int
        The last iteration that is there.
    """

    def __init__(self, chain: Chain[Any]) -> None:
        self.chain = chain
        self.made = -1
        self._lock = threading.Lock()
        self.grow(0)

    @abstractmethod
    def add(self, t: int, state: S) -> None:
        """Keep what the charts need of iteration t."""

    def grow(self, t: int, seconds: float = SLICE) -> int:
        """Make iterations up to t, for so many seconds at most; return the last one that is there."""
        with self._lock:
            end = time.monotonic() + seconds  # not from before: a call that waited for others must get on as well
            while self.made < t and (self.made < 1 or time.monotonic() < end):
                self.add(self.made + 1, self.chain[self.made + 1])
                self.made += 1
        return self.made

    def state(self, t: int) -> S:
        """Return the state after t iterations, t at most `made`."""
        with self._lock:
            return self.chain[t]
