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
from pages.classroom.hands import MOST_RUNS, Finder, HandsRound, hands_round
from pages.classroom.live import CALM, Listener, Live, as_text
from pages.classroom.messages import LONGEST, Found, Given, Hello, NotSaidError
from pages.classroom.room import Core
from pages.classroom.rooms import NONE, Rooms
from pages.classroom.store import MOST_MEMBERS, Answer
from pages.player.turns import TURNS

MOST, TABS = 500, 5  # learners in a room, and connections of each
FIRST = 10.0  # seconds until a browser has to say who it is
REFUSED, FULL = 1008, 1013  # codes of closing: not allowed, come back later
REMOVED, LOCKED = 4403, 4423  # removed by the instructor; the room is locked


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
        link = await self._link(live, hello) if hello.secret else 0
        if link is None:
            await _close(socket, REFUSED)
            return
        page, leads = hello.session if _has_page(live, hello) else "", bool(hello.secret) and not hello.screen
        screen = bool(hello.secret) and hello.screen
        listener = Listener(socket, hello.member, leads=leads, screen=screen, link=link, page=page)
        if listener.learns and (refused := self._refused(live, listener)):
            await _close(socket, refused)
            return
        live.listeners.add(listener)
        try:
            if listener.learns and not await self._let_in(live, listener, hello):
                await _close(socket, FULL)
                return
            await self._serve(live, listener, hello)
        finally:
            live.listeners.discard(listener)
            live.left = time.monotonic()
            self.rooms.moved(live)

    async def _link(self, live: Live, hello: Hello) -> int | None:
        """Return by which link a browser comes that has a secret, 0 if by that of the room; None if it is a wrong one.

        A link is for the first browser that comes by it: whoever sees its QR code later has no use for it.
        """
        if codes.opens(hello.secret, live.kept.seal):
            return 0
        link = next((one for one in live.core.links if codes.opens(hello.secret, one.seal)), None)
        if link is None or link.member not in ("", hello.member):
            return None
        if not link.member:
            await self.rooms.change(live, lambda core: core.bound(link.id, hello.member))
        return link.id if any((one.id, one.member) == (link.id, hello.member) for one in live.core.links) else None

    def _refused(self, live: Live, who: Listener) -> int:
        """Return the code of closing for a learner who is not let in; 0 for one who is."""
        known = live.members.get(who.member)
        if known and known.index in live.core.removed:
            return REMOVED
        if not known and live.core.locked:
            return LOCKED
        return 0 if self._makes_room(live, who) else FULL

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
            who.tell("clock", as_text(clock=round(time.time(), 3)))
            if who.leads:
                self.rooms.notify(live)
            elif who.learns:
                live.you(who)
            if hello.after != live.kept.number:
                who.tell("state", live.state_text())
            self.rooms.moved(live)
            while True:
                text = await _heard(who.socket)
                if len(text) > LONGEST * (1 + 3 * who.leads):
                    await _close(who.socket, REFUSED)
                    return
                try:
                    name, said = messages.read(text, instructor=who.leads)
                    await self._do(live, who, name, said)
                except NotSaidError as why:
                    who.tell("sorry", as_text(sorry=str(why)))
        except (WebSocketDisconnect, RuntimeError):
            return
        finally:
            writing.cancel()

    # ---- what it says ------------------------------------------------------------------------------------------------

    async def _do(self, live: Live, who: Listener, name: str, said: Any) -> None:
        if who.screen:
            raise NotSaidError("A projector says nothing.")
        if who.leads:
            await self._drive(live, who, name, said)
            return
        match name:
            case "name":
                await self.rooms.name(live, who.member, messages.clean_name(said))
                live.you(who)
                live.stir(CALM)
            case "follows":
                who.is_here = who.is_here._replace(follows=said)
                live.you(who)
                self.rooms.moved(live)
            case "lost":
                who.is_here = who.is_here._replace(lost=said)
                self.rooms.moved(live)
            case "answer":
                await self._answer(live, who, said)
            case "found":
                self._seek(live, who, said)
            case "forget":
                await self._forget(live, who.member, NONE)
            case _:
                raise NotSaidError("That has been said.")

    async def _forget(self, live: Live, member: str, code: int) -> None:
        """Close a learner's connections, and delete her name and answers."""
        for one in [one for one in live.listeners if one.member == member and one.learns]:
            live.listeners.discard(one)
            one.send_away(code)
        await self.rooms.forget(live, member)

    async def _answer(self, live: Live, who: Listener, said: Given) -> None:
        asked = live.core.round_of(said.round)
        if asked is None or (asked.made is None and questions.question(asked.lesson, asked.step) is None):
            raise NotSaidError("There is no such question here.")
        keys = asked.as_answer(said.keys)
        if keys is None:
            raise NotSaidError("The question cannot have this answer.")
        counts = await self.rooms.count(live, Answer(asked.id, who.member, keys, time.time()))
        live.you(who, asked.id, late=not counts)

    def _seek(self, live: Live, who: Listener, said: Found) -> None:
        """Have it computed what a learner's own run found, now that she has seen it."""
        hands = live.core.hands_of(said.hands)
        if hands is None or said.t < hands.t:
            raise NotSaidError("Your run is not so far yet." if hands else "There is no such round here.")
        if said.run == min(_many(live, hands, who.member), MOST_RUNS - 1) and hands.open:
            self._finder.seek(live, hands, who.member, live.members[who.member].index, said.run)

    async def _found(self, live: Live, hands: HandsRound, member: str, run: int, value: str) -> None:
        if run != _many(live, hands, member):  # it is there already
            return
        before = live.given.get(hands.id, {}).get(member)
        keys = (*(before.keys if before else ()), value)
        if await self.rooms.count(live, Answer(hands.id, member, keys, time.time())):
            for who in live.listeners:
                if who.member == member and who.learns:
                    live.you(who)

    async def _drive(self, live: Live, who: Listener, name: str, said: Any) -> None:
        alter: dict[str, Callable[[Core], Core]] = {
            "show": lambda core: core.showing(said),
            "ask": lambda core: core.asking(said),
            "make": lambda core: core.making(said),
            "again": lambda core: core.asking_again(said),
            "timer": lambda core: core.timing(said, time.time()),
            "close": lambda core: core.closing(),
            "tally": lambda core: core.telling(said),
            "reveal": lambda core: core.revealing(),
            "unmask": lambda core: core.unmasking(said),
            "away": lambda core: core.put_away(),
            "recall": lambda core: core.recalling(said),
            "before": lambda core: core.comparing(said),
            "pause": lambda core: core.pausing(said),
            "stop_hands": lambda core: core.stopping(),
            "lock": lambda core: core.locking(said),
            "remove": lambda core: core.removing(said),
            "revoke": lambda core: core.revoking(said),
            "end": lambda core: core.ending(),
        }
        if name == "table":
            who.tell("table", as_text(table=live.table()))
            return
        if name == "hands":
            hands = await anyio.to_thread.run_sync(hands_round, live.core.show, said)
            alter["hands"] = lambda core: core.handing(hands)
        if name not in alter:
            raise NotSaidError("Learners say that, and you drive this room.")
        await self.rooms.change(live, alter[name])
        if name == "remove":
            for member in [member for member, known in live.members.items() if known.index == said]:
                await self._forget(live, member, REMOVED)
        if name == "revoke":
            self._close_links(live)

    def _close_links(self, live: Live) -> None:
        """Close the connections of browsers whose link has been revoked."""
        known = {0, *(one.id for one in live.core.links)}
        for one in live.listeners:
            if one.link not in known:
                one.send_away(REMOVED)


def _many(live: Live, hands: HandsRound, member: str) -> int:
    """Return how many runs of a learner's have been counted."""
    given = live.given.get(hands.id, {}).get(member)
    return len(given.keys) if given else 0


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
