"""The store as rooms use it: called in threads, and passed over while it does not answer."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import anyio

from pages.classroom.live import Live
from pages.classroom.store import Store, StoreError

RETRY = 1.0  # seconds until a store that did not answer is asked again
THREADS = 4
GONE = "Answers cannot be saved just now. The class goes on; keep this page open."
LOG = logging.getLogger("samplescope")
T = TypeVar("T")


class Keeper:
    """Keeps rooms in a store, and writes later what could not be written at once.

    Parameters
    ----------
    store : callable
        Makes the store, when it is first needed.
    rooms : dict of str to Live
        The rooms in use, which hold all that the store has missed.
    mended : callable
        Called when the store answers again: other processes may have changed something meanwhile.
    retry : float, optional
        Seconds between two tries while the store does not answer.

    Attributes
    ----------
    trouble : str
        A sentence for everyone in a room; "" while the store answers.
    """

    def __init__(
        self, store: Callable[[], Store], rooms: dict[str, Live], mended: Callable[[], None], retry: float = RETRY
    ) -> None:
        self._make, self._rooms, self._mended, self._retry = store, rooms, mended, retry
        self._store: Store | None = None
        self.trouble = ""
        self._threads = anyio.CapacityLimiter(THREADS)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def store(self) -> Store:
        """The store, made when it is first needed."""
        if self._store is None:
            self._store = self._make()
        return self._store

    async def ask(self, work: Callable[[Store], T]) -> T:
        """Return the store's answer; raise `StoreError` if there is none."""

        def do(store: Store) -> T:
            if self.trouble:  # which may have begun while this waited for a thread
                raise StoreError(self.trouble)
            return work(store)

        try:
            return await self._in_thread(do)
        except StoreError as error:
            self._lose(error)
            raise

    async def attempt(self, live: Live, work: Callable[[Store], T], otherwise: T) -> T:
        """Return the store's answer; if there is none, return `otherwise` and write the room to the store later."""
        try:
            return await self.ask(work)
        except StoreError:
            live.behind = True
            return otherwise

    async def restore(self, live: Live) -> None:
        """Write all of a room to the store; raise `StoreError` if it does not answer."""
        live.behind = False
        kept, members = live.kept, dict(live.members)
        answers = {number: dict(given) for number, given in live.given.items()}
        try:
            await self._in_thread(lambda store: store.restore(live.code, kept, members, answers))
        except StoreError:
            live.behind = True
            raise

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _in_thread(self, work: Callable[[Store], T]) -> T:
        return await anyio.to_thread.run_sync(lambda: work(self.store), limiter=self._threads)

    def _lose(self, error: StoreError) -> None:
        if not self.trouble:
            LOG.error("the store of the rooms does not answer: %s", error)
            self.trouble = GONE
            self.begin(self._mend())
            self._stir()

    async def _mend(self) -> None:
        """Try the store until it answers, then write what it has missed."""
        while True:
            await asyncio.sleep(self._retry)
            try:
                await self._in_thread(lambda store: store.find(""))
                for live in self._rooms.values():
                    live.behind = True  # the store may have lost more than it missed
                while behind := [live for live in self._rooms.values() if live.behind]:
                    for live in behind:
                        await self.restore(live)
            except StoreError:
                continue
            break
        self.trouble = ""
        LOG.warning("the store of the rooms answers again, and has what it missed")
        self._mended()
        self._stir()

    def _stir(self) -> None:
        for live in self._rooms.values():
            live.stir()
