"""A connection that asks the routes for one thing after the other, as a browser does."""

import asyncio
import gzip
import json
from urllib.parse import urlsplit

from tests.browser.driver import Server

FEW = 10  # frames that a page asks for as it opens; of reckoning.js


class Line:
    """A connection that stays open, and asks one thing after the other."""

    def __init__(self, server: Server, tab: str) -> None:
        parts = urlsplit(server.url)
        self.host, self.port = parts.hostname, parts.port
        self.head = f"Host: {parts.netloc}\r\nCookie: samplescope={tab}\r\nAccept-Encoding: gzip\r\n"
        self.page = ""  # whose name the server knows
        self.bytes = 0
        self._asking = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def get(self, path: str) -> tuple[int, bytes]:
        """Return the status of an answer, and what it holds."""
        async with self._asking:
            try:
                return await self._answer(path)
            except (asyncio.IncompleteReadError, ConnectionError):  # the server hangs up when nothing is asked for long
                self.close()
                return await self._answer(path)

    async def _answer(self, path: str) -> tuple[int, bytes]:
        self._streams = self._streams or await asyncio.open_connection(self.host, self.port)
        reader, writer = self._streams
        writer.write(f"GET {path} HTTP/1.1\r\n{self.head}X-Session: {self.page}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        body = await reader.readexactly(length)
        self.bytes += len(head) + length
        packed = b"content-encoding: gzip" in head
        return int(head.split(b" ", 2)[1]), gzip.decompress(body) if packed else body

    def close(self) -> None:
        """Hang up."""
        if self._streams:
            self._streams[1].close()
            self._streams = None


def count_of(frames: bytes) -> int:
    """Return how many frames an answer has."""
    length = int.from_bytes(frames[:4], "little")
    return int(json.loads(frames[4 : 4 + length])["count"])
