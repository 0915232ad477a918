"""The one door for all requests: one table has the limits for each address, and for all together.

A whole class may sit behind one address, so the limits of an address are generous. Addresses take turns at what is
scarce (`pages.http.lanes`): drawing pages, and computing. The server asks anything above a limit to try again in some
seconds, with status 429 or 503, or by closing a WebSocket with 1013. Too many requests never make something seem not to
exist.
"""

import asyncio
import logging
from collections import Counter
from typing import Any, NamedTuple

from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.http.clients import address_of, refusal, shortened
from pages.http.lanes import BusyError, Lane
from pages.http.paths import as_meant, base_path, room_path
from pages.http.rate import Rate
from pages.server.connections import watch
from pages.server.signed import vouched
from pages.server.start import foresee
from pages.server.uploads import Uploads


class Pace(NamedTuple):
    """A rate: a number of times a second, and a burst at once."""

    each: float
    burst: float


PACES = {  # per address, behind which a whole class may reconnect at once
    "requests": Pace(2_000, 4_000),
    "sockets": Pace(200, 1_000),  # faster ones wait, and are asked to come back if the wait is long
    "rooms": Pace(1, 20),  # opened
    "wrong codes": Pace(0.2, 20),  # answered as wrong
    "messages": Pace(20, 60),  # of one socket; faster ones wait
}
PATIENCE = 10.0  # seconds that a socket may wait for its turn
SOCKETS, SOCKETS_OF_ALL = 2_000, 10_000  # open at a time, per address and in all
DRAWN, DRAWN_EACH = 3, 2  # pages whose scripts run at the same time, in all and per address
LASTING = 5.0  # seconds after which a script that still runs no longer counts
BODY = 65_536  # bytes of a request's body, except for files
LATER, NONE = 1013, 4404  # codes of closing: try again; there is no such room
PRIVATE = ("/_stcore/metrics", "/_stcore/agent")  # for this machine only
HERE = ("127.0.0.1", "::1")
LOG = logging.getLogger("samplescope")
SMALL = 200  # the most bytes of the message that a script has finished


class Door:
    """ASGI middleware that all requests pass, including those for Streamlit's own routes."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.drawing = Lane(DRAWN, DRAWN_EACH)
        self.uploads = Uploads()
        self._rates = {name: Rate(*pace) for name, pace in PACES.items()}
        self._open: Counter[str] = Counter()  # sockets, by address
        self._told = Rate(1 / 60, 1)  # lines of the log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or ask the client to try again."""
        match scope["type"]:
            case "http":
                await self._request(scope, receive, send)
            case "websocket":
                await self._socket(scope, receive, send)
            case _:  # the start and the end of the server
                watch(receive)
                await self.app(scope, receive, send)

    # ---- requests ----------------------------------------------------------------------------------------------------

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        address, path = address_of(scope), scope["path"].removeprefix(base_path())
        wait = self._wait("requests", address)
        if not wait and scope["method"] == "POST" and scope["path"] == room_path():
            wait = self._wait("rooms", address)
        if wait:
            await refusal(429, wait)(scope, receive, send)
        elif "?" in path and scope["method"] in ("GET", "HEAD"):
            there = as_meant(scope["path"], scope["query_string"].decode("latin-1"))
            await RedirectResponse(there)(scope, receive, send)
        elif path.startswith(PRIVATE) and address not in HERE:
            await PlainTextResponse("There is nothing here.", 404)(scope, receive, send)
        elif Uploads.path in path and scope["method"] in ("PUT", "POST"):
            await self.uploads.take(self.app, vouched(scope), receive, send)
        elif Uploads.path in path and scope["method"] == "DELETE":
            await self._with_small_body(vouched(scope), receive, send)
        else:
            foresee(path)
            await self._with_small_body(scope, receive, send)

    async def _with_small_body(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with a short body, as all have except those with files."""
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if not length.isdigit() or int(length) > BODY:
            await PlainTextResponse("That is larger than anything this server accepts.", 413)(scope, receive, send)
            return
        came = 0

        async def heard() -> Message:
            nonlocal came
            message = await receive()
            came += len(message.get("body", b""))
            return message if came <= BODY else {"type": "http.disconnect"}

        await self.app(scope, heard, send)

    # ---- sockets -----------------------------------------------------------------------------------------------------

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address = address_of(scope)
        if self._open[address] >= SOCKETS or self._open.total() >= SOCKETS_OF_ALL:
            wait = None
        else:
            wait = self._rates["sockets"].reserve(address, PATIENCE)
        if wait is None:
            self._log("too many sockets", address)
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": LATER, "reason": "Try again in 5 seconds."})
            return
        kind = Page if scope["path"].endswith("/_stcore/stream") else Socket
        line = kind(self, address, receive, send)
        self._open[address] += 1
        try:
            if wait:
                await asyncio.sleep(wait)
            await self.app(scope, line.heard, line.told)
        finally:
            line.gone()
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    def closes(self, address: str, code: int) -> int:
        """Return the code to close a socket with: an address with many wrong room codes is asked to try again."""
        return LATER if code == NONE and self._wait("wrong codes", address) else code

    def _wait(self, what: str, address: str) -> float:
        rate = self._rates[what]
        if rate.allows(address):
            return 0.0
        self._log(f"too many {what}", address)
        return rate.wait(address)

    def _log(self, what: str, address: str) -> None:
        """Log that an address was asked to try again, at most once a minute for each kind and address."""
        if self._told.allows(f"{what} {address}"):
            LOG.warning("%s from %s: asked to try again", what, shortened(address))


class Socket:
    """A WebSocket of an address, past the door, whose messages are received at a limited rate."""

    def __init__(self, door: Door, address: str, receive: Receive, send: Send) -> None:
        self.door, self.address, self._receive, self._send = door, address, receive, send
        self._rate = Rate(*PACES["messages"])

    async def heard(self) -> Message:
        """Return the next message, when the rate allows it."""
        message = await self._receive()
        if message["type"] == "websocket.receive" and not self._rate.allows(""):
            await asyncio.sleep(self._rate.wait(""))
        return message

    async def told(self, message: Message) -> None:
        """Send a message."""
        if message["type"] == "websocket.close":
            message = {**message, "code": self.door.closes(self.address, message.get("code", 1000))}
        await self._send(message)

    def gone(self) -> None:
        """Clean up after the socket has closed."""


class Page(Socket):
    """The WebSocket of a page, whose script runs in turn: a message that runs the script waits for the turn.

    A learner who presses something on an open page does not wait for all pages that are drawn for the first time.
    """

    def __init__(self, door: Door, address: str, receive: Receive, send: Send) -> None:
        super().__init__(door, address, receive, send)
        self._next: asyncio.Future[Message] | None = None  # a message that came during the wait for a turn
        self._name = ""  # in the queue for turns: unique, once the page has been drawn
        self._more = False  # whether the script must run again after this run
        self._until: asyncio.TimerHandle | None = None

    async def heard(self) -> Message:
        """Return the next message; one that runs the script waits for its turn."""
        if self._next is None:
            message = await super().heard()
        else:
            message, self._next = await self._next, None
        if message["type"] == "websocket.receive" and _runs(message.get("bytes") or b""):
            if self._until:
                self._more = True  # one more run serves all such messages
            elif not await self._turn():
                return {"type": "websocket.disconnect", "code": 1001}
        return message

    async def _turn(self) -> bool:
        """Wait for the turn; return whether the page is still there."""
        turn: asyncio.Future[Any] = asyncio.ensure_future(self.door.drawing.enter(self.address, self._name))
        try:
            if not turn.done():
                self._next = self._next or asyncio.ensure_future(super().heard())
                await asyncio.wait([turn, self._next], return_when=asyncio.FIRST_COMPLETED)
                if not turn.done() and self._next.result()["type"] == "websocket.disconnect":
                    turn.cancel()
                    return False
            await turn
        except asyncio.CancelledError:
            turn.cancel()
            raise
        except BusyError:
            await self.told({"type": "websocket.close", "code": LATER, "reason": "Try again in 5 seconds."})
            return False
        self._until = asyncio.get_running_loop().call_later(LASTING, self._leave)
        return True

    async def told(self, message: Message) -> None:
        """Send a message; the message that the script has finished ends the turn."""
        await super().told(message)
        if self._until and _is_through(message.get("bytes") or b""):
            if self._more:
                self._more = False
            else:
                self._name = str(id(self))
                self._leave()

    def _leave(self) -> None:
        if self._until:
            self._until.cancel()
            self._until, self._more = None, False
            self.door.drawing.leave(self.address)

    def gone(self) -> None:
        """Give up the turn."""
        self._leave()
        if self._next:
            self._next.cancel()


def _runs(said: bytes) -> bool:
    """Return whether a message from a page runs its script."""
    try:
        return bool(BackMsg.FromString(said).WhichOneof("type") == "rerun_script")
    except Exception:  # not a valid message, which Streamlit reports
        return False


def _is_through(told: bytes) -> bool:
    """Return whether a message to a page says that its script has run."""
    return 0 < len(told) <= SMALL and bool(ForwardMsg.FromString(told).WhichOneof("type") == "script_finished")
