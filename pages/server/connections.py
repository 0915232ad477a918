"""Limits on connections before the app sees anything: half a request, half a message, too many connections.

uvicorn waits for the rest without a limit, and Streamlit chooses uvicorn's settings. So this module replaces uvicorn's
connection classes with classes that count. When descriptors run short, connections without a request are closed first.
How long a message may be is an option of Streamlit's, in ``.streamlit/config.toml``.
"""

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from starlette.types import Receive

HEADERS = 10.0  # seconds for a request's headers to arrive
MESSAGE = 30.0  # seconds for a WebSocket's message to be complete
UNFINISHED = 16_000_000  # bytes of all incomplete messages; what holds them takes several times as much
SMALL = 65_536  # bytes of a message that is always accepted
SPARE = 256  # descriptors for files and everything else
WANTED = 65_536  # descriptors, if the system allows as many
LATER = 1013  # the code of closing


class Connections:
    """All connections of this process, by the address of the client, which may be a proxy."""

    def __init__(self) -> None:
        self._asking: dict[Any, str] = {}  # transports without a request yet, the oldest first
        self._known: dict[Any, str] = {}  # all
        self._of: Counter[str] = Counter()
        self.unfinished = 0  # bytes of messages

    def __len__(self) -> int:
        return len(self._known)

    def came(self, transport: Any) -> None:
        """Add a connection; if descriptors run short, close one of the address that has most."""
        if transport not in self._known:
            host = str((transport.get_extra_info("peername") or ("",))[0])
            self._known[transport] = self._asking[transport] = host
            self._of[host] += 1
        if len(self._known) > most_connections():
            self._send_away()

    def asked(self, transport: Any) -> None:
        """Note that a connection has made a request."""
        self._asking.pop(transport, None)

    def gone(self, transport: Any) -> None:
        """Note that a connection is closed."""
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
    """Return the largest number of connections for the descriptors of this process."""
    if sys.platform == "win32":
        return WANTED - SPARE
    import resource

    return min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], WANTED) - SPARE


class _Served(asyncio.Protocol):
    """A connection that one of uvicorn's classes serves; that class is the next base class."""

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
    """An HTTP connection that must send its request in time."""

    scope: Any
    cycle: Any

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        send_at_once(transport)
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
    """A WebSocket whose messages must be short, and complete in time."""

    close_sent: bool
    _held = _framed = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._hold(self._framed + len(self.conn.reader.buffer))
        if self._held > SMALL and CONNECTIONS.unfinished > UNFINISHED:
            self._fail()
        elif self._held:
            self._wait(MESSAGE, self._fail)
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

    def _fail(self) -> None:
        self.conn.fail(LATER, "Try again in 5 seconds.")
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.transport.close()


def watch(receive: Receive) -> None:
    """Make the server that is about to start count its connections, and raise its limit of descriptors.

    Parameters
    ----------
    receive : callable
        With which an app hears that it starts and ends. It is a method of uvicorn's, whose object has the settings.
    """
    raise_descriptors()
    config = getattr(getattr(receive, "__self__", None), "config", None)
    if config is not None:
        config.http_protocol_class = watched(config.http_protocol_class, _Asking)
        config.ws_protocol_class = watched(config.ws_protocol_class, _Speaking)


def watched(served: Any, watcher: type) -> Any:
    """Return a class of uvicorn's that counts as well."""
    return served if issubclass(served, watcher) else type(watcher.__name__, (watcher, served), {})


def raise_descriptors() -> None:
    """Raise the limit of descriptors as far as the system allows, up to WANTED; the usual limit is 1,024."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def send_at_once(transport: Any) -> None:
    """Make a connection send written data at once, which Python's own loop, on Windows, does not at Streamlit's socket.

    An answer is written in two parts. Without this option, the second part waits until the browser has acknowledged the
    first, which browsers delay by up to 40 ms.
    """
    with suppress(OSError):  # it has been closed
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
