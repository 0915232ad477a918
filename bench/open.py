"""The time to open a page, for one learner and for a whole class at once, and the time to start the server.

A page is open when its scripts have run and its film, first frames and data at rest have arrived. A start is timed in
Chromium, beside an empty Streamlit app that starts in the same run.
"""

import asyncio
import shutil
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import BrowserContext

from bench import Reference, Row
from bench._session import Session
from bench._visit import Visit, load_all
from bench.player import processor_seconds
from pages.player.opening import have_drawn
from tests.browser.driver import ROOT, WIDE, Server, browse, chromium, free_port, serve

TIMES = 20  # pages of a kind, one after the other
CLASSES = (30, 100)
LESSONS = {  # of a topic: a lesson, and the one that a learner goes on to
    "crp_mixture": ("mixture-one-update", "mixture-one-to-many"),
    "crp_seating": ("crp-seating", "crp-rich-get-richer"),
    "gibbs_text": ("text-word-by-word", "text-spam-without-labels"),
    "logistic": ("logistic-one-line", "logistic-newton"),
}
OWN = {  # a seed that nobody had
    "crp_mixture, 300 points": ("crp_mixture", "points=300&seed={}"),
    "crp_seating": ("crp_seating", "seed={}"),
    "gibbs_text": ("gibbs_text", "seed={}"),
    "logistic": ("logistic", "seed={}"),
}
MAP = ("", "")
STARTS = 5
EMPTY_PAGE = 0.0022  # seconds of processor time to open one, where limits were agreed
EMPTIES = 200  # a processor's time is told in hundredths of a second
EMPTY = "import streamlit as st\n\nst.title('Nothing here yet')\n"
PAGES = {  # what a browser that has been there waits for, and how many times an empty app's start that may take
    "the course map": ("", "See samplers work", 1.4),
    "a topic with its charts": ("crp_seating?t=0", "customer 0 of", 1.8),
}
STAGES = {"the restaurant": "crp_seating?t=12", "the mixture": "crp_mixture?concentration=2"}
DRAWN = """() => new Promise((done) => {
  const { responseStart } = performance.getEntriesByType("navigation")[0];
  const look = () => {
    if (document.querySelector(".st-key-player[data-drawn]")) done(performance.now() - responseStart);
    else requestAnimationFrame(look);
  };
  look();
})"""
numbers = count(1_000_000)  # of tabs, and seeds that nobody had

Act = Callable[[], Awaitable[float]]


def tab(server: Server, page: str, query: str) -> Visit:
    """Return a tab that has opened nothing yet; ``{}`` in its query becomes a seed of its own."""
    number = next(numbers)
    return Visit(server, page, query.format(number), f"tab{number}")


async def row(server: Server, what: str, limit: float | None, act: Act) -> Row:
    """Return the processor time of an act that was done once before, and its duration."""
    await act()
    before, times = processor_seconds(server) or 0.0, [await act() for _ in range(TIMES)]
    used = (processor_seconds(server) or 0.0) - before
    return Row(what, used / TIMES, limit, f"{1e3 * statistics.median(times):.0f} ms until it is open")


async def one_by_one(server: Server) -> list[Row]:
    """Open pages one after the other, as a lone learner does."""

    def opened(page: str, query: str) -> Act:
        async def act() -> float:
            visit = tab(server, page, query)
            took = await visit.visit()
            await visit.leave()
            return took

        return act

    await load_all(server)
    rows = [await row(server, "the course map", 0.020, opened(*MAP))]
    for topic, (lesson, after) in LESSONS.items():
        rows.append(await row(server, f"a page of {lesson}", 0.020, opened(topic, f"lesson={lesson}")))
        reader = tab(server, topic, f"lesson={lesson}")
        await reader.visit()

        async def forth_and_back(reader: Visit = reader) -> float:
            return (await reader.press("next") + await reader.press("back")) / 2

        both = await row(server, "  Next", 0.015, forth_and_back)
        rows.append(both._replace(value=(both.value or 0.0) / 2))

        async def on(reader: Visit = reader, topic: str = topic, two: tuple[str, ...] = (after, lesson)) -> float:
            return sum([await reader.go(topic, f"lesson={one}") for one in two]) / 2

        both = await row(server, "  next lesson", None, on)
        rows.append(both._replace(value=(both.value or 0.0) / 2))
        await reader.leave()
    for name, link in OWN.items():
        rows.append(await row(server, f"a seed of one's own: {name}", 0.060, opened(*link)))
    return rows


async def at_once(server: Server, what: str, page: str, query: str, many: int, limit: float | None) -> Row:
    """Let a class open a page at the same moment; return when the last learner has it."""
    visits = [tab(server, page, query) for _ in range(many)]
    before, start = processor_seconds(server) or 0.0, time.perf_counter()
    times = await asyncio.gather(*(visit.visit() for visit in visits))
    last, used = time.perf_counter() - start, (processor_seconds(server) or 0.0) - before
    for visit in visits:
        await visit.leave()
    said = f"median {statistics.median(times):.2f} s; {1e3 * used / many:.0f} ms of processor time each"
    return Row(f"{many} open {what} at once, the last", last, limit, said)


async def together(server: Server) -> list[Row]:
    """Let classes open a lesson, and pages with different seeds."""
    lesson, own = ("crp_mixture", "lesson=mixture-one-update"), OWN["crp_mixture, 300 points"]
    found = []
    for many in CLASSES:
        whole = many == max(CLASSES)
        found.append(await at_once(server, "a lesson", *lesson, many, 2.5 if whole else None))
        found.append(await at_once(server, "seeds of their own", *own, many, 7.0 if whole else None))
        found.append(await at_once(server, "the course map", *MAP, many, None))
    return found


@contextmanager
def empty_app() -> Iterator[Path]:
    """Make a folder with an app that shows a title, and the settings of ours."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "app.py").write_text(EMPTY)
        shutil.copytree(ROOT / ".streamlit", folder / ".streamlit")
        yield folder


async def empty_page(server: Server) -> Reference:
    """Open the page of an empty app: what Streamlit takes by itself on this machine."""

    async def act() -> None:
        session = Session(server, "", "")
        await session.open()
        await session.close()

    await act()
    before = processor_seconds(server) or 0.0
    for _ in range(EMPTIES):
        await act()
    used = (processor_seconds(server) or 0.0) - before
    return Reference("empty pages", used / EMPTIES or EMPTY_PAGE, EMPTY_PAGE)


def started(context: BrowserContext, port: int, folder: Path, path: str, text: str) -> float:
    """Return the seconds from ``streamlit run`` in a folder until a browser shows a text."""
    page, start = context.new_page(), time.perf_counter()
    with serve(port, folder=folder) as server:
        page.goto(f"{server.url}/{path}", wait_until="commit")
        page.get_by_text(text).first.wait_for()
        took = time.perf_counter() - start
    page.close()
    return took


def starts() -> Iterator[Row]:
    """Start the app and an empty one in turn, each in a browser that has opened it before.

    The charts with which topics open are drawn, as they are from an installation's second start on.
    """
    have_drawn()
    with empty_app() as folder, browse() as browser:
        pages = {"an empty app": (folder, "", "Nothing here yet")}
        pages |= {name: (ROOT, path, text) for name, (path, text, _) in PAGES.items()}
        contexts = {name: browser.new_context(viewport=WIDE) for name in pages}
        ports = {name: free_port() for name in pages}  # browsers keep files by the port, too
        times: dict[str, list[float]] = {name: [] for name in pages}
        for _ in range(1 + STARTS):
            for name, page in pages.items():
                times[name].append(started(contexts[name], ports[name], *page))
    empty, *ours = (times[name][1:] for name in pages)
    yield Row("streamlit run to an empty app", statistics.median(empty), None, "in a browser that was there before")
    for (name, (_, _, most)), took in zip(PAGES.items(), ours, strict=True):
        ratio = statistics.median(one / other for one, other in zip(took, empty, strict=True))
        said = f"{1e3 * statistics.median(took):.0f} ms; {1e3 * times[name][0]:.0f} ms in a browser that comes first"
        yield Row(f"  {name}, by an empty app", ratio, most, said, unit="times")


def bare(server: Server) -> Iterator[Row]:
    """Open bare stages in Chromium: from the first byte of the page to its main picture."""
    with browse() as browser:
        for name, address in STAGES.items():
            times: dict[str, list[float]] = {"first": [], "again": []}
            for _ in range(1 + STARTS):
                context = browser.new_context(viewport=WIDE)
                for visit in times.values():
                    page = context.new_page()
                    page.goto(f"{server.url}/stage/{address}", wait_until="commit")
                    visit.append(page.evaluate(DRAWN) / 1e3)
                    page.close()
                context.close()
            first, again = (statistics.median(visit[1:]) for visit in times.values())
            said = f"from its first byte to its picture; {1e3 * again:.0f} ms in a browser that was there before"
            yield Row(f"a bare stage: {name}", first, 0.3, said)


def rows() -> Iterator[Row | Reference]:
    with empty_app() as folder, serve(folder=folder) as server:
        yield asyncio.run(empty_page(server))
    with serve() as server:
        yield from asyncio.run(one_by_one(server))
        yield from asyncio.run(together(server))
    if chromium():
        with serve() as server:
            yield from bare(server)
        yield from starts()
    else:
        print("no Chromium found: no start is timed; install it with: apt-get install chromium")
