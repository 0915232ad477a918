"""The conversation with the browsers in a room: who they are, and what becomes of each thing that they say."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.classroom import codes, messages, questions
from pages.classroom.hands import Finder, HandsRound, hands_round
from pages.classroom.live import CALM, Listener, Live, as_text
from pages.classroom.messages import LONGEST, Found, Given, Hello, NotSaidError
from pages.classroom.room import Core
from pages.classroom.rooms import NONE, Rooms
from pages.classroom.store import MOST_MEMBERS, Answer
from pages.player.turns import TURNS

MOST, TABS = 500, 5  # learners in a room, and connections of each
FIRST = 10.0  # seconds until a browser has to say who it is
REFUSED, FULL = 1008, 1013  # codes of closing: not allowed, come back later


class Hub:
    """Serves the browsers that are in rooms.

    Parameters
    ----------
    rooms : Rooms
        Those of this process.
    """

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._finder = Finder(self._found)

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
        page = hello.session if _has_page(live, hello) else ""
        listener = Listener(socket, hello.member, instructor=instructor, page=page)
        if not instructor and not self._makes_room(live, listener):
            await _close(socket, FULL)
            return
        live.listeners.add(listener)
        try:
            if not instructor and not await self._let_in(live, listener, hello):
                await _close(socket, FULL)
                return
            await self._serve(live, listener, hello)
        finally:
            live.listeners.discard(listener)
            live.left = time.monotonic()
            self.rooms.moved(live)

    def _makes_room(self, live: Live, who: Listener) -> bool:
        """Return whether there is room for a learner, who may take the place of one that a script has made up."""
        if not who.page and who.member not in live.members and len(live.members) >= MOST_MEMBERS // 2:
            return False
        if live.has_room(who.member, MOST, TABS):
            return True
        other = None if live.tabs(who.member) else live.gives_way(who.address, page=bool(who.page))
        if other:
            live.listeners.discard(other)
            other.send_away(FULL)
        return other is not None

    async def _first(self, socket: WebSocket) -> Hello | None:
        """Return a browser's first message; None if it says nothing."""
        try:
            text = await asyncio.wait_for(_heard(socket), FIRST)
        except (WebSocketDisconnect, RuntimeError):
            return None
        except TimeoutError:
            raise NotSaidError("A browser first says hello.") from None
        name, hello = messages.read(text[: LONGEST + 1])
        if name != "hello":
            raise NotSaidError("A browser first says hello.")
        assert isinstance(hello, Hello)
        return hello

    async def _let_in(self, live: Live, who: Listener, hello: Hello) -> bool:
        return await self.rooms.name(live, who.member, None if hello.name is None else messages.clean_name(hello.name))

    async def _serve(self, live: Live, who: Listener, hello: Hello) -> None:
        writing = asyncio.create_task(who.write())
        try:
            if who.instructor:
                self.rooms.notify(live)
            else:
                live.you(who)
            if hello.after != live.kept.number:
                who.tell("state", live.state_text())
            self.rooms.moved(live)
            while True:
                text = await _heard(who.socket)
                if len(text) > LONGEST * (1 + 3 * who.instructor):
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
                await self.rooms.name(live, who.member, messages.clean_name(said))
                live.you(who)
                live.stir(CALM)
            case "follows":
                who.follows = said
                live.you(who)
                self.rooms.moved(live)
            case "answer":
                await self._answer(live, who, said)
            case "found":
                self._seek(live, who, said)
            case "forget":
                for one in [one for one in live.listeners if one.member == who.member and not one.instructor]:
                    live.listeners.discard(one)
                    one.send_away(NONE)
                await self.rooms.forget(live, who.member)
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
        counts = await self.rooms.count(live, Answer(asked.id, who.member, keys, time.time()))
        live.you(who, asked.id, late=not counts)

    def _seek(self, live: Live, who: Listener, said: Found) -> None:
        """Have it computed what a learner's own run found, now that she has seen it."""
        hands = live.core.hands_of(said.hands)
        if hands is None or said.t < hands.t:
            raise NotSaidError("Your run is not so far yet." if hands else "There is no such round here.")
        if who.member not in live.given.get(hands.id, {}) and hands.open:
            self._finder.seek(live, hands, who.member, live.members[who.member].index)

    async def _found(self, live: Live, hands: HandsRound, member: str, value: str) -> None:
        if await self.rooms.count(live, Answer(hands.id, member, (value,), time.time())):
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
        await self.rooms.change(live, alter[name])


def _has_page(live: Live, hello: Hello) -> bool:
    """Return whether a page is open in the browser that comes in, and not one that others came with."""
    others = {one.member for one in live.listeners if one.page == hello.session}
    return TURNS.knows(hello.session) and others <= {hello.member}


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
