"""Connections before anything has come that the app could see: half a request, half a message, too many of them.

uvicorn waits for the rest as long as it takes, and Streamlit chooses uvicorn's settings. So the classes that serve its
connections are replaced by ones that count: those that have asked for nothing give way when descriptors are short.
"""

from __future__ import annotations

import asyncio
import gc
import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import uvicorn

HEADERS = 10.0  # seconds until a request's headers are there
MESSAGE = 30.0  # seconds until a message of a socket is whole
LARGEST = 4_000_000  # bytes of a message
UNFINISHED = 32_000_000  # bytes of all messages that are not whole
SMALL = 65_536  # bytes of one that may always come
SPARE = 256  # descriptors for files and all else
WANTED = 65_536  # descriptors, if the system gives them
AT_ONCE, QUEUE = 32, 2_048  # connections that are taken in one go, and that the system keeps for us
LATER, TOO_LARGE = 1013, 1009  # codes of closing


class Connections:
    """All connections of this process, by the address at their other end, which may be a proxy's."""

    def __init__(self) -> None:
        self._asking: dict[Any, str] = {}  # transports that have asked for nothing yet, the oldest first
        self._known: dict[Any, str] = {}  # all
        self._of: Counter[str] = Counter()
        self.unfinished = 0  # bytes of messages

    def __len__(self) -> int:
        return len(self._known)

    def came(self, transport: Any) -> None:
        """Take in a connection; if there is no descriptor left for it, one of those who have most of them goes."""
        if transport not in self._known:
            host = str((transport.get_extra_info("peername") or ("",))[0])
            self._known[transport] = self._asking[transport] = host
            self._of[host] += 1
        if len(self._known) > most_connections():
            self._send_away()

    def asked(self, transport: Any) -> None:
        """Take note that a connection has asked for something."""
        self._asking.pop(transport, None)

    def gone(self, transport: Any) -> None:
        """Take note that a connection is closed."""
        self._asking.pop(transport, None)
        host = self._known.pop(transport, None)
        if host is not None:
            self._of[host] -= 1
            if not self._of[host]:
                del self._of[host]

    def _send_away(self) -> None:
        (host, _), *_ = self._of.most_common(1)
        mute = next((one for one, at in self._asking.items() if at == host), None)
        last = next(one for one in reversed(self._known) if self._known[one] == host)
        transport = mute or last
        self.gone(transport)
        transport.abort()


CONNECTIONS = Connections()


def most_connections() -> int:
    """Return how many connections there may be, by the descriptors that the process may have."""
    return _descriptors() - SPARE


def _descriptors() -> int:
    if sys.platform == "win32":
        return WANTED
    import resource

    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], WANTED)


class _Served(asyncio.Protocol):
    """A connection as one of uvicorn's classes serves it, which come behind this one."""

    transport: Any
    conn: Any
    _late: asyncio.TimerHandle | None = None

    def connection_lost(self, error: Exception | None) -> None:
        self._no_more()
        CONNECTIONS.gone(self.transport)
        super().connection_lost(error)

    def _wait(self, seconds: float, do: Callable[[], object]) -> None:
        self._late = self._late or asyncio.get_running_loop().call_later(seconds, do)

    def _no_more(self) -> None:
        if self._late:
            self._late.cancel()
            self._late = None


class _Asking(_Served):
    """A connection of HTTP that has to ask in time."""

    scope: Any
    cycle: Any

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        CONNECTIONS.came(transport)
        self._wait(HEADERS, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.scope is not None:
            CONNECTIONS.asked(self.transport)
        answering = self.cycle is not None and not self.cycle.response_complete
        if answering or self.transport.get_protocol() is not self:  # it has become a WebSocket
            self._no_more()
        else:
            self._wait(HEADERS, self.transport.abort)


class _Speaking(_Served):
    """A WebSocket whose messages have to be short, and whole in time."""

    close_sent: bool
    _held = _framed = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._hold(self._framed + len(self.conn.reader.buffer))
        if self._held > LARGEST:
            self._fail(TOO_LARGE)
        elif self._held > SMALL and CONNECTIONS.unfinished > UNFINISHED:
            self._fail(LATER)
        elif self._held:
            self._wait(MESSAGE, partial(self._fail, LATER))
        else:
            self._no_more()

    def handle_cont(self, event: Any) -> None:
        self._framed += len(event.data)
        super().handle_cont(event)  # type: ignore[misc]

    def handle_text(self, event: Any) -> None:
        self._framed = len(event.data)
        super().handle_text(event)  # type: ignore[misc]

    def handle_bytes(self, event: Any) -> None:
        self._framed = len(event.data)
        super().handle_bytes(event)  # type: ignore[misc]

    def send_receive_event_to_app(self) -> None:
        self._framed = 0
        self._no_more()
        super().send_receive_event_to_app()  # type: ignore[misc]

    def connection_lost(self, error: Exception | None) -> None:
        self._hold(0)
        super().connection_lost(error)

    def _hold(self, size: int) -> None:
        CONNECTIONS.unfinished += size - self._held
        self._held = size

    def _fail(self, code: int) -> None:
        self.conn.fail(code, "Try again in 5 seconds." if code == LATER else "")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()


def watch() -> None:
    """Have the server that is about to start count its connections, and have descriptors for many of them."""
    raise_descriptors()
    for config in (one for one in gc.get_objects() if type(one) is uvicorn.Config):
        config.http_protocol_class = watched(config.http_protocol_class, _Asking)
        config.ws_protocol_class = watched(config.ws_protocol_class, _Speaking)
        config.backlog = AT_ONCE  # so that those that are too many are noticed before descriptors are short


def watched(served: Any, watcher: type) -> Any:
    """Return a class of uvicorn's that watches as well."""
    return served if issubclass(served, watcher) else type(watcher.__name__, (watcher, served), {})


def queue_up(listening: socket.socket) -> None:
    """Have the system keep connections for us until they are taken, if this is a socket that listens."""
    with suppress(OSError):
        if listening.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            listening.listen(QUEUE)


def raise_descriptors() -> None:
    """Have as many descriptors as the system gives, up to those WANTED; most give 1,024 at first."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
