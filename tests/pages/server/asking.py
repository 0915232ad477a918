"""A client of the routes, without a server."""

import asyncio
import json
from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.routing import Router
from starlette.types import ASGIApp, Message

from pages.player.modules import BUILD
from pages.server.routes import routes
from tests.loop import awaited


class Reply(NamedTuple):
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def reply_of(
    app: ASGIApp, path: str, query: str = "", method: str = "GET", body: bytes = b"", **headers: str
) -> Reply:
    """Return the answer of an ASGI app."""
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
        "scheme": "http",
    }
    told: list[Message] = []
    said = iter([{"type": "http.request", "body": body}])

    async def receive() -> Message:
        return next(said, None) or await asyncio.get_running_loop().create_future()

    async def send(message: Message) -> None:
        told.append(message)

    await app(scope, receive, send)
    found = {name.decode(): value.decode() for name, value in told[0]["headers"]}
    return Reply(told[0]["status"], found, b"".join(message.get("body", b"") for message in told))


@cache
def _app() -> Router:
    return Router(routes())


def ask(what: str, **values: object) -> Reply:
    """Return the answer to an address below the build's, asked for again while it is computed."""
    while True:
        reply = awaited(reply_of(_app(), f"/play/{BUILD}/{what}", urlencode(values)))
        if reply.status != 202:
            return reply
