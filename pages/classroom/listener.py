"""A browser in a room, and the messages that wait for it."""

import asyncio
import json
from contextlib import suppress
from itertools import count
from typing import NamedTuple, Unpack

from pydantic import BaseModel
from starlette.websockets import WebSocket, WebSocketDisconnect

from pages.classroom.news import Hand, News
from pages.http.clients import address_of

HEART = 10.0  # seconds of silence after which a browser gets a sign that the connection is alive

_comers = count()


class Here(NamedTuple):
    """Whether a learner who is here follows the class, and whether she has pressed *I'm lost*."""

    follows: bool = True
    lost: bool = False


class Listener:
    """A browser in a room. However slow it is, it gets the latest message of each kind.

    Parameters
    ----------
    socket : WebSocket
        Its connection, accepted.
    member : str
        The name that it made up for itself.
    leads : bool
        Whether it leads the class.
    screen : bool, optional
        Whether it is a projector window, which leads nothing and receives no names.
    link : int, optional
        The number of the link by which it leads; 0 for the browser that opened the room.
    page : str, optional
        The name of the page of this server that is open in it; "" if none is, as for a script that makes learners up.
    """

    def __init__(
        self, socket: WebSocket, member: str, *, leads: bool, screen: bool = False, link: int = 0, page: str = ""
    ) -> None:
        self.socket, self.member, self.leads, self.screen, self.link = socket, member, leads, screen, link
        self.address, self.page = address_of(socket.scope), page
        self.is_here, self.came = Here(), next(_comers)
        self.notice = ""  # about the store, for the instructor
        self.waits = 0.0  # since when she waits for a chain of a relay; 0 if she does not
        self.hand: Hand | None = None  # the chain that she holds, as far as she knows
        self._news: dict[str, str] = {}
        self._closed = 0
        self._there_is = asyncio.Event()

    @property
    def learns(self) -> bool:
        """Whether it is a learner's browser."""
        return not (self.leads or self.screen)

    def tell(self, kind: str, text: str) -> None:
        """Send a message, in place of one of the same kind that has not been sent yet."""
        self._news.pop(kind, None)
        self._news[kind] = text
        self._there_is.set()

    def send_away(self, code: int) -> None:
        """Close the connection, soon."""
        self._closed = code
        self._there_is.set()

    async def write(self) -> None:
        """Send messages as they come. A browser that takes none holds up itself alone, until the server drops it."""
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._there_is.wait(), HEART)
                if not self._there_is.is_set():
                    self.tell("beat", as_text(beat=True))
                self._there_is.clear()
                if self._closed:
                    await self.socket.close(self._closed)
                    return
                news, self._news = self._news, {}
                for text in news.values():
                    await self.socket.send_text(text)


def as_text(**message: Unpack[News]) -> str:
    """Return a message as text to send."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False, default=BaseModel.model_dump)
