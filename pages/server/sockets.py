"""Answers leave at once: Streamlit opens its socket in a way in which they wait, up to 40 ms each."""

from __future__ import annotations

import gc
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


@asynccontextmanager
async def prompt(_: object) -> AsyncIterator[None]:
    """While the app runs, let connections send what is written to them at once, as asyncio does for sockets of its own.

    An answer is written in two parts. Without this option, the second one waits until the browser has said that the
    first one came, which browsers put off. Connections have the option from the socket that listens, and that one has
    to be looked for: Streamlit hands it to nobody.
    """
    for one in gc.get_objects():
        if type(one) is socket.socket and one.family in (socket.AF_INET, socket.AF_INET6):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    yield
