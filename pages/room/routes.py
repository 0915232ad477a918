"""Addresses of rooms: one to open a room, one where its browsers listen and speak."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable
from functools import lru_cache
from urllib.parse import quote, urlsplit

import anyio
import segno
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from pages.room import codes
from pages.room.export import Said, as_csv, as_json, as_page
from pages.room.hub import FULL, REFUSED, Hub
from pages.room.keeper import GONE
from pages.room.kept_in import chosen_store
from pages.room.live import Live, address_of
from pages.room.rooms import NONE, Rooms
from pages.room.store import StoreError
from pages.server.news import ours
from pages.server.paths import base_path, room_path
from pages.server.rate import Rate

OPENED = Rate(1, 20)  # rooms from an address
CAME = Rate(50, 1_000)  # connections from an address, behind which a whole class may reconnect at once
MISSED = Rate(0.2, 20)  # codes from an address that there are not
LONGEST = 400  # characters of an address for the class, which a QR code still holds well
NEVER = {"cache-control": "no-store"}


@lru_cache
def rooms_here() -> Rooms:
    """Return the rooms of this process."""
    return Rooms(chosen_store)


def room_routes(rooms: Rooms | None = None) -> list[BaseRoute]:
    """Return the routes of rooms, below the path at which Streamlit's lie.

    Parameters
    ----------
    rooms : Rooms, optional
        This process's if left out.
    """
    rooms = rooms or rooms_here()
    hub = Hub(rooms)

    async def found(connection: HTTPConnection) -> Live | None:
        """Return the room that is asked for; None if there is none, or if too many were asked for that are not."""
        code, who = codes.read_code(connection.path_params["code"]), address_of(connection)
        here = code in rooms.live and rooms.live[code].has(who)  # a class behind one address is not locked out
        if not code or not (here or MISSED.would_allow(who)):
            return None
        live = await rooms.find(code)
        if live is None:
            MISSED.allows(who)
        return live

    async def open_room(request: Request) -> Response:
        if not ours(request):
            return PlainTextResponse("Only pages of this app open rooms.", 403, NEVER)
        if not OPENED.allows(address_of(request)):
            return PlainTextResponse("Too many rooms from this address: wait a moment.", 429, NEVER)
        code, secret = await rooms.open()
        return JSONResponse({"code": code, "secret": secret}, 201, NEVER)

    async def listen(socket: WebSocket) -> None:
        if not ours(socket) or not CAME.allows(address_of(socket)):
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
        await hub.listen(socket, live)

    async def code_drawn(request: Request) -> Response:
        code = codes.read_code(request.path_params["code"])
        address = _here(request)
        if not code or address is None:
            return PlainTextResponse("There is nothing here.", 404, NEVER)
        drawn = io.BytesIO()
        segno.make(f"{address}?room={code}", error="m").save(drawn, kind="svg", border=4, light="#fff", omitsize=True)
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers=NEVER)

    def taken(make: Callable[[Said], str], kind: str) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            secret = request.headers.get("authorization", "").removeprefix("Bearer ")
            try:
                live = await found(request) if ours(request) else None
            except StoreError:
                return PlainTextResponse(GONE, 503, NEVER)
            if live is None or not codes.opens(secret, live.kept.seal):
                return PlainTextResponse("There is nothing here.", 404, NEVER)
            await rooms.refresh(live)
            said = Said(live.code, live.core, dict(live.members), {each: {**live.given[each]} for each in live.given})
            text = await anyio.to_thread.run_sync(make, said)
            return Response(text, media_type=kind, headers=NEVER)

        return respond

    base = room_path()
    return [
        Route(base, open_room, methods=["POST"]),
        Route(f"{base}/{{code}}/qr.svg", code_drawn),
        Route(f"{base}/{{code}}/answers.csv", taken(as_csv, "text/csv")),
        Route(f"{base}/{{code}}/answers.html", taken(as_page, "text/html")),
        Route(f"{base}/{{code}}/answers.json", taken(as_json, "application/json")),
        WebSocketRoute(f"{base}/{{code}}", listen),
    ]


def _here(request: Request) -> str | None:
    """Return the address of the page on which learners join: the one that is asked for, if it is one of ours."""
    asked = request.query_params.get("at", "")
    if not asked:
        return f"{request.url.scheme}://{request.headers.get('host', '')}{base_path()}/"
    parts = urlsplit(asked)
    if len(asked) > LONGEST or parts.scheme not in ("http", "https") or parts.netloc != request.headers.get("host"):
        return None
    return f"{parts.scheme}://{parts.netloc}{quote(parts.path, safe='/%')}"
