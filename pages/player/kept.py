"""The server's stores for all sessions: runs, answers and learners' own data, within budgets of bytes and of time."""

from __future__ import annotations

import hashlib
import math
import os
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar

import numpy as np

T = TypeVar("T")
A_FLOAT = sys.getsizeof(0.0)
MEMORY = "SAMPLESCOPE_MEMORY"  # in the environment: how many MB runs may take, together


class _Entry(NamedTuple):
    made: object
    size: int
    used: float


class Kept:
    """Things under keys, while there is room and for a time; what was used longest ago goes first.

    Parameters
    ----------
    budget : int
        Bytes, together.
    lifetime : float, optional
        Seconds since something was used last, after which it goes.
    clock : callable, optional
        Returns seconds that only grow.
    """

    def __init__(self, budget: int, lifetime: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        self.budget, self.lifetime, self.clock = budget, lifetime, clock
        self.bytes = 0
        self._entries: OrderedDict[str, _Entry] = OrderedDict()  # what was used last stands last
        self._lock = threading.Lock()

    def keep(self, key: str, made: object, size: int) -> None:
        """Keep something of this size in bytes under its key."""
        with self._lock:
            self._drop(key)
            self._entries[key] = _Entry(made, size, self.clock())
            self.bytes += size
            self._drop_old()

    def get(self, key: str, kind: type[T]) -> T | None:
        """Return the entry under a key, and note that it is used; None if there is none of that kind."""
        with self._lock:
            self._drop_old()
            entry = self._entries.get(key)
            if entry is None or not isinstance(entry.made, kind):
                return None
            self._entries[key] = entry._replace(used=self.clock())
            self._entries.move_to_end(key)
            return entry.made

    def shared(self, key: str, make: Callable[[], T]) -> T:
        """Return the entry under a key, or make it; all who ask get the same.

        What grows says by `nbytes` how many bytes it takes now; anything else is weighed, once. A key is only ever used
        for things of one kind.
        """
        found: Any = self.get(key, object)
        if found is None:
            made = make()
            found = self.get(key, object)  # somebody else may have made it meanwhile
            if found is None:
                found = made
                self.keep(key, found, getattr(found, "nbytes", None) or weight(found, set()))
        elif hasattr(found, "nbytes"):
            self.keep(key, found, found.nbytes)
        shared: T = found
        return shared

    def _drop(self, key: str) -> None:
        if key in self._entries:
            self.bytes -= self._entries.pop(key).size

    def _drop_old(self) -> None:
        while self._entries:
            oldest, entry = next(iter(self._entries.items()))
            if self.bytes <= self.budget and entry.used > self.clock() - self.lifetime:
                return
            self._drop(oldest)


OWN_DATA = Kept(64_000_000, 7_200.0)  # what learners have uploaded or made, under digests that stand in links
RUNS = Kept(int(os.environ.get(MEMORY, "128")) * 1_000_000, 7_200.0)  # and what belongs to them


def weight(thing: object, seen: set[int]) -> int:
    """Return about how many bytes something takes with all that it holds, other than what has been `seen`.

    A number counts wherever it is held: to see whether it is shared takes longer than it is worth.
    """
    if type(thing) is float:
        return A_FLOAT
    if id(thing) in seen or isinstance(thing, (type, FunctionType, ModuleType)):
        return 0
    seen.add(id(thing))
    parts: list[Any] = []
    if isinstance(thing, Mapping):
        parts = [*thing.keys(), *thing.values()]
    elif isinstance(thing, (list, tuple, set, frozenset)):
        parts = list(thing)
    elif not isinstance(thing, np.ndarray):
        slots = {name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())}
        parts = [getattr(thing, name) for name in slots if hasattr(thing, name)] + [getattr(thing, "__dict__", None)]
    return sys.getsizeof(thing) + sum(weight(part, seen) for part in parts)


def digest_of(*arrays: np.ndarray) -> str:
    """Return 128 bits in hexadecimal that stand for arrays: for their types, their shapes and what they hold."""
    seal = hashlib.sha256()
    for array in arrays:
        seal.update(f"{array.dtype.str} {array.shape} ".encode())
        seal.update(np.ascontiguousarray(array).tobytes())
    return seal.hexdigest()[:32]
