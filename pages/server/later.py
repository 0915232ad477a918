"""Routes whose code is loaded once the server answers: it brings NumPy, SciPy and all settings of topics with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import anyio
from starlette._utils import get_route_path
from starlette.routing import BaseRoute, Match, Router
from starlette.types import Receive, Scope, Send

from lessons.loading import LOADING


class Later(BaseRoute):
    """Routes below some paths, made by a function when they are first wanted.

    Parameters
    ----------
    paths : sequence of str
        How their addresses begin.
    make : callable
        Loads their code and returns them.
    """

    def __init__(self, paths: Sequence[str], make: Callable[[], Sequence[BaseRoute]]) -> None:
        self._paths, self._make = tuple(paths), make
        self._made: Router | None = None

    def load(self) -> Router:
        """Return the routes, which are made once."""
        with LOADING:
            if self._made is None:
                self._made = Router(self._make())
            return self._made

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Say whether an address is one of theirs."""
        ours = scope["type"] in ("http", "websocket") and get_route_path(scope).startswith(self._paths)
        return (Match.FULL if ours else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer by one of them, when they are there."""
        if self._made is None:
            await anyio.to_thread.run_sync(self.load)
        await self.load()(scope, receive, send)
