"""The app's routes, asked in this process: what a browser would get from a server, byte by byte."""

import asyncio
import logging
from functools import cache
from threading import Thread
from typing import NamedTuple

from starlette.routing import Router
from starlette.types import Message

from pages.player.modules import BUILD


class Reply(NamedTuple):
    """An answer: its status, its kind of content, and its content."""

    status: int
    kind: str
    body: bytes


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return a loop in a thread of its own: that of a notebook is busy while it asks."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop


@cache
def _router() -> Router:
    from pages.server.routes import routes

    logging.getLogger("streamlit").setLevel(logging.ERROR)  # it says that no page is open
    return Router(routes())


def answer(address: str) -> Reply:
    """Return the answer to an address, such as ``coin/frames?seed=7&from=0&to=20``."""
    return asyncio.run_coroutine_threadsafe(_asked(address), _loop()).result()


async def _asked(address: str) -> Reply:
    path, _, query = address.partition("?")
    path = f"/play/{BUILD}/{path}"
    scope = {
        "type": "http",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    told: list[Message] = []

    async def receive() -> Message:
        return await asyncio.get_running_loop().create_future()  # nothing more comes

    async def send(message: Message) -> None:
        told.append(message)

    await _router()(scope, receive, send)
    headers = {name.decode(): value.decode() for name, value in told[0]["headers"]}
    body = b"".join(message.get("body", b"") for message in told[1:])
    return Reply(told[0]["status"], headers.get("content-type", ""), body)
