"""A limit on each client's requests, so that a runaway script cannot keep the server from others."""

import math
import time
from collections.abc import Callable

MOST_CLIENTS = 10_000  # to remember


class Rate:
    """A rate limit: a number of requests a second for each client, and some more at once.

    Parameters
    ----------
    each : float
        Requests a second.
    burst : float
        Requests at once, for a client that has not asked for a while.
    clock : callable, optional
        A monotonic clock in seconds.
    """

    def __init__(self, each: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.each, self.burst, self.clock = each, burst, clock
        self._left: dict[str, tuple[float, float]] = {}  # requests left, and the time of that count

    def reserve(self, client: str, most: float) -> float | None:
        """Reserve a client's next turn, and return the seconds until then; None if that is more than `most`."""
        after = self._now(client) - 1
        seconds = 0.0 if after >= 0 else -after / self.each if self.each else math.inf
        if seconds > most:
            return None
        self._note(client, after)
        return seconds

    def wait(self, client: str) -> float:
        """Return the seconds until a client may ask again."""
        missing = 1 - self._now(client)
        return 0.0 if missing <= 0 else missing / self.each if self.each else math.inf

    def _now(self, client: str) -> float:
        now = self.clock()
        left, then = self._left.get(client, (self.burst, now))
        return min(self.burst, left + self.each * (now - then))

    def allows(self, client: str) -> bool:
        """Return whether a client may ask now, and count the request."""
        left = self._now(client)
        self._note(client, max(0.0, left - 1))
        return left >= 1

    def _note(self, client: str, left: float) -> None:
        self._left.pop(client, None)
        self._left[client] = left, self.clock()  # the most recent client is last
        if len(self._left) > MOST_CLIENTS:
            del self._left[next(iter(self._left))]
