"""The rooms in use in this process, and the store behind them.

Each change is stored first and then sent to the browsers. While the store does not answer, rooms go on in memory, and
the screens say so; when it answers again, all that it missed is written to it.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from pages.classroom import codes
from pages.classroom.keeper import RETRY, Keeper
from pages.classroom.live import CALM, Beat, Live, presence, read_presence
from pages.classroom.room import Core
from pages.classroom.store import Answer, Kept, Store, StoreError

PULSE = 5.0  # seconds between two looks at rooms that are in use
LATE = 0.3  # seconds for which an answer that is on its way when the time is over still counts
LINGER = 60.0  # seconds for which a room stays in memory when all have left
NONE = 4404  # the code of closing where there is no such room
SWEEP = 600.0  # seconds between two looks for rooms that are to be deleted


class _Link(NamedTuple):
    """Pending exchange of a room with other processes: its state, all else, and who is here."""

    state: Beat
    rest: Beat
    here: Beat


class Rooms:
    """All rooms of this process.

    Parameters
    ----------
    store : callable
        Makes the store, when it is first needed.
    retry : float, optional
        Seconds between two tries while the store does not answer.

    Attributes
    ----------
    live : dict of str to Live
        Those in use, by their codes.
    keeper : Keeper
        Of the store.
    """

    def __init__(self, store: Callable[[], Store], retry: float = RETRY) -> None:
        self.live: dict[str, Live] = {}
        self.keeper = Keeper(store, self.live, lambda: self._told("", ""), retry)
        self._links: dict[str, _Link] = {}
        self._entering: dict[str, asyncio.Lock] = {}
        self._pulsing = self._hearing = False

    async def open(self) -> tuple[str, str]:
        """Open a room; return its code and the instructor's secret."""
        code, secret = codes.new_code(), codes.new_secret()
        live = self._made(code, Core().as_kept(codes.sealed(secret), 1))
        if not await self.keeper.attempt(live, lambda store: store.add(code, live.kept), True):
            return await self.open()  # by a chance of 1 in 10¹², the code is taken
        self._have(live)
        return code, secret

    async def find(self, code: str) -> Live | None:
        """Return a room, None if there is none; raise `StoreError` if the store does not answer."""
        lock = self._entering.setdefault(code, asyncio.Lock())
        try:
            async with lock:
                if code not in self.live:
                    kept = await self.keeper.ask(lambda store: store.find(code))
                    if kept is None:
                        return None
                    live = self._made(code, kept)
                    await self._read(live)
                    if code not in self.live:  # it may have been added meanwhile
                        self._have(live)
                self.live[code].left = time.monotonic()  # a browser that looks for it is about to join
                return self.live[code]
        finally:
            if not lock.locked():
                self._entering.pop(code, None)

    def _made(self, code: str, kept: Kept) -> Live:
        return Live(code, kept, lambda: self.keeper.trouble)

    def _have(self, live: Live) -> None:
        self.live[live.code] = live
        self._time(live)
        begin = self.keeper.begin
        self._links[live.code] = _Link(
            Beat(lambda: begin(self._follow(live)), 0.0),
            Beat(lambda: begin(self.refresh(live)), CALM),
            Beat(lambda: begin(self._tell_who_is_here(live)), CALM),
        )
        if not self._pulsing:
            self._pulsing = True
            begin(self._pulse())
        if not self._hearing:
            self._hearing, loop = True, asyncio.get_running_loop()

            def heard(code: str, what: str) -> None:
                with suppress(RuntimeError):  # the server has ended
                    loop.call_soon_threadsafe(self._told, code, what)

            self.keeper.store.hear(heard)

    # ---- what happens ------------------------------------------------------------------------------------------------

    async def change(self, live: Live, alter: Callable[[Core], Core], after: float = 0.0) -> None:
        """Change a room's state, here and in the store, even if other processes change it at the same time.

        The browsers get it soon, at the earliest in `after` seconds.
        """
        async with live.lock:
            while True:
                core = alter(live.core)
                if core is live.core:
                    return
                new = core.as_kept(live.kept.seal, live.kept.number + 1)
                if await self.keeper.attempt(live, lambda store, new=new: store.change(live.code, new), True):  # type: ignore[misc]
                    break
                latest: Kept | None = await self.keeper.attempt(live, lambda store: store.find(live.code), None)
                if latest == new:  # it was stored, though the store's reply was lost
                    break
                if latest is None or latest.number < new.number - 1:  # the store has lost it
                    live.behind = True
                    break
                live.take(latest)
            closed = {*live.kept.open} - {*new.open}
            live.take(new)
            if closed:  # another process, or another thread, may have counted answers that are not known here yet
                live.merge({}, await self.keeper.attempt(live, lambda store: store.answers(live.code), {}))
            live.stir(after)
        self._time(live)

    async def deal(self, live: Live, step: Callable[[Core], Core] = lambda core: core) -> None:
        """Do a step of a relay, if one is given, and give chains to those who wait, and tell them at once."""
        waiting = live.waiting()
        await self.change(live, lambda core: step(core).dealing(waiting, time.time()), CALM)
        live.hand_out()

    def _time(self, live: Live) -> None:
        """Set a timer that closes the open question; each process that holds the room does so, once."""
        due = min((one.until for one in live.core.rounds if one.open and one.until is not None), default=None)
        if due == live.due:
            return
        live.due = due
        if due is not None:

            def over() -> None:
                self.keeper.begin(self.change(live, lambda core: core.timed(time.time())))

            asyncio.get_running_loop().call_later(max(0.0, due - time.time()) + LATE, over)

    async def count(self, live: Live, given: Answer) -> bool:
        """Count an answer in place of the member's last one, if its round is open; return whether it counts."""
        if live.has_forgotten(given.member):
            return False
        still = live.core.is_open(given.round)
        counts = await self.keeper.attempt(live, lambda store: store.answer(live.code, given), still)
        if counts:
            live.count(given)
            live.stir(CALM)
        return counts

    async def name(self, live: Live, member: str, name: str | None) -> bool:
        """Let a member in, with her name if she gives one; return whether there is room for her."""
        known = live.members.get(member)
        local: int | None = known.index if known else len(live.members)
        index = await self.keeper.attempt(live, lambda store: store.join(live.code, member, name), local)
        if index is None:
            return False
        live.name(member, index, name)
        return True

    async def forget(self, live: Live, member: str) -> None:
        """Delete a member's answers and name, here and in the store."""
        live.forget(member)
        await self.keeper.attempt(live, lambda store: store.forget(live.code, member), None)
        live.stir()

    def moved(self, live: Live) -> None:
        """Send out who is here now, soon."""
        live.stir(CALM)
        if live.code in self._links and self.keeper.store.shared:
            self._links[live.code].here.soon(CALM)

    def notify(self, live: Live) -> None:
        """Send the instructors the store's notice, once."""
        instructors = [one for one in live.listeners if one.leads]
        if instructors and self.keeper.store.trouble:
            for one in instructors:
                one.notice = self.keeper.store.trouble
            self.keeper.store.trouble = ""
            live.stir()

    # ---- other processes ---------------------------------------------------------------------------------------------

    def _told(self, code: str, what: str) -> None:
        for name in [code] if code else list(self._links):
            if name in self._links:
                link = self._links[name]
                if what in ("state", ""):
                    link.state.soon()
                if what != "state":
                    link.rest.soon(CALM)

    async def _follow(self, live: Live) -> None:
        """Take over the state of a room from another process."""
        with suppress(StoreError):
            async with live.lock:
                kept = await self.keeper.ask(lambda store: store.find(live.code))
                if kept is None or kept.number <= live.kept.number:
                    return
                if {*live.kept.open} - {*kept.open}:
                    await self._read(live)  # the result of a round goes out with all its answers
                live.take(kept)
            await self.deal(live)
        self._time(live)
        live.stir()

    async def refresh(self, live: Live) -> None:
        """Take in the members and answers that other processes have counted."""
        with suppress(StoreError):
            await self._read(live)
            live.stir(CALM)

    async def _read(self, live: Live) -> None:
        def read(store: Store) -> tuple[Any, Any, list[str]]:
            return store.members(live.code), store.answers(live.code), store.elsewhere(live.code, 3 * PULSE)

        members, answers, others = await self.keeper.ask(read)
        live.merge(members, answers)
        live.elsewhere = read_presence(others)

    async def _tell_who_is_here(self, live: Live) -> None:
        here = presence(live.here())
        with suppress(StoreError):
            await self.keeper.ask(lambda store: store.present(live.code, here))

    # ---- from time to time -------------------------------------------------------------------------------------------

    async def sweep(self, hours: float) -> None:
        """Delete rooms without a sign of life for `hours` hours, from time to time, as long as the server runs."""
        while True:
            with suppress(StoreError):
                await self.keeper.ask(lambda store: store.sweep(time.time() - 3_600 * hours))
            await asyncio.sleep(SWEEP)

    async def _pulse(self) -> None:
        """Look after the rooms as long as there are any."""
        while self.live:
            await asyncio.sleep(PULSE)
            for live in list(self.live.values()):
                with suppress(StoreError):
                    await self._look_after(live)
        self._pulsing = False

    async def _look_after(self, live: Live) -> None:
        if not live.listeners and not live.behind and time.monotonic() - live.left > LINGER:
            self._drop(live)
            return
        kept = await self.keeper.ask(lambda store: store.find(live.code))
        if kept is None and live.core.ended:  # it was deleted when its time was up
            self._drop(live)
            for one in live.listeners:
                one.send_away(NONE)
        elif kept is None or live.behind:
            await self.keeper.restore(live)
        elif live.listeners:
            await self._tell_who_is_here(live)
            self.notify(live)
            if self.keeper.store.shared:  # a message of another process may have been missed
                await self._follow(live)
                await self.refresh(live)

    def _drop(self, live: Live) -> None:
        self.live.pop(live.code, None)
        self._links.pop(live.code, None)
