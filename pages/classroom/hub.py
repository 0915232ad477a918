"""The conversation with the browsers in a room: who they are, and what each of their messages does."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.classroom import codes, messages
from pages.classroom.hands import MOST_RUNS, Finder, HandsRound, hands_round
from pages.classroom.listener import Listener, as_text
from pages.classroom.live import CALM, Live
from pages.classroom.messages import LONGEST, Acted, Found, Given, Hello, NotSaidError
from pages.classroom.relay import relay_shown
from pages.classroom.room import Core
from pages.classroom.rooms import NONE, Rooms
from pages.classroom.store import MOST_MEMBERS, Answer
from pages.player.turns import TURNS

MOST, TABS = 500, 5  # learners in a room, and connections of each
FIRST = 10.0  # seconds until a browser has to say who it is
REFUSED, FULL = 1008, 1013  # codes of closing: not allowed, come back later
REMOVED, LOCKED = 4403, 4423  # removed by the instructor; the room is locked


class Hub:
    """Serves the browsers in the rooms of this process."""

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self._finder = Finder(self._found)

    # ---- a browser ---------------------------------------------------------------------------------------------------

    async def listen(self, socket: WebSocket, live: Live) -> None:
        """Serve one browser, whose connection is accepted, until it leaves."""
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
            name = None if hello.name is None else messages.clean_name(hello.name)
            if listener.learns and not await self.rooms.name(live, hello.member, name):
                await _close(socket, FULL)
                return
            await self._serve(live, listener, hello)
        finally:
            live.listeners.discard(listener)
            live.left = time.monotonic()
            self.rooms.moved(live)

    async def _link(self, live: Live, hello: Hello) -> int | None:
        """Return the number of the link that a secret belongs to, 0 for the room's own secret, None for a wrong one.

        A link works for the first browser that uses it: a photo of its QR code is of no use afterwards.
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
        """Return the close code for a learner who may not join; 0 for one who may."""
        known = live.members.get(who.member)
        if known and known.index in live.core.removed:
            return REMOVED
        if not known and live.core.locked:
            return LOCKED
        return 0 if self._makes_room(live, who) else FULL

    def _makes_room(self, live: Live, who: Listener) -> bool:
        """Return whether there is room for a learner, who may take the place of one that a script made up."""
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
        """Return a browser's first message; None if it sends none."""
        try:
            text = await asyncio.wait_for(_heard(socket), FIRST)
        except (WebSocketDisconnect, RuntimeError):
            return None
        except TimeoutError:
            raise NotSaidError("The first message of a browser is hello.") from None
        name, hello = messages.read(text[: LONGEST + 1])
        if name != "hello":
            raise NotSaidError("The first message of a browser is hello.")
        assert isinstance(hello, Hello)
        return hello

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
            raise NotSaidError("A projector window sends nothing.")
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
            case "hand" | "act":
                await self._pass_on(live, who, said)
            case "forget":
                await self._forget(live, who.member, NONE)
            case _:
                raise NotSaidError("Hello is the first message, and comes once.")

    async def _forget(self, live: Live, member: str, code: int) -> None:
        """Close a learner's connections, and delete her name and answers."""
        for one in [one for one in live.listeners if one.member == member and one.learns]:
            live.listeners.discard(one)
            one.send_away(code)
        await self.rooms.forget(live, member)

    async def _answer(self, live: Live, who: Listener, said: Given) -> None:
        asked = live.core.round_of(said.round)
        if asked is None or not (asked.made or asked.found):
            raise NotSaidError("This class has no such question.")
        keys = asked.as_answer(said.keys)
        if keys is None:
            raise NotSaidError("This is not a possible answer to the question.")
        counts = await self.rooms.count(live, Answer(asked.id, who.member, keys, time.time()))
        for one in live.listeners:  # in each window of hers
            if one.member == who.member and one.learns:
                live.you(one, asked.id, late=not counts and one is who)

    async def _pass_on(self, live: Live, who: Listener, said: int | Acted) -> None:
        """Do a learner's step of a chain, if she has done one, and give her the next chain as soon as there is one."""
        index = live.members[who.member].index
        if not live.core.ended:
            who.waits = who.waits or time.monotonic()
            await self.rooms.deal(
                live, lambda core: core.acting(said, index, time.time()) if isinstance(said, Acted) else core
            )
        if isinstance(said, Acted):
            live.you(who)

    def _seek(self, live: Live, who: Listener, said: Found) -> None:
        """Have the outcome of a learner's run computed, now that her run has got there."""
        hands = live.core.hands_of(said.hands)
        if hands is None or said.t < hands.t:
            raise NotSaidError("Your run has not got there yet." if hands else "This class has no such round.")
        if said.run == min(_many(live, hands, who.member), MOST_RUNS - 1) and hands.open:
            self._finder.seek(live, hands, who.member, live.members[who.member].index, said.run)

    async def _found(self, live: Live, hands: HandsRound, member: str, run: int, value: str) -> None:
        if run != _many(live, hands, member):  # it is counted already
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
            "tally": lambda core: core.showing_answers(said),
            "reveal": lambda core: core.revealing(),
            "unmask": lambda core: core.unmasking(said),
            "away": lambda core: core.put_away(),
            "recall": lambda core: core.recalling(said),
            "before": lambda core: core.comparing(said),
            "pause": lambda core: core.pausing(said),
            "stop_hands": lambda core: core.stopping(),
            "stop_relay": lambda core: core.halting(),
            "fold_hands": lambda core: core.folding(said),
            "lock": lambda core: core.locking(said),
            "remove": lambda core: core.removing(said),
            "revoke": lambda core: core.revoking(said),
            "end": lambda core: core.ending(),
        }
        if name == "table":
            who.tell("table", as_text(table=live.table()))
            return
        if name == "result":
            who.tell("result", as_text(result=live.result(said)))
            return
        if name == "hands":
            hands = await anyio.to_thread.run_sync(hands_round, live.core.show, said)
            alter["hands"] = lambda core: core.handing(hands)
        if name == "relay":
            relay = await anyio.to_thread.run_sync(relay_shown, live.core.show, said, len(live.people()))
            alter["relay"] = lambda core: core.relaying(relay)
        if name not in alter:
            raise NotSaidError("Only learners can send that, and this browser leads the class.")
        await self.rooms.change(live, alter[name])
        if name == "remove":
            for member in [member for member, known in live.members.items() if known.index == said]:
                await self._forget(live, member, REMOVED)
        if name == "revoke":
            known = {0, *(one.id for one in live.core.links)}
            for one in live.listeners:
                if one.link not in known:
                    one.send_away(REMOVED)


def _many(live: Live, hands: HandsRound, member: str) -> int:
    """Return how many runs of a learner have been counted."""
    given = live.given.get(hands.id, {}).get(member)
    return len(given.keys) if given else 0


def _has_page(live: Live, hello: Hello) -> bool:
    """Return whether the browser that joins has a page open, and not one that another browser joined with."""
    others = {one.member for one in live.listeners if one.page == hello.session}
    return TURNS.knows(hello.session) and others <= {hello.member}


async def _heard(socket: WebSocket) -> str:
    """Return the next message; raise `WebSocketDisconnect` if the browser has left, or sends anything but text."""
    message = await socket.receive()
    if message["type"] != "websocket.receive" or message.get("text") is None:
        raise WebSocketDisconnect
    return message["text"]


async def _close(socket: WebSocket, code: int) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.close(code)
