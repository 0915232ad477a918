"""The first second of the server: it answers at once, and what pages need is loaded before one is asked for."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import socket
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from threading import Event, Thread

import anyio
from starlette.routing import BaseRoute

from lessons.loading import LOADING
from pages.classroom.kept_in import chosen_store, hours_kept, teachers_key
from pages.server.connections import queue_up, watch
from pages.server.later import Later
from pages.server.mended import mend
from pages.web.paths import join_path, news_path, pass_path, play_path, room_path

PAGES = ("pages.classroom.panel", "pages.shell.answers", "pages.shell.course", "pages.shell.page")
ARENA_MAX = -8  # the option's number in malloc.h
PATIENCE = 5.0  # seconds that the first page has for itself, before it is drawn and after it
LOG = logging.getLogger("samplescope")


def own_routes() -> Sequence[BaseRoute]:
    """Load all that our routes need, and return them."""
    from pages.server.routes import routes

    return routes()


OWN = Later([f"{play_path()}/", f"{join_path()}/", news_path(), pass_path(), room_path()], own_routes)
shown = Event()  # once a page has been drawn


@asynccontextmanager
async def start(_: object) -> AsyncIterator[None]:
    """Get ready; the app runs until this ends."""
    send_at_once()
    share_memory()
    watch()
    mend()
    hours = hours_kept()
    teachers_key()
    chosen_store()  # whoever starts the server hears at once if it cannot be used
    going_on = asyncio.create_task(go_on(hours))
    yield
    going_on.cancel()


def send_at_once() -> None:
    """Let connections send what is written to them at once, as asyncio does for sockets of its own.

    An answer is written in two parts. Without this option, the second one waits until the browser has said that the
    first one came, which browsers put off by up to 40 ms. Connections have the option from the socket that listens, and
    that one has to be looked for: Streamlit does not hand it out.
    """
    for one in _listening():
        with suppress(OSError):  # it has been closed
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _listening() -> list[socket.socket]:
    """Return the sockets that may be those that listen."""
    known = (socket.AF_INET, socket.AF_INET6)
    return [one for one in gc.get_objects() if type(one) is socket.socket and one.family in known]


def share_memory() -> None:
    """Let all threads take memory from two places, where the C library is glibc.

    It has one for each thread otherwise, and what is freed in one is of no use to another: runs that are kept for a
    class of 100 took 570 MB in this way, and take 360 MB in two places.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(ARENA_MAX, 2)


async def go_on(hours: float) -> None:
    """Load what pages need while the first browser is still busy with Streamlit's own files, then look after rooms."""
    await anyio.to_thread.run_sync(load)
    for one in _listening():
        queue_up(one)
    Thread(target=load_topics, daemon=True).start()
    from pages.classroom.routes import rooms_here

    await rooms_here().sweep(hours)


def load_pages() -> None:
    """Load what all pages need, and the course map."""
    with LOADING:
        for name in PAGES:
            import_module(name)


def load() -> None:
    """Load the pages, read the lessons, and load our routes.

    The log says what is wrong with the lessons, since whoever starts the server may mend it.
    """
    load_pages()
    from lessons.reader.folders import missing
    from pages.drawing.numbers import counted
    from pages.shell.lessons import library

    for said in missing():
        LOG.warning("%s", said)
    for path, problems in library().problems.items():
        if path.is_file():
            LOG.warning("%s has %s: python -m lessons.reader check %s", path, counted(len(problems), "problem"), path)
    OWN.load()


def load_topics() -> None:
    """Load all topics, of which the first page needs one at most, when that page has been drawn and has its film."""
    shown.wait(PATIENCE)
    time.sleep(PATIENCE)
    from lessons.stages import STAGES
    from pages.contract.stage import stage_of

    for name in STAGES:
        stage_of(name)
