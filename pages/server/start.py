"""The start of the server: it answers at once, and loads what pages need before the first request for one."""

import asyncio
import ctypes
import gc
import logging
import time
from collections.abc import AsyncIterator, Callable, Container, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache
from importlib import import_module
from threading import Event, Thread
from typing import Any

import anyio
from starlette.routing import BaseRoute
from streamlit import delta_generator

from lessons.loading import LOADING
from pages.classroom.kept_in import chosen_store, hours_kept, teachers_key
from pages.http.paths import join_path, news_path, pass_path, play_path, room_path, stage_path
from pages.server.later import Later
from pages.server.mended import mend
from pages.server.signed import sign_uploads
from pages.server.theme import read_theme_once

PAGES = ("pages.classroom.panel", "pages.lesson.answers", "pages.lesson.course", "pages.lesson.page")
MMAP_THRESHOLD, ARENA_MAX = -3, -8  # the options' numbers in malloc.h
LARGE = 128_000  # bytes from which the system gives an array memory of its own
TRIMMED = 30.0  # seconds after which unused memory goes back to the system
TO_PAINT = 0.5  # seconds that the browser has to itself to paint the first page, unless it asks for more
PATIENCE = 5.0  # seconds left to the first page alone, before it is drawn and after it
USUAL = gc.get_threshold()  # how many new objects start a collection of garbage
# The same until all topics are loaded: what is loaded stays, and need not be looked through. By the first page's charts
# there are 150,000 more objects.
NEW = 200_000
LOG = logging.getLogger("samplescope")


def own_routes() -> Sequence[BaseRoute]:
    """Load the code of the app's routes, and return the routes."""
    from pages.server.routes import routes

    return routes()


OWN = Later(
    [f"{play_path()}/", f"{stage_path()}/", f"{join_path()}/", news_path(), pass_path(), room_path()], own_routes
)
shown = Event()  # set once a page has been drawn
foreseen: list[str] = []  # the end of the first address that a browser asked for: its page will be drawn first


def foresee(path: str) -> None:
    """Note the address of a request, if it is the first: its topic is loaded while the browser loads Streamlit.

    Whether the server is healthy is often asked earlier, but not by a browser.
    """
    if not foreseen and "/_stcore/" not in path:
        foreseen.append(path.rpartition("/")[2])


@asynccontextmanager
async def start(_: object) -> AsyncIterator[None]:
    """Prepare the app, which runs while this context is open."""
    keep_a_log()
    give_memory_back()
    gc.set_threshold(NEW)
    no_look_at_who_calls()
    mend()
    sign_uploads()
    read_theme_once()
    hours = hours_kept()
    teachers_key()
    chosen_store()  # so that an unusable store is reported at the start
    going_on = asyncio.create_task(go_on(hours))
    yield
    going_on.cancel()


def keep_a_log() -> None:
    """Write the app's own lines to the log, with their time. Without a handler, Python writes only warnings."""
    if not LOG.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)


def give_memory_back() -> None:
    """Let large arrays have memory of their own, and give free memory back to the system, if the C library is glibc.

    glibc takes a large array from its heap once another one of that size has been freed. A hole is left there if
    something small lies behind it, and rows that are not filled yet take memory. 300 runs of all topics, made by six
    threads, leave 253 MB in this way, 274 MB if free memory is given back alone, and 293 MB without both. Every
    thread would also begin a heap of its own, with holes of its own: two hundred learners take 26 MB less in one.
    """
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(MMAP_THRESHOLD, LARGE)
        libc.mallopt(ARENA_MAX, 1)
        Thread(target=trim_regularly, args=(libc.malloc_trim,), daemon=True).start()


def no_look_at_who_calls() -> None:
    """Keep Streamlit from looking whether someone runs it in an interactive interpreter.

    It does so before the first element of the first page, with `inspect.stack`, which looks up the file of each loaded
    module: 70 ms.
    """
    delta_generator._use_warning_has_been_displayed = True


def trim_regularly(trim: Callable[[int], int]) -> None:
    """Return unused memory to the system from time to time, as long as the server runs."""
    while True:
        time.sleep(TRIMMED)
        trim(0)


async def go_on(hours: float) -> None:
    """Load what pages need while the first browser still loads Streamlit's files; then delete old rooms regularly."""
    await anyio.to_thread.run_sync(load)
    Thread(target=load_all, daemon=True).start()
    from pages.classroom.routes import rooms_here

    await rooms_here().sweep(hours)


@cache
def load_pages() -> None:
    """Load the code of all pages and the course map; later calls do not wait for a topic that is being loaded.

    The first start with this code also has the lessons read, which takes some seconds.
    """
    with LOADING:
        load_scipy()
        for name in PAGES:
            import_module(name)
        from pages.player.opening import take_up_kept

        take_up_kept()
    from lessons.course.ahead import have_read

    have_read()


def load_scipy() -> None:
    """Load `scipy.special` without `numpy.f2py`, which reads Fortran and takes 30 ms to load.

    SciPy takes in all names of NumPy, which loads f2py when it is named. It still does for whoever names it later.
    """
    numpy: Any = import_module("numpy")
    given = vars(numpy).setdefault("f2py", None)
    try:
        import_module("scipy.special")
    finally:
        if given is None:
            del numpy.f2py


def load() -> None:
    """Load the pages, the lessons and the app's routes.

    Problems in lessons go to the log, since the person who starts the server may be able to fix them.
    """
    load_pages()
    from lessons.check.unread import passed_over
    from lessons.format.folders import folders, missing
    from lessons.installed import called
    from pages.drawing.numbers import counted
    from pages.lesson.lessons import library
    from pages.player.crew import CREW, usual_size

    CREW.size = usual_size()

    for said in missing():
        LOG.warning("%s", said)
    for folder in folders():
        for unread in passed_over(folder):
            LOG.warning("%s: %s", unread.path, unread.message)
    program = called("python -m lessons", "samplescope")
    for path, problems in library().problems.items():
        if path.is_file():
            LOG.warning("%s has %s: %s check %s", path, counted(len(problems), "problem"), program, path)
    load_topics(foreseen)
    if shown.wait(PATIENCE) and "" in foreseen:  # the course map
        time.sleep(TO_PAINT)
    OWN.load()


def load_topics(names: Container[str]) -> None:
    """Load the code of topics."""
    from lessons.topics import STAGES
    from pages.contract.stage import stage_of

    for name in STAGES:
        if name in names:
            STAGES[name]  # a page can be drawn with the settings alone, up to its charts
            stage_of(name)


def load_all() -> None:
    """Load all topics and Altair after the first page has been drawn and has its film.

    What is loaded by then stays. Frozen, it is not searched again at each collection of garbage, which would take
    70 to 90 ms.
    """
    time.sleep(PATIENCE)
    from lessons.topics import STAGES
    from pages.drawing.lazy import load_altair
    from pages.player.crew import CREW
    from pages.player.opening import have_drawn

    load_topics(STAGES)
    load_altair()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*USUAL)
    if CREW.size:
        have_drawn()
