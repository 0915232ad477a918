"""The first second of the server: answers leave at once, and what pages need is loaded before one is asked for."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from threading import Thread

from lessons.reader.folders import missing
from pages.drawing.numbers import counted
from pages.room.routes import hours_kept, rooms_here
from pages.server.whole import take_in_whole
from pages.shell.lessons import library

LOG = logging.getLogger("samplescope")


@asynccontextmanager
async def start(_: object) -> AsyncIterator[None]:
    """Get ready; the app runs until this ends."""
    send_at_once()
    take_in_whole()
    Thread(target=load, daemon=True).start()
    rooms_here().keeper.store  # noqa: B018 - whoever starts the server hears at once if it cannot be used
    keeping = asyncio.create_task(rooms_here().sweep(hours_kept()))
    yield
    keeping.cancel()


def send_at_once() -> None:
    """Let connections send what is written to them at once, as asyncio does for sockets of its own.

    An answer is written in two parts. Without this option, the second one waits until the browser has said that the
    first one came, which browsers put off by up to 40 ms. Connections have the option from the socket that listens, and
    that one has to be looked for: Streamlit hands it to nobody.
    """
    for one in gc.get_objects():
        if type(one) is socket.socket and one.family in (socket.AF_INET, socket.AF_INET6):
            with suppress(OSError):  # it has been closed
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def load() -> None:
    """Read the lessons and load what draws, while the first browser is still busy with Streamlit's own files.

    The log says what is wrong with the lessons, since whoever starts the server may mend it.
    """
    for said in missing():
        LOG.warning("%s", said)
    for path, problems in library().problems.items():
        if path.is_file():
            LOG.warning("%s has %s: python -m lessons.reader check %s", path, counted(len(problems), "problem"), path)
    importlib.import_module("altair")
