"""Addresses below a page's, such as ``/crp_seating/week-3``, lead to the page.

Streamlit answers them with its own page, whose files it then looks for at the wrong place: the window stays empty.
"""

from urllib.parse import quote

from starlette._utils import get_route_path
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from pages.http.paths import base_path

SERVED = ("_stcore", "app", "component", "media", "static")  # Streamlit's own


class Nested(BaseRoute):
    """The way from an address that a browser opens to the page whose name it begins with.

    A name that no page has leads to the map, which says so.
    """

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether somebody opens an address of more than one part; scripts ask for other things there."""
        if scope["type"] != "http" or "text/html" not in Headers(scope=scope).get("accept", ""):
            return Match.NONE, {}
        first, *more = _parts(scope)
        return (Match.FULL if any(more) and first not in SERVED else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lead to the page."""
        query = scope["query_string"].decode("latin-1")
        there = f"{base_path()}/{quote(_parts(scope)[0])}{f'?{query}' * bool(query)}"
        await RedirectResponse(there)(scope, receive, send)


def _parts(scope: Scope) -> list[str]:
    """Return the parts of an address below the app's own path."""
    return str(get_route_path(scope)).removeprefix(base_path()).strip("/").split("/")


NESTED = Nested()
