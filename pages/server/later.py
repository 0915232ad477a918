"""Routes whose code loads after the server has started, because it imports NumPy, SciPy and the topics' settings."""

from collections.abc import Callable, Sequence

import anyio
from starlette._utils import get_route_path
from starlette.routing import BaseRoute, Match, Router
from starlette.types import Receive, Scope, Send

from lessons.loading import LOADING


class Later(BaseRoute):
    """Routes below some paths, made by a function at the first request.

    Parameters
    ----------
    paths : sequence of str
        The beginnings of their addresses.
    make : callable
        Loads their code and returns the routes.
    """

    def __init__(self, paths: Sequence[str], make: Callable[[], Sequence[BaseRoute]]) -> None:
        self._paths, self._make = tuple(paths), make
        self._made: Router | None = None

    def load(self) -> Router:
        """Return the routes, made at the first call."""
        with LOADING:
            if self._made is None:
                self._made = Router(self._make())
            return self._made

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether an address belongs to these routes."""
        ours = scope["type"] in ("http", "websocket") and get_route_path(scope).startswith(self._paths)
        return (Match.FULL if ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with one of the routes, once they are loaded."""
        if self._made is None:
            await anyio.to_thread.run_sync(self.load)
        await self.load()(scope, receive, send)
