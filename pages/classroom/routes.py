"""Routes of rooms: to open one, to join by a short address, to connect a browser, and to save answers."""

import logging
from collections.abc import Awaitable, Callable
from functools import lru_cache
from urllib.parse import quote, urljoin, urlsplit

import anyio
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from pages.classroom import codes
from pages.classroom.export import Said, as_csv, as_json, as_page
from pages.classroom.hub import FULL, REFUSED, Hub
from pages.classroom.keeper import GONE
from pages.classroom.kept_in import chosen_store, teachers_key
from pages.classroom.live import Live
from pages.classroom.messages import NotSaidError
from pages.classroom.misread import misread
from pages.classroom.rooms import NONE, Rooms
from pages.classroom.store import StoreError
from pages.http.clients import address_of, ours, refusal, shortened
from pages.http.lanes import LATER, BusyError, lane
from pages.http.paths import base_path, join_path, room_path
from pages.http.qr import as_qr

MOST_ROOMS = 500  # in use at the same time
LONGEST = 400  # characters of an address for the class, which a QR code still holds well
NEVER = {"cache-control": "no-store"}
LOG = logging.getLogger("samplescope")


@lru_cache
def rooms_here() -> Rooms:
    """Return the rooms of this process."""
    return Rooms(chosen_store)


def room_routes(rooms: Rooms | None = None) -> list[BaseRoute]:
    """Return the routes of rooms, by default of this process's, below the path at which Streamlit's lie."""
    doors, base = Doors(rooms or rooms_here()), room_path()
    return [
        Route(f"{join_path()}/{{code:path}}", join),
        Route(base, doors.open_room, methods=["POST"]),
        Route(f"{base}/{{code}}/qr.svg", code_drawn),
        Route(f"{base}/{{code}}/link", doors.link, methods=["POST"]),
        Route(f"{base}/{{code}}/answers.csv", doors.taken(as_csv, "text/csv")),
        Route(f"{base}/{{code}}/answers.html", doors.taken(as_page, "text/html")),
        Route(f"{base}/{{code}}/answers.json", doors.taken(as_json, "application/json")),
        WebSocketRoute(f"{base}/{{code}}", doors.listen),
    ]


class Doors:
    """The answers of routes that ask rooms.

    Parameters
    ----------
    rooms : Rooms
        The rooms of this process.
    """

    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.hub = Hub(rooms)

    async def found(self, connection: HTTPConnection) -> Live | None:
        """Return the room with the code in the address; None if there is none."""
        code = codes.read_code(connection.path_params["code"])
        return await self.rooms.find(code) if code else None

    async def led(self, request: Request) -> Live | Response:
        """Return the room in the address for a browser that leads it; for any other, the answer that it gets."""
        try:
            live = await self.found(request) if ours(request) else None
        except StoreError:
            return PlainTextResponse(GONE, 503, NEVER)
        seals = (live.kept.seal, *(one.seal for one in live.core.links)) if live else ()
        return live if live and any(codes.opens(_bearer(request), seal) for seal in seals) else _nothing()

    async def open_room(self, request: Request) -> Response:
        """Open a room for whoever has the server's key, if it wants one."""
        if not ours(request):
            return PlainTextResponse("Only pages of this app open classes.", 403, NEVER)
        key, said = teachers_key(), _bearer(request)
        if key and not codes.opens(said, codes.sealed(key)):
            if said:
                LOG.warning("a wrong key for rooms, from %s", shortened(address_of(request.scope)))
            return PlainTextResponse("To open a class on this server, you need its key.", 401, NEVER)
        if len(self.rooms.live) >= MOST_ROOMS:
            return refusal(503, LATER)
        code, secret = await self.rooms.open()
        LOG.info("a room was opened from %s", shortened(address_of(request.scope)))
        return JSONResponse({"code": code, "secret": secret}, 201, NEVER)

    async def listen(self, socket: WebSocket) -> None:
        """Connect a browser with the room in the address."""
        if not ours(socket):
            await socket.close(REFUSED)
            return
        await socket.accept()
        try:
            live = await self.found(socket)
        except StoreError:
            await socket.close(FULL)
            return
        if live is None:
            await socket.close(NONE)
            return
        await self.hub.listen(socket, live)

    async def link(self, request: Request) -> Response:
        """Make a link by which another browser leads, with the secret behind the #, and its QR code."""
        live, address = await self.led(request), _here(request)
        if isinstance(live, Response):
            return live
        if address is None:
            return _nothing()
        new = codes.new_secret()
        try:
            await self.rooms.change(live, lambda core: core.linking(codes.sealed(new)))
        except NotSaidError as why:
            return PlainTextResponse(str(why), 409, NEVER)
        invitation = f"{address}?lead={live.code}#{new}"
        drawn = await anyio.to_thread.run_sync(as_qr, invitation)
        return JSONResponse({"address": invitation, "qr": drawn.decode()}, 201, NEVER)

    def taken(self, make: Callable[[Said], str], kind: str) -> Callable[[Request], Awaitable[Response]]:
        """Return the answer of a route that saves all that was said in a room, in one form."""

        async def respond(request: Request) -> Response:
            live = await self.led(request)
            if isinstance(live, Response):
                return live
            await self.rooms.refresh(live)
            said = Said(live.code, live.core, dict(live.members), {each: {**live.given[each]} for each in live.given})
            text = await anyio.to_thread.run_sync(make, said)
            LOG.info("the answers of a room were saved from %s", shortened(address_of(request.scope)))
            return Response(text, media_type=kind, headers=NEVER)

        return respond


async def join(request: Request) -> Response:
    """Lead from a class's short address to the map, where the door opens; a wrong code is asked for again."""
    said = request.path_params["code"] or request.query_params.get("code", "")
    code = codes.read_code(said)
    if code:
        return RedirectResponse(f"{base_path()}/?room={code}", 303, NEVER)
    return HTMLResponse(misread(said, base_path()), 404 if said else 200, NEVER)


async def code_drawn(request: Request) -> Response:
    """Draw the QR code of a class's short address."""
    code = codes.read_code(request.path_params["code"])
    address = _here(request)
    if not code or address is None:
        return _nothing()
    invitation = urljoin(address, f"j/{code}")
    try:
        drawn = await lane("qr.svg").do(invitation, lambda: _drawn(invitation), address_of(request.scope))
    except BusyError as busy:
        return refusal(503, busy.seconds)
    return Response(drawn, media_type="image/svg+xml", headers=NEVER)


def _bearer(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def _nothing() -> Response:
    return PlainTextResponse("There is nothing here.", 404, NEVER)


@lru_cache(512)
def _drawn(invitation: str) -> bytes:
    """Return a QR code, which may be cached: it has no secret in it."""
    return as_qr(invitation)


def _here(request: Request) -> str | None:
    """Return the app's address: the one that `at` names if it is on this server, else that of the request."""
    asked = request.query_params.get("at", "")
    if not asked:
        return f"{request.url.scheme}://{request.headers.get('host', '')}{base_path()}/"
    parts = urlsplit(asked)
    if len(asked) > LONGEST or parts.scheme not in ("http", "https") or parts.netloc != request.headers.get("host"):
        return None
    return f"{parts.scheme}://{parts.netloc}{quote(parts.path, safe='/%')}"
