"""How often one client may ask, so that a script that runs wild leaves the server to the others."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

MOST_CLIENTS = 10_000  # that are remembered


class Rate:
    """A rate limit: a number of requests a second for each client, and some more at once.

    Parameters
    ----------
    each : float
        Requests a second.
    burst : float
        Requests at once, of a client that has not asked for a while.
    clock : callable, optional
        Returns seconds that only grow.
    """

    def __init__(self, each: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.each, self.burst, self.clock = each, burst, clock
        self._left: dict[str, tuple[float, float]] = {}  # requests that are left, and when that was so

    def reserve(self, client: str, most: float) -> float | None:
        """Return in how many seconds it is a client's turn, which it then has; None if that is later than `most`."""
        after = self._now(client) - 1
        seconds = 0.0 if after >= 0 else -after / self.each if self.each else math.inf
        if seconds > most:
            return None
        self._note(client, after)
        return seconds

    def wait(self, client: str) -> float:
        """Return how many seconds it takes until a client may ask again."""
        missing = 1 - self._now(client)
        return 0.0 if missing <= 0 else missing / self.each if self.each else math.inf

    def _now(self, client: str) -> float:
        now = self.clock()
        left, then = self._left.get(client, (self.burst, now))
        return min(self.burst, left + self.each * (now - then))

    def allows(self, client: str) -> bool:
        """Return whether a client may ask now, and note that it has."""
        left = self._now(client)
        self._note(client, max(0.0, left - 1))
        return left >= 1

    def _note(self, client: str, left: float) -> None:
        self._left.pop(client, None)
        self._left[client] = left, self.clock()  # who asked last stands last
        if len(self._left) > MOST_CLIENTS:
            del self._left[next(iter(self._left))]
