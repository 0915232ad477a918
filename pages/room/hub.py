"""The rooms that are in use: browsers come in, what they say is kept and counted, and all of them hear of it.

Whatever happens is first kept in the store, then told. While the store does not answer, rooms go on in memory, which is
said; when it is back, it is told all that it missed.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.room import codes, messages, questions
from pages.room.hands import Finder, HandsRound, hands_round
from pages.room.keeper import Keeper
from pages.room.live import CALM, Listener, Live, as_text, presence, read_presence
from pages.room.messages import LONGEST, Found, Given, Hello, NotSaidError
from pages.room.room import Core
from pages.room.store import Answer, Kept, Store, StoreError

MOST = 500  # browsers in a room
FIRST = 10.0  # seconds until a browser has to say who it is
PULSE = 5.0  # seconds between two looks at rooms that are in use
LINGER = 60.0  # seconds for which a room stays in memory when all have left
REFUSED, FULL, NONE = 1008, 1013, 4404  # codes of closing: not allowed, come back later, no such room


class Hub:
    """All rooms of this process.

    Parameters
    ----------
    store : callable
        Makes what keeps them, when it is first needed.
    """

    def __init__(self, store: Callable[[], Store]) -> None:
        self.rooms: dict[str, Live] = {}
        self.keeper = Keeper(store, self.rooms)
        self.finder = Finder(self._found)
        self.name = uuid.uuid4().hex[:12]  # of this process, among others that serve the same rooms
        self._entering: dict[str, asyncio.Lock] = {}
        self._pulsing = False

    # ---- rooms -------------------------------------------------------------------------------------------------------

    async def open(self) -> tuple[str, str]:
        """Open a room; return its code and the instructor's secret."""
        code, secret = codes.new_code(), codes.new_secret()
        live = Live(code, Core().as_kept(codes.sealed(secret), 1), lambda: self.keeper.trouble)
        if not await self.keeper.attempt(live, lambda store: store.add(code, live.kept), True):
            return await self.open()  # one of 10¹² is there already
        self._have(live)
        return code, secret

    async def room(self, code: str) -> Live | None:
        """Return a room, None if there is none; raise `StoreError` if that cannot be told now."""
        lock = self._entering.setdefault(code, asyncio.Lock())
        try:
            async with lock:
                if code in self.rooms:
                    return self.rooms[code]
                kept = await self.keeper.ask(lambda store: store.find(code))
                if kept is None:
                    return None
                live = Live(code, kept, lambda: self.keeper.trouble)
                await self._read(live)
                return self._have(live)
        finally:
            if not lock.locked():
                self._entering.pop(code, None)

    def _have(self, live: Live) -> Live:
        self.rooms[live.code] = live
        if not self._pulsing:
            self._pulsing = True
            self.keeper.begin(self._pulse())
        return live

    async def _read(self, live: Live) -> None:
        """Take in who is in a room, and what they answered."""
        code, since = live.code, time.time() - 3 * PULSE

        def read(store: Store) -> tuple[Any, Any, list[str]]:
            return store.members(code), store.answers(code), store.elsewhere(code, self.name, since)

        members, answers, others = await self.keeper.ask(read)
        live.merge(members, answers)
        live.elsewhere = read_presence(others)

    async def refresh(self, live: Live) -> None:
        """Take in what other processes have heard in a room."""
        with suppress(StoreError):
            await self._read(live)

    async def _pulse(self) -> None:
        """Look after the rooms for as long as there are any."""
        while self.rooms:
            await asyncio.sleep(PULSE)
            for live in list(self.rooms.values()):
                with suppress(StoreError):
                    await self._look_after(live)
        self._pulsing = False

    async def _look_after(self, live: Live) -> None:
        if not live.listeners and not live.behind and time.monotonic() - live.left > LINGER:
            del self.rooms[live.code]
            return
        here, now = presence(live.here()), time.time()
        await self.keeper.ask(lambda store: store.present(live.code, self.name, here, now))
        kept = await self.keeper.ask(lambda store: store.find(live.code))
        if kept is not None:
            return
        if live.core.ended:  # and deleted, as it has to be
            del self.rooms[live.code]
            for one in live.listeners:
                await _close(one.socket, NONE)
        else:
            await self.keeper.restore(live)

    # ---- a browser ---------------------------------------------------------------------------------------------------

    async def listen(self, socket: WebSocket, live: Live) -> None:
        """Serve one browser, whose connection has been accepted, until it leaves."""
        try:
            hello = await self._first(socket)
        except NotSaidError:
            await _close(socket, REFUSED)
            return
        if hello is None:
            return
        instructor = bool(hello.secret)
        if instructor and not codes.opens(hello.secret, live.kept.seal):
            await _close(socket, REFUSED)
            return
        if len(live.listeners) >= MOST and not instructor:
            await _close(socket, FULL)
            return
        listener = Listener(socket, hello.member, instructor=instructor)
        live.listeners.add(listener)
        try:
            if not instructor and not await self._let_in(live, listener, hello):
                await _close(socket, FULL)
                return
            await self._serve(live, listener, hello)
        finally:
            live.listeners.discard(listener)
            live.left = time.monotonic()
            live.stir(CALM)

    async def _first(self, socket: WebSocket) -> Hello | None:
        """Return what a browser says first; None if it says nothing."""
        try:
            name, hello = messages.read(await asyncio.wait_for(_heard(socket), FIRST))
        except (WebSocketDisconnect, RuntimeError):
            return None
        except TimeoutError:
            raise NotSaidError("A browser first says hello.") from None
        if name != "hello":
            raise NotSaidError("A browser first says hello.")
        assert isinstance(hello, Hello)
        return hello

    async def _let_in(self, live: Live, who: Listener, hello: Hello) -> bool:
        return await self._name(live, who, None if hello.name is None else messages.clean_name(hello.name))

    async def _name(self, live: Live, who: Listener, name: str | None) -> bool:
        """Keep a member with a name; return whether there is room for her."""
        known = live.members.get(who.member)
        local: int | None = known.index if known else len(live.members)
        index = await self.keeper.attempt(live, lambda store: store.join(live.code, who.member, name), local)
        if index is None:
            return False
        live.name(who.member, index, name)
        return True

    async def _serve(self, live: Live, who: Listener, hello: Hello) -> None:
        writing = asyncio.create_task(who.write())
        try:
            if who.instructor:
                who.notice, self.keeper.store.trouble = self.keeper.store.trouble, ""
            else:
                live.you(who)
            if hello.after != live.kept.number:
                who.tell("state", live.state_text())
            live.stir(CALM)
            while True:
                text = await _heard(who.socket)
                if len(text) > LONGEST * (1 + 3 * who.instructor) or not who.rate.allows(""):
                    await _close(who.socket, REFUSED)
                    return
                try:
                    name, said = messages.read(text, instructor=who.instructor)
                    await self._do(live, who, name, said)
                except NotSaidError as why:
                    who.tell("sorry", as_text(sorry=str(why)))
        except (WebSocketDisconnect, RuntimeError):
            return
        finally:
            writing.cancel()

    # ---- what it says ------------------------------------------------------------------------------------------------

    async def _do(self, live: Live, who: Listener, name: str, said: Any) -> None:
        if who.instructor:
            await self._drive(live, name, said)
            return
        match name:
            case "name":
                await self._name(live, who, messages.clean_name(said))
                live.you(who)
                live.stir(CALM)
            case "follows":
                who.follows = said
                live.you(who)
                live.stir(CALM)
            case "answer":
                await self._answer(live, who, said)
            case "found":
                self._seek(live, who, said)
            case _:
                raise NotSaidError("That has been said.")

    async def _answer(self, live: Live, who: Listener, said: Given) -> None:
        asked = live.core.round_of(said.round)
        found = questions.question(asked.lesson, asked.step) if asked else None
        if asked is None or found is None:
            raise NotSaidError("There is no such question here.")
        keys = questions.as_answer(found[1], said.keys)
        if keys is None:
            raise NotSaidError("The question cannot have this answer.")
        counts = await self._count(live, Answer(asked.id, who.member, keys, time.time()))
        live.you(who, asked.id, late=not counts)

    async def _count(self, live: Live, given: Answer) -> bool:
        """Count an answer, if its round is open."""
        still = live.core.is_open(given.round)
        counts = await self.keeper.attempt(live, lambda store: store.answer(live.code, given), still)
        if counts:
            live.count(given)
            live.stir(CALM)
        return counts

    def _seek(self, live: Live, who: Listener, said: Found) -> None:
        """Have it computed what a learner's own run found, now that she has seen it."""
        hands = live.core.hands_of(said.hands)
        if hands is None or said.t < hands.t:
            raise NotSaidError("Your run is not so far yet." if hands else "There is no such round here.")
        if who.member not in live.given.get(hands.id, {}) and hands.open:
            self.finder.seek(live, hands, who.member, live.members[who.member].index)

    async def _found(self, live: Live, hands: HandsRound, member: str, value: str) -> None:
        if await self._count(live, Answer(hands.id, member, (value,), time.time())):
            for who in live.listeners:
                if who.member == member and not who.instructor:
                    live.you(who)

    async def _drive(self, live: Live, name: str, said: Any) -> None:
        alter: dict[str, Callable[[Core], Core]] = {
            "show": lambda core: core.showing(said),
            "ask": lambda core: core.asking(said),
            "close": lambda core: core.closing(),
            "pause": lambda core: core.pausing(said),
            "before": lambda core: core.comparing(said),
            "end": lambda core: core.ending(),
            "stop_hands": lambda core: core.stopping(),
        }
        if name == "hands":
            hands = await anyio.to_thread.run_sync(hands_round, live.core.show, said)
            alter["hands"] = lambda core: core.handing(hands)
        if name not in alter:
            raise NotSaidError("Learners say that, and you drive this room.")
        await self.change(live, alter[name])

    async def change(self, live: Live, alter: Callable[[Core], Core]) -> None:
        """Change a room's state, here and in the store, whoever else does so at the same time."""
        async with live.lock:
            while True:
                new = alter(live.core).as_kept(live.kept.seal, live.kept.number + 1)
                if await self.keeper.attempt(live, lambda store, new=new: store.change(live.code, new), True):  # type: ignore[misc]
                    break
                latest: Kept | None = await self.keeper.attempt(live, lambda store: store.find(live.code), None)
                if latest is None or latest.number < new.number - 1:  # the store has lost it
                    live.behind = True
                    break
                live.take(latest)
            closed = {*live.kept.open} - {*new.open}
            live.take(new)
            if closed:  # another process, or another thread, may have counted answers that are not known here yet
                live.merge({}, await self.keeper.attempt(live, lambda store: store.answers(live.code), {}))
            live.stir()


async def _heard(socket: WebSocket) -> str:
    """Return the next message; raise `WebSocketDisconnect` if the browser has gone, or sends anything but text."""
    message = await socket.receive()
    if message["type"] != "websocket.receive" or message.get("text") is None:
        raise WebSocketDisconnect
    text: str = message["text"]
    return text


async def _close(socket: WebSocket, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)
