"""Addresses of rooms: one to open a room, one where its browsers listen and speak."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from pages.room import codes
from pages.room.hub import FULL, NONE, REFUSED, Hub
from pages.room.live import Live
from pages.room.sqlite import SQLiteStore
from pages.room.store import Store, StoreError
from pages.server.news import ours
from pages.server.rate import Rate
from pages.shell.lessons import base_path

WHERE = "SAMPLESCOPE_STORE"  # in the environment: a file
FILE = Path(__file__).parents[2] / ".cache" / "rooms.sqlite"
OPENED = Rate(1, 20)  # rooms from an address
CAME = Rate(50, 1_000)  # connections from an address, behind which a whole class may reconnect at once
MISSED = Rate(0.2, 20)  # codes from an address that there are not
NEVER = {"cache-control": "no-store"}


def chosen_store() -> Store:
    """Return the store that the environment names."""
    where = os.environ.get(WHERE, "")
    return SQLiteStore(Path(where) if where else FILE)


@lru_cache
def hub() -> Hub:
    """Return the rooms of this process."""
    return Hub(chosen_store)


def room_routes(rooms: Hub | None = None) -> list[BaseRoute]:
    """Return the routes of rooms, below the path at which Streamlit's lie.

    Parameters
    ----------
    rooms : Hub, optional
        This process's if left out.
    """
    rooms = rooms or hub()

    async def found(connection: HTTPConnection) -> Live | None:
        """Return the room that is asked for; None if there is none, or if too many were asked for that are not."""
        code, who = codes.read_code(connection.path_params["code"]), _address(connection)
        if not code or not MISSED.would_allow(who):
            return None
        live = await rooms.room(code)
        if live is None:
            MISSED.allows(who)
        return live

    async def open_room(request: Request) -> Response:
        if not ours(request):
            return PlainTextResponse("Only pages of this app open rooms.", 403, NEVER)
        if not OPENED.allows(_address(request)):
            return PlainTextResponse("Too many rooms from this address: wait a moment.", 429, NEVER)
        code, secret = await rooms.open()
        return JSONResponse({"code": code, "secret": secret}, 201, NEVER)

    async def listen(socket: WebSocket) -> None:
        if not ours(socket) or not CAME.allows(_address(socket)):
            await socket.close(REFUSED)
            return
        await socket.accept()
        try:
            live = await found(socket)
        except StoreError:
            await socket.close(FULL)
            return
        if live is None:
            await socket.close(NONE)
            return
        await rooms.listen(socket, live)

    base = f"{base_path()}/room"
    return [
        Route(base, open_room, methods=["POST"]),
        WebSocketRoute(f"{base}/{{code}}", listen),
    ]


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""
