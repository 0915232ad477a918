"""Turns at what only a few can have at once: address after address, and within an address one page after the other.

Whoever asks for much waits behind her own questions, not others behind hers; and one who asks for the first time is
next. A whole class may sit behind one address, so that requests are turned away only when very many wait.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

import anyio

T = TypeVar("T")
MOST_WAITING, MOST_OF_ALL = 2_000, 6_000  # that wait, of an address and together
REMEMBERED = 60.0  # seconds for which it is known when an address had its last turn
LATER = 5.0  # seconds after which to come back, when too much waits


class BusyError(Exception):
    """Too much waits already.

    Parameters
    ----------
    seconds : float
        After which to come back.
    """

    def __init__(self, seconds: float = LATER) -> None:
        super().__init__(f"Try again in {seconds:.0f} seconds.")
        self.seconds = seconds


class _Job:
    """Something that is begun once, in the first turn of those who wait for it."""

    def __init__(self, begin: Callable[[_Job], None], key: str = "") -> None:
        self.begin, self.key = begin, key
        self.wanted = 0  # by how many
        self.address: str | None = None  # whose turn it is, once it is begun
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()


class _Queue:
    """All that an address waits for, by its pages."""

    def __init__(self) -> None:
        self.jobs: dict[str, deque[_Job]] = {}  # the page that had its turn last stands last
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
    """Some places, of which each address may have a few.

    Parameters
    ----------
    places : int
        How many there are.
    each : int, optional
        How many of them one address may have; all if left out.
    clock : callable, optional
        Returns seconds that only grow.
    """

    def __init__(self, places: int, each: int | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._free, self._each, self._clock = places, each or places, clock
        self._queues: dict[str, _Queue] = {}
        self._has: dict[str, int] = {}  # places, by address
        self._last: dict[str, float] = {}  # when an address had its last turn; the latest stands last
        self._doing: dict[str, _Job] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self.waiting = 0  # how much does

    async def enter(self, address: str, page: str = "") -> None:
        """Wait for a place, which has to be left; raise `BusyError` if too much waits."""
        job = _Job(lambda job: job.done.set_result(None))
        try:
            await self._wait(job, address, page)
        except asyncio.CancelledError:
            if job.address is not None:
                self.leave(address)
            raise

    def leave(self, address: str) -> None:
        """Leave a place to who is next."""
        self._free += 1
        self._has[address] -= 1
        if not self._has[address]:
            del self._has[address]
        self._go_on()

    async def do(self, key: str, work: Callable[[], T], address: str, page: str = "") -> T:
        """Do something in a thread, in turn; whoever asks for the same meanwhile gets the same.

        It is begun as soon as any of those who wait for it has her turn; if all of them have gone, it is not.
        """
        job = self._doing.get(key)
        if job is None:

            def begin(job: _Job) -> None:
                task = asyncio.ensure_future(self._do(job, work))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

            job = self._doing[key] = _Job(begin, key)
        found: T = await self._wait(job, address, page)
        return found

    # ---- how it goes on ----------------------------------------------------------------------------------------------

    async def _do(self, job: _Job, work: Callable[[], Any]) -> None:
        try:
            job.done.set_result(await anyio.to_thread.run_sync(work, limiter=_threads()))
        except Exception as error:
            job.done.set_exception(error)
            job.done.exception()  # all who waited may have gone
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
            elif job.address is None and self._doing.get(job.key) is job:  # all who waited for it have gone
                del self._doing[job.key]

    def _next(self) -> str | None:
        """Return the address that has waited longest since its last turn, if any of them has a place."""
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
    """Return threads enough for all lanes, whose places are what is limited."""
    return anyio.CapacityLimiter(100)


def lane(what: str) -> Lane:
    """Return where something is computed: frames, which come ahead of time, do not hold up what is looked at.

    Nor does what is taken away, or hung up. One thread each: they share a processor, and the interpreter's lock.
    """
    return _lane({"frames": "ahead", "take": "away", "qr.svg": "away"}.get(what, "at once"))


@lru_cache
def _lane(name: str) -> Lane:
    return Lane(1)
