"""Learners' own data: the server keeps them under a digest, which stands in links, for a time and within a budget."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, TypeVar

T = TypeVar("T")
LIFETIME = 7_200.0  # seconds since data were used last
BUDGET = 64_000_000  # bytes of all data together


class _Kept(NamedTuple):
    data: object
    size: int
    used: float


class OwnData:
    """What learners have uploaded or made, for all sessions; what was used longest ago goes first.

    Parameters
    ----------
    clock : callable, optional
        Returns seconds that only grow.
    budget : int, optional
        Bytes of all data together.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, budget: int = BUDGET) -> None:
        self.clock, self._budget = clock, budget
        self._kept: OrderedDict[str, _Kept] = OrderedDict()  # what was used last stands last
        self._lock = threading.Lock()

    def keep(self, digest: str, data: object, size: int) -> None:
        """Keep data of so many bytes under their digest."""
        with self._lock:
            self._kept[digest] = _Kept(data, size, self.clock())
            self._kept.move_to_end(digest)
            self._drop_old()

    def get(self, digest: str, kind: type[T]) -> T | None:
        """Return the data of this digest and kind, and note that they are used; None if there are none."""
        with self._lock:
            self._drop_old()
            kept = self._kept.get(digest)
            if kept is None or not isinstance(kept.data, kind):
                return None
            self._kept[digest] = kept._replace(used=self.clock())
            self._kept.move_to_end(digest)
            return kept.data

    def _drop_old(self) -> None:
        room = self._budget - sum(kept.size for kept in self._kept.values())
        while self._kept:
            oldest = next(iter(self._kept.values()))
            if room >= 0 and oldest.used > self.clock() - LIFETIME:
                return
            room += oldest.size
            self._kept.popitem(last=False)


OWN_DATA = OwnData()
