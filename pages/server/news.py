"""News of the lessons: open pages learn over a WebSocket that an instructor has saved a lesson.

One small message holds a token of the current lessons, which changes when they do. The browser compares it with the
token of its page, and draws the page again if they differ. So a message that comes twice, late or after a restart does
no harm, and a broken file makes no news, since its last valid version stays.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress

import anyio
from starlette.websockets import WebSocket, WebSocketDisconnect

from lessons.failing import unforeseen
from pages.http.clients import ours
from pages.lesson.lessons import latest
from pages.lesson.page import BEAT

PATIENCE = 5  # seconds for a listener to receive a message
MOST = 5_000  # listeners; later ones see changes only at the next click
REFUSED, FULL, SILENT = 1008, 1013, 1003  # codes of closing
LOG = logging.getLogger("samplescope")


class News:
    """Sends the token of the lessons to all listeners.

    Parameters
    ----------
    look : callable, optional
        Reads the files that have changed and returns the token of the lessons; it may take a while.
    beat : float, optional
        Seconds between two looks at the folders, while there are listeners.
    """

    def __init__(self, look: Callable[[], str] = latest, beat: float = BEAT) -> None:
        self._look, self._beat = look, beat
        self._listeners: dict[WebSocket, str] = {}  # with the last token that each received
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
            await socket.receive_text()  # pages send nothing, so this waits until the page leaves
            await socket.close(SILENT)
        except (WebSocketDisconnect, KeyError, RuntimeError):  # it has gone, or sent bytes
            return
        finally:
            del self._listeners[socket]

    async def _tell(self) -> None:
        """Look for changes while there are listeners, and send each listener a token that is new to it."""
        said = ""
        try:
            while self._listeners:
                try:
                    token = await anyio.to_thread.run_sync(self._look)
                except Exception as error:  # logged here, as no one else would see it; the next look may work
                    if said != (said := unforeseen(error)):
                        LOG.error("the lessons could not be read: %s", said)
                else:
                    said = ""
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
