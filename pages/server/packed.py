"""Streamlit's files, packed once and kept.

Streamlit sends them as they are: a first page would move 3.8 MB, of which two megabytes are code that packs to a
quarter.
"""

import asyncio
import logging
from typing import NamedTuple

import anyio
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.http.packing import encoding_for, packed
from pages.http.paths import base_path

FOLDER = "/static/"
PACKABLE = (".js", ".css", ".json", ".svg")  # fonts are packed already
LOG = logging.getLogger("samplescope")
PAGE = "text/html"  # what Streamlit sends in place of a file that it does not have


class Answer(NamedTuple):
    """The two messages of an answer."""

    start: Message
    body: Message


class Packed:
    """ASGI middleware that packs each of Streamlit's files when it is first asked for; all together take 12 MB."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._answers: dict[tuple[str, str], asyncio.Future[Answer | None]] = {}  # by path and encoding

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; whoever can unpack a file gets it packed."""
        encoding = wanted_encoding(scope)
        answer = await self._answer(scope, encoding) if encoding else None
        if answer is None:
            await self.app(scope, receive, send)
            return
        for message in answer:
            await send(message)

    async def _answer(self, scope: Scope, encoding: str) -> Answer | None:
        """Return the packed file; None if there is no such file. Many who ask for it at once wait for one packing."""
        key = scope["path"], encoding
        if key not in self._answers:
            self._answers[key] = asyncio.ensure_future(self._pack(scope, encoding))
        answer = None
        try:
            answer = await asyncio.shield(self._answers[key])
        except Exception:  # what it was is told, and the file comes as it is: a failure that is kept would last
            LOG.exception("a file could not be packed: %s", scope["path"])
        if answer is None:
            self._answers.pop(key, None)  # anybody can think of names
        return answer

    async def _pack(self, scope: Scope, encoding: str) -> Answer | None:
        held: list[Message] = []

        async def hold(message: Message) -> None:
            held.append(message)

        bare = [(name, value) for name, value in scope["headers"] if name == b"host"]
        await self.app({**scope, "headers": bare}, hear_nothing, hold)
        start, *parts = held
        if start["status"] != 200 or Headers(raw=start["headers"]).get("content-type", PAGE).startswith(PAGE):
            return None
        plain = b"".join(part.get("body", b"") for part in parts)
        body = await anyio.to_thread.run_sync(packed, plain, encoding)
        headers = MutableHeaders(scope=start)
        headers.update({"content-encoding": encoding, "content-length": str(len(body)), "vary": "Accept-Encoding"})
        headers["etag"] = f"W/{headers['etag']}"  # the same content, not the same bytes
        return Answer(start, {"type": "http.response.body", "body": body})


async def hear_nothing() -> Message:
    """Receive nothing: no body comes, and a client that goes away stops nothing, as others may wait for the file."""
    return await asyncio.get_running_loop().create_future()


def wanted_encoding(scope: Scope) -> str:
    """Return the encoding of an answer with one of Streamlit's files as a whole; "" for any other answer."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return ""
    if not scope["path"].removeprefix(base_path()).startswith(FOLDER) or not scope["path"].endswith(PACKABLE):
        return ""
    asked = Headers(scope=scope)
    return "" if {"range", "if-none-match"} & set(asked) else encoding_for(asked.get("accept-encoding", ""))
