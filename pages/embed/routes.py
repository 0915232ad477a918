"""Routes of bare stages: their pages, what a link's menu asks for, and the script of ``<samplescope-stage>``."""

from pathlib import Path
from typing import TypedDict
from urllib.parse import urlsplit

import anyio
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from pages.embed.host import asked
from pages.embed.page import page, wrong
from pages.http.clients import address_of, refusal
from pages.http.errors import BadAddressError
from pages.http.framing import framed_by
from pages.http.lanes import BusyError, lane
from pages.http.paths import base_path, stage_path
from pages.http.qr import as_qr

NEVER = {"cache-control": "no-store"}
AN_HOUR = {"cache-control": "public, max-age=3600"}  # of a script whose address stays
LONGEST = 600  # characters of an address that a QR code still holds well
ELEMENT = Path(__file__).parent / "element.js"


class Linked(TypedDict):
    """The parts of a link's menu."""

    qr: str  # the QR code of the link, as SVG; "" if it is too long, or none of this server's
    framed_by: str  # sites that may show the app in a frame


async def _bare(request: Request) -> Response:
    """Return the page of a bare stage, or one that says what is wrong with the address."""
    topic, values = request.path_params["topic"], dict(request.query_params)
    try:
        await anyio.to_thread.run_sync(asked, topic, values)
    except BadAddressError as error:
        return HTMLResponse(wrong(str(error)), 404, NEVER)
    site = str(request.base_url).rstrip("/").removesuffix(base_path()) + base_path()
    return HTMLResponse(page(topic, values, site), 200, NEVER)


async def _linked(request: Request) -> Response:
    """Return a link's QR code, and which sites may frame the stage."""
    at = request.query_params.get("at", "")
    ours = urlsplit(at).netloc == request.headers.get("host") and len(at) <= LONGEST
    try:
        drawn = await lane("qr.svg").do(at, lambda: as_qr(at), address_of(request.scope)) if ours else b""
    except BusyError as busy:
        return refusal(503, busy.seconds)
    told: Linked = {"qr": drawn.decode(), "framed_by": framed_by()}
    return JSONResponse(told, headers=NEVER)


async def _element(_: Request) -> Response:
    return Response(ELEMENT.read_bytes(), media_type="text/javascript", headers=AN_HOUR)


def stage_routes() -> list[BaseRoute]:
    """Return the routes of bare stages."""
    base = stage_path()
    return [
        Route(f"{base}/link.json", _linked),
        Route(f"{base}/element.js", _element),
        Route(f"{base}/{{topic}}", _bare),
    ]
