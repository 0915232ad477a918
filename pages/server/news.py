"""News of the lessons: whoever has a page open hears when an instructor has saved, without asking.

One small message by a WebSocket says which lessons are served now: a token that changes when they do. The browser
compares it with that of its page, and has the page drawn again if it is another. So a message that comes twice, late or
after a restart does no harm, and a file that breaks is no news, since its last valid version stays.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.shell.lessons import latest
from pages.shell.page import BEAT
from pages.web.clients import ours

PATIENCE = 5  # seconds that a listener has to take a message
MOST = 5_000  # listeners; who comes later hears nothing by itself, as before
REFUSED, FULL, SILENT = 1008, 1013, 1003  # codes of closing
LOG = logging.getLogger("samplescope")


class News:
    """Sends all listeners the list of lessons.

    Parameters
    ----------
    look : callable, optional
        Reads the files that have changed and returns the token of what is served then; it may take a while.
    beat : float, optional
        Seconds between two looks at the folders, while anybody listens.
    """

    def __init__(self, look: Callable[[], str] = latest, beat: float = BEAT) -> None:
        self._look, self._beat = look, beat
        self._listeners: dict[WebSocket, str] = {}  # and what each was told last
        self._watch: asyncio.Task[None] | None = None

    async def listen(self, socket: WebSocket) -> None:
        """Serve one listener until it leaves."""
        if not ours(socket) or len(self._listeners) >= MOST:
            await socket.close(REFUSED if not ours(socket) else FULL)
            return
        await socket.accept()
        self._listeners[socket] = ""
        if self._watch is None:
            self._watch = asyncio.create_task(self._tell())
        try:
            await socket.receive_text()  # a page says nothing: this waits until it leaves
            await socket.close(SILENT)
        except (WebSocketDisconnect, KeyError, RuntimeError):  # it has gone, or sent bytes
            return
        finally:
            del self._listeners[socket]

    async def _tell(self) -> None:
        """Look as long as anybody listens, and send each what is new to it."""
        try:
            while self._listeners:
                try:
                    token = await anyio.to_thread.run_sync(self._look)
                except Exception as error:  # the next look may work, and nobody else would hear of this one
                    LOG.error("the lessons could not be read: %s", type(error).__name__)
                else:
                    behind = [socket for socket, told in self._listeners.items() if told != token]
                    self._listeners.update(dict.fromkeys(behind, token))
                    await asyncio.gather(*(_send(socket, token) for socket in behind))
                await asyncio.sleep(self._beat)
        finally:
            self._watch = None


async def _send(socket: WebSocket, text: str) -> None:
    """Send a message to a listener who may have gone or be stuck."""
    with suppress(WebSocketDisconnect, RuntimeError, TimeoutError, asyncio.TimeoutError):
        await asyncio.wait_for(socket.send_text(text), PATIENCE)
