"""Turns at a scarce resource: addresses take turns, and so do the pages of one address.

A client with many requests waits for its own earlier ones and does not delay others; a client's first request comes
next. A whole class may sit behind one address, so requests are turned away only when very many wait.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import anyio

T = TypeVar("T")
MOST_WAITING, MOST_OF_ALL = 2_000, 6_000  # waiting requests, per address and in all
REMEMBERED = 60.0  # seconds for which an address's last turn is remembered
LATER = 5.0  # seconds to wait before another try, when too many wait


class BusyError(Exception):
    """Too many requests wait already: another try may be made after some seconds."""

    def __init__(self, seconds: float = LATER) -> None:
        super().__init__(f"Try again in {seconds:.0f} seconds.")
        self.seconds = seconds


class _Job:
    """A job that begins once, at the first turn of any client that waits for it."""

    def __init__(self, begin: "Callable[[_Job], None]", key: str = "") -> None:
        self.begin, self.key = begin, key
        self.wanted = 0  # number of clients that wait
        self.address: str | None = None  # whose turn started it, once it has begun
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Queue:
    """The jobs that an address waits for, by page."""

    def __init__(self) -> None:
        self.jobs: dict[str, deque[_Job]] = {}  # the page that had the last turn is last
        self.length = 0

    def add(self, page: str, job: _Job) -> None:
        self.jobs.setdefault(page, deque()).append(job)
        self.length += 1

    def take(self) -> _Job:
        page = next(iter(self.jobs))
        waiting = self.jobs.pop(page)
        job = waiting.popleft()
        if waiting:
            self.jobs[page] = waiting
        self.length -= 1
        return job


class Lane:
    """A number of places, of which each address may take a few.

    Parameters
    ----------
    places : int
        The number of places.
    each : int, optional
        The number of places for one address; all if left out.
    clock : callable, optional
        A monotonic clock in seconds.
    """

    def __init__(self, places: int, each: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._free, self._each, self._clock = places, each or places, clock
        self._queues: dict[str, _Queue] = {}
        self._has: dict[str, int] = {}  # places, by address
        self._last: dict[str, float] = {}  # the time of each address's last turn, the latest last
        self._doing: dict[str, _Job] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self.waiting = 0  # number of waiting requests

    async def enter(self, address: str, page: str = "") -> None:
        """Wait for a place, to give back with `leave`; raise `BusyError` if too many wait."""
        job = _Job(lambda job: job.done.set_result(None))
        try:
            await self._wait(job, address, page)
        except asyncio.CancelledError:
            if job.address is not None:
                self.leave(address)
            raise

    def leave(self, address: str) -> None:
        """Give a place back, for the next client."""
        self._free += 1
        self._has[address] -= 1
        if not self._has[address]:
            del self._has[address]
        self._go_on()

    async def do(self, key: str, work: Callable[[], T], address: str, page: str = "") -> T:
        """Do a job in a thread, in turn; requests with the same key in the meantime share its result.

        The job begins as soon as any client that waits for it has a turn. If all of them have gone, it does not begin.
        """
        job = self._doing.get(key)
        if job is None:

            def begin(job: _Job) -> None:
                task = asyncio.ensure_future(self._do(job, work))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

            job = self._doing[key] = _Job(begin, key)
        return await self._wait(job, address, page)

    # ---- how it goes on ----------------------------------------------------------------------------------------------

    async def _do(self, job: _Job, work: Callable[[], Any]) -> None:
        try:
            job.done.set_result(await anyio.to_thread.run_sync(work, limiter=_threads()))
        except Exception as error:
            job.done.set_exception(error)
            job.done.exception()  # marks it as seen, since all clients may have gone
        finally:
            del self._doing[job.key]
            self.leave(str(job.address))

    async def _wait(self, job: _Job, address: str, page: str) -> Any:
        if job.address is None:
            queue = self._queues.get(address) or _Queue()
            if queue.length >= MOST_WAITING or self.waiting >= MOST_OF_ALL:
                raise BusyError
            self._queues[address] = queue
            queue.add(page, job)
            self.waiting += 1
        job.wanted += 1
        self._go_on()
        try:
            return await asyncio.shield(job.done)
        finally:
            job.wanted -= 1

    def _go_on(self) -> None:
        while self._free:
            address = self._next()
            if address is None:
                return
            queue = self._queues[address]
            job = queue.take()
            self.waiting -= 1
            if not queue.length:
                del self._queues[address]
            if job.address is None and job.wanted:
                self._free -= 1
                self._has[address] = self._has.get(address, 0) + 1
                self._note(address)
                job.address = address
                job.begin(job)
            elif job.address is None and self._doing.get(job.key) is job:  # all its clients have gone
                del self._doing[job.key]

    def _next(self) -> str | None:
        """Return the address whose last turn is longest ago, among those that may take another place."""
        ready = [one for one in self._queues if self._has.get(one, 0) < self._each]
        return min(ready, key=lambda one: self._last.get(one, 0.0), default=None)

    def _note(self, address: str) -> None:
        now = self._clock()
        self._last.pop(address, None)
        self._last[address] = now
        while (first := next(iter(self._last))) and self._last[first] < now - REMEMBERED:
            del self._last[first]


@lru_cache
def _threads() -> anyio.CapacityLimiter:
    """Return enough threads for all lanes; the lanes' places are the limit."""
    return anyio.CapacityLimiter(100)


def lane(what: str) -> Lane:
    """Return the lane for a kind of answer, so that frames, fetched ahead, do not delay what a learner looks at.

    Downloads and QR codes have their own lane as well, and so do the judge's verdicts. Each lane has one thread, as all
    share a processor and the interpreter's lock.
    """
    return _lane(
        {"frames": "ahead", "take": "away", "qr.svg": "away", "table": "judged", "verdict": "judged"}.get(
            what, "at once"
        )
    )


@lru_cache
def _lane(name: str) -> Lane:
    return Lane(1)
