"""A short way for answers of films, bare stages and the player's code, past layers that do nothing for them.

Streamlit's layers sign a cookie for logins, pack answers, and refuse paths that could name files elsewhere. Our routes
read no cookie, pack answers once for all, and no address of theirs names a file. For a small answer these layers took
40 % of the processor time from the first layer to the last.
"""

from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from pages.http.paths import play_path, stage_path
from pages.server.later import Later


class StraightOn:
    """ASGI middleware that hands requests for films and code straight to their routes.

    Parameters
    ----------
    app : ASGI app
        What answers everything else.
    routes : Later
        The routes.
    """

    def __init__(self, app: ASGIApp, routes: Later) -> None:
        self.app = app
        self._straight = ExceptionMiddleware(routes.handle)
        self._paths = f"{play_path()}/", f"{stage_path()}/"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by the short way if it is one of those."""
        straight = scope["type"] == "http" and scope["path"].startswith(self._paths)
        await (self._straight if straight else self.app)(scope, receive, send)
