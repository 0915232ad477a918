"""A cache with limits on bytes and time, and the size of what it holds."""

import math
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
AGAIN = 1.0  # seconds after which all that is shared is weighed again


class _Entry(NamedTuple):
    made: object
    size: int
    used: float


class Cache:
    """A cache with a limit on bytes and on time; it drops the least recently used entry first.

    Parameters
    ----------
    budget : int
        The bytes of all entries together.
    lifetime : float, optional
        The seconds after its last use at which an entry is dropped.
    clock : callable, optional
        A monotonic clock in seconds.
    """

    def __init__(self, budget: int, lifetime: float = math.inf, clock: Callable[[], float] = time.monotonic) -> None:
        self.budget, self.lifetime, self.clock = budget, lifetime, clock
        self.bytes = 0
        self._weighed = clock()  # when all entries were last weighed
        self._entries: OrderedDict[str, _Entry] = OrderedDict()  # the most recently used is last
        self._lock = threading.Lock()

    def keep(self, key: str, made: object, size: int) -> None:
        """Store something under a key, with its size in bytes."""
        with self._lock:
            self._drop(key)
            self._entries[key] = _Entry(made, size, self.clock())
            self.bytes += size
            self._drop_old()

    def get(self, key: str, kind: type[T]) -> T | None:
        """Return the entry under a key, and mark it as used; None if there is none of that kind."""
        with self._lock:
            self._drop_old()
            entry = self._entries.get(key)
            if entry is None or not isinstance(entry.made, kind):
                return None
            self._entries[key] = entry._replace(used=self.clock())
            self._entries.move_to_end(key)
            return entry.made

    def shared(self, key: str, make: Callable[[], T]) -> T:
        """Return the entry under a key, or make it; all callers share one object.

        The size is the object's `nbytes`, asked again every second as the object may grow, also after its last use, or
        else estimated once. A key must always be used for one kind of object.
        """
        if self.clock() >= self._weighed + AGAIN:
            self._weigh()
        found: Any = self.get(key, object)
        if found is None:
            made = make()
            found = self.get(key, object)  # another thread may have made it meanwhile
            if found is None:
                found = made
                self.keep(key, found, getattr(found, "nbytes", None) or weight(found, set()))
        return found

    def _weigh(self) -> None:
        """Ask all objects for their size, and drop what has no room any more."""
        self._weighed = self.clock()
        with self._lock:
            entries = [*self._entries.items()]
        sizes = [(key, entry.made, getattr(entry.made, "nbytes", None) or entry.size) for key, entry in entries]
        with self._lock:
            for key, made, size in sizes:
                entry = self._entries.get(key)
                if entry and entry.made is made:
                    self.bytes += size - entry.size
                    self._entries[key] = entry._replace(size=size)
            self._drop_old()

    def _drop(self, key: str) -> None:
        if key in self._entries:
            self.bytes -= self._entries.pop(key).size

    def _drop_old(self) -> None:
        while self._entries:
            oldest, entry = next(iter(self._entries.items()))
            if self.bytes <= self.budget and entry.used > self.clock() - self.lifetime:
                return
            self._drop(oldest)


def weight(thing: object, seen: set[int]) -> int:
    """Return an estimate of the bytes of an object with everything that it holds, except objects in `seen`.

    A number counts each time: checking whether it is shared would take too long.
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
