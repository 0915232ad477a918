"""A hostile client in a process of its own, until it is ended: ``python -m bench._attacker URL KIND [CODE OF A ROOM]``.

All of it comes from one address, which is not that of the learners who are there as well.
"""

import asyncio
import itertools
import json
import os
import random
import socket
import sys
import urllib.request
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from pages.classroom.codes import new_code
from pages.player.modules import BUILD

FROM = "127.0.0.66"
LINES = 32  # connections that ask, one thing after the other
COUNT = itertools.count(random.randrange(10**6))
PAGES = 30  # new ones a second
FILES, LARGE, SMALL = 40, 19_000_000, 4_900_000  # of each session
SESSIONS = 8
FULL = 500  # learners in a room
BROKEN = (OSError, WebSocketException, EOFError, TimeoutError, asyncio.TimeoutError, ValueError)


class Attacker:
    """Somebody with a laptop.

    Parameters
    ----------
    url : str
        Of the server.
    code : str, optional
        Of a room.
    """

    def __init__(self, url: str, code: str = "") -> None:
        parts = urlsplit(url)
        self.url, self.host, self.port, self.code = url, parts.hostname or "", parts.port or 80, code
        self.held: list[object] = []

    async def socket(self, path: str, **more: object) -> ClientConnection:
        url = self.url.replace("http", "ws", 1) + path
        return await connect(url, ping_interval=None, max_size=None, local_addr=(FROM, 0), **more)  # type: ignore[arg-type]

    async def ask_on(self, path: Callable[[], str]) -> None:
        """Ask on and on at LINES connections, as a new session each time."""

        async def line() -> None:
            while True:
                with suppress(*BROKEN):
                    reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(FROM, 0))
                    while True:
                        head = f"Host: {self.host}:{self.port}\r\nX-Session: s{next(COUNT)}\r\n"
                        writer.write(f"GET {path()} HTTP/1.1\r\n{head}Accept-Encoding: gzip\r\n\r\n".encode())
                        told = (await reader.readuntil(b"\r\n\r\n")).lower()
                        await reader.readexactly(int(told.split(b"content-length:")[1].split(b"\r\n")[0]))
                await asyncio.sleep(0.05)

        await asyncio.gather(*(line() for _ in range(LINES)))

    async def frames(self) -> None:
        await self.ask_on(lambda: f"/play/{BUILD}/crp_seating/frames?seed={next(COUNT)}&from=0&to=600")

    async def heavy(self) -> None:
        await self.ask_on(lambda: f"/play/{BUILD}/crp_mixture/frames?points=300&seed={next(COUNT)}&from=0&to=600")

    async def qr(self) -> None:
        await self.ask_on(lambda: f"/room/{new_code()}/qr.svg")

    async def fill(self) -> None:
        """Be one learner after the other, and stay."""

        async def member() -> None:
            while True:
                with suppress(*BROKEN):
                    async with await self.socket(f"/room/{self.code}") as line:
                        await line.send(json.dumps({"hello": {"member": f"{next(COUNT):022d}"}}))
                        async for text in line:
                            if json.loads(text).get("state", {}).get("people", 0) >= FULL:
                                full.set()
                    full.set()
                await asyncio.sleep(0.2)

        full, tasks = asyncio.Event(), []
        for _ in range(700):
            tasks.append(asyncio.create_task(member()))
            await asyncio.sleep(0.01)
        await full.wait()
        print("full", flush=True)
        await asyncio.gather(*tasks)

    async def guess(self) -> None:
        """Try codes, as fast as 4 connections do."""

        async def line() -> None:
            while True:
                with suppress(*BROKEN):
                    one = await self.socket(f"/room/{new_code()}")
                    await one.wait_closed()
                    print(one.close_code, flush=True)

        await asyncio.gather(*(line() for _ in range(4)))

    async def pages(self) -> None:
        """Open PAGES pages a second, with a run each that nobody had, and stay."""
        while True:
            self.held.append(asyncio.create_task(self._page()))
            await asyncio.sleep(1 / PAGES)

    async def _page(self) -> None:
        with suppress(*BROKEN):
            line = await self.socket("/_stcore/stream", subprotocols=["streamlit"], open_timeout=60)
            message = BackMsg()
            message.rerun_script.query_string, message.rerun_script.page_name = (
                f"points=300&seed={next(COUNT)}",
                "crp_mixture",
            )
            await line.send(message.SerializeToString())
            async for _ in line:
                pass

    async def uploads(self) -> None:
        """Give some sessions all the files that they take, large ones and then smaller ones."""
        for _ in range(SESSIONS):
            line = await self.socket("/_stcore/stream", subprotocols=["streamlit"])
            self.held.append(line)
            message = BackMsg()
            message.rerun_script.page_name = "coin"
            await line.send(message.SerializeToString())
            name = ""
            async for raw in line:
                told = ForwardMsg.FromString(raw)  # type: ignore[arg-type]
                if told.WhichOneof("type") == "new_session":
                    name = told.new_session.initialize.session_id
                    break
            for size in (LARGE, SMALL):
                for number in range(FILES):
                    await asyncio.to_thread(self._put, f"{name}/{size}-{number}", size)
        print("done", flush=True)
        await asyncio.sleep(3600)

    def _put(self, path: str, size: int) -> None:
        with urllib.request.urlopen(f"{self.url}/_stcore/health") as page:
            cookies = [value.partition(";")[0] for value in page.headers.get_all("Set-Cookie", [])]
        token = next((cookie.partition("=")[2] for cookie in cookies if "xsrf" in cookie), "")
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n'
        headers = {"Content-Type": "multipart/form-data; boundary=x", "Cookie": "; ".join(cookies)}
        line = HTTPConnection(self.host, self.port, source_address=(FROM, 0))
        with suppress(OSError):
            body = head + os.urandom(size) + b"\r\n--x--\r\n"
            line.request("PUT", f"/_stcore/upload_file/{path}", body, headers | {"X-Xsrftoken": token})
            line.getresponse().read()
        line.close()

    async def messages(self) -> None:
        """Begin messages of 40 MB on 40 sockets, and end none."""

        async def parts() -> object:
            for _ in range(40):
                yield b"x" * 1_000_000
            await asyncio.sleep(3600)

        async def one() -> None:
            with suppress(*BROKEN):
                line = await self.socket("/news", compression=None)
                self.held.append(line)
                await line.send(parts())  # type: ignore[arg-type]

        await asyncio.gather(*(one() for _ in range(40)))
        print("done", flush=True)
        await asyncio.sleep(3600)

    async def slow(self) -> None:
        """Begin 1,500 requests and end none; begin anew when the server hangs up."""

        async def one() -> None:
            while True:
                with suppress(*BROKEN):
                    reader, writer = await asyncio.open_connection(self.host, self.port, local_addr=(FROM, 0))
                    writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-A: ")
                    await reader.read()
                    writer.close()
                await asyncio.sleep(1)

        await asyncio.gather(*(one() for _ in range(1_500)))


def main(url: str, kind: str, code: str = "") -> None:
    if sys.platform != "win32":
        import resource

        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(8_192, hard) if hard > 0 else 8_192, hard))
    socket.setdefaulttimeout(60)
    attacks: dict[str, Callable[[], Awaitable[None]]] = {
        name: getattr(Attacker(url, code), name)
        for name in ("frames", "heavy", "qr", "fill", "guess", "pages", "uploads", "messages", "slow")
    }
    print("begun", flush=True)
    asyncio.run(attacks[kind]())  # type: ignore[arg-type]


if __name__ == "__main__":
    main(*sys.argv[1:])
