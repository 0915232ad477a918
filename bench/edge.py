"""A week of a course at one small machine: what nginx's cache of frames and cards saves, and how many it carries.

The app runs as with ``make run``, behind nginx with ``deploy/nginx.conf``, here without TLS. 10,000 learners come in
the bursts of 40 class hours (`_week.py`); their requests are sent in this order, as fast as they are answered. Then a
few learners run the scripts of the pages, and some more come without the cache, to the same app, which has by then
computed what lessons share: that is paid once, with the cache.
``LEARNERS=100 python -m bench edge`` shows in a minute that all of this works; so few share too little for its figures.
"""

import asyncio
import logging
import os
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlsplit

from bench import Row
from bench._visit import Visit
from bench._week import HOURS, LESSONS, Week, lessons_of_courses, scenes
from bench.player import processor_seconds
from lessons.format.lesson import Lesson
from pages.player.modules import BUILD
from tests.browser.driver import Server
from tests.browser.proxy import REMEDY, behind_nginx, nginx

LEARNERS = int(os.environ.get("LEARNERS", "10000"))
WITHOUT = min(250, LEARNERS)  # who come without the cache
READERS = 20  # who run the pages' scripts
CONNECTIONS = 64
LONGEST = 900  # seconds that each part may take
BUSY = 0.7  # of a core: above that, waits grow
AGAIN = 0.25  # seconds until a request that was not answered in full is sent again


class Line(asyncio.Protocol):
    """One of the connections: it asks for one thing after the other, and for the same again until it is there whole."""

    def __init__(self, paths: Iterator[str], head: str, tally: Counter[str]) -> None:
        self.paths, self.head, self.tally = paths, head, tally
        self.path = next(paths, None)
        self.refused = ""
        self.timer: asyncio.TimerHandle | None = None
        self.got, self.missing = b"", 0
        self.lost = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for what is due."""
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.got, self.missing = transport, b"", 0
        self.ask()

    def connection_lost(self, error: Exception | None) -> None:
        """Let `run` connect again: nginx hangs up after a thousand requests."""
        if self.timer:
            self.timer.cancel()
        self.lost.set()

    def ask(self) -> None:
        """Send a request, or hang up if nothing is left."""
        if self.path is None:
            self.transport.close()
        else:
            self.transport.write(f"GET {self.path}{self.head}".encode())

    def data_received(self, data: bytes) -> None:
        """Read an answer's head, and pass over its body."""
        if self.missing:
            self.missing -= len(data)
        else:
            self.got += data
            head, found, body = self.got.partition(b"\r\n\r\n")
            if not found:
                return
            self.got, self.said = b"", head.lower()
            self.missing = int(self.said.partition(b"content-length:")[2].partition(b"\r\n")[0]) - len(body)
        if not self.missing:
            self.answered()

    def answered(self) -> None:
        """Go on to the next request if this one was answered in full."""
        status = self.said[9:12].decode()
        self.tally[status] += 1
        if status == "200":
            self.tally["hits"] += b"x-cache-status: hit" in self.said
        if status in ("202", "429", "503"):
            self.timer = asyncio.get_running_loop().call_later(AGAIN, self.ask)
            return
        if b"no-store" not in self.said:  # else it was a part, and the browser asks for the rest
            self.path = next(self.paths, None)
        elif status != "200":
            self.refused = f"{self.path} was answered by {status}"
            self.transport.close()
            return
        self.ask()

    async def run(self, host: str, port: int, own: str) -> None:
        """Ask for everything, from an address of its own, as the server counts requests by address."""
        while self.path is not None:
            self.lost.clear()
            await asyncio.get_running_loop().create_connection(lambda: self, host, port, local_addr=(own, 0))
            await self.lost.wait()
            if self.refused:
                raise RuntimeError(self.refused)


class Account(NamedTuple):
    """The totals of a part of the week: numbers of answers, seconds that passed, and seconds of the processor."""

    tally: Counter[str]
    took: float
    app: float
    proxy: float

    @property
    def requests(self) -> int:
        """The answers, with those that came in parts."""
        return sum(number for name, number in self.tally.items() if name != "hits")

    def each(self, learners: int) -> float:
        """Return the processor seconds of a learner."""
        return (self.app + self.proxy) / learners


class Edge:
    """The app behind nginx, whose files lie in a folder."""

    def __init__(self, app: Server, here: Path) -> None:
        self.app, self.here = app, here

    @property
    def proxy(self) -> Server:
        """The processes of nginx."""
        main = (self.here / "pid").read_text().strip()
        others = Path(f"/proc/{main}/task/{main}/children").read_text().split()
        return Server(self.app.url, tuple(map(int, (main, *others))))

    def without_cache(self) -> None:
        """Let nginx pass on all requests, and wait until it does."""
        file, before = self.here / "nginx.conf", self.proxy.pids
        text = file.read_text()
        assert "proxy_cache samplescope;" in text
        file.write_text(text.replace("proxy_cache samplescope;", "proxy_cache off;"))
        os.kill(before[0], signal.SIGHUP)
        while {*self.proxy.pids[1:]} & {*before[1:]} or len(self.proxy.pids) < 2:
            time.sleep(0.1)

    def seconds(self) -> tuple[float, float]:
        """Return the processor seconds of the app and of nginx so far."""
        return processor_seconds(self.app) or 0.0, processor_seconds(self.proxy) or 0.0

    async def answer(self, week: Week) -> Account:
        """Send a week's requests."""
        parts, tally = urlsplit(self.app.url), Counter[str]()
        base = f"{parts.path}/play/{BUILD}/"
        paths = (base + path for path in week)
        head = f" HTTP/1.1\r\nHost: {parts.netloc}\r\nAccept-Encoding: gzip\r\n\r\n"
        app, proxy = self.seconds()
        start = time.perf_counter()
        lines = [Line(paths, head, tally) for _ in range(CONNECTIONS)]
        run = [
            line.run(parts.hostname or "", parts.port or 0, f"127.0.0.{2 + place}") for place, line in enumerate(lines)
        ]
        async with asyncio.timeout(LONGEST):
            await asyncio.gather(*run)
        after = self.seconds()
        return Account(tally, time.perf_counter() - start, after[0] - app, after[1] - proxy)

    async def read(self, courses: list[list[Lesson]]) -> float:
        """Let learners open three lessons in one tab each, and press Next to their ends.

        Returns
        -------
        float
            Processor seconds of the app a learner: of scripts, as nginx has all frames and cards.
        """
        tabs = []
        used = 0.0
        for number in range(len(courses) + READERS):
            if number == len(courses):  # all code is loaded
                used = self.seconds()[0]
            lessons = courses[number % len(courses)][:LESSONS]
            tab = Visit(self.app, lessons[0].stage, f"lesson={lessons[0].id}", f"reader{number}")
            await tab.visit()
            tabs.append(tab)
            for lesson in lessons:
                if lesson is not lessons[0]:
                    await tab.go(lesson.stage, f"lesson={lesson.id}")
                for _ in lesson.steps[1:]:
                    await tab.press("next")
        used = self.seconds()[0] - used
        for tab in tabs:
            await tab.leave()
        return used / READERS


def table(week: Week, cached: Account, passed: Account, scripts: float) -> Iterator[Row]:
    """Yield the rows."""
    hits = cached.tally["hits"]
    often = f"{cached.requests / LEARNERS:.0f} each; {HOURS} class hours in {cached.took:.0f} s"
    yield Row(f"{LEARNERS:,} learners, {LESSONS} lessons each: requests", cached.requests, None, often, unit="")
    yield Row("  of which nginx's cache answered", hits / cached.requests, unit="share")
    busiest = max(week.minutes.values())
    yield Row("  in the busiest minute", busiest / 60, None, "as learners make them, not compressed", unit="/s")
    work = week.seconds / LEARNERS
    yield Row("  scripts of pages, processor time a learner", scripts, None, f"{work / 60:.0f} minutes of work")
    for name, one, many in (("with the cache", cached, LEARNERS), ("without the cache", passed, WITHOUT)):
        said = f"app {1e3 * one.app / many:.1f} ms, nginx {1e3 * one.proxy / many:.1f} ms; {many:,} learners"
        yield Row(f"{name}: frames and cards, processor time a learner", one.each(many), None, said)
        yield Row("  requests that one core answers", one.requests / (one.app + one.proxy), unit="/s")
        yield Row(
            f"  learners at once, a core {BUSY:.0%} busy, frames and cards", BUSY * work / one.each(many), unit=""
        )
        yield Row("  the same with the scripts of their pages", BUSY * work / (one.each(many) + scripts), unit="")


def rows() -> Iterator[Row]:
    if nginx() is None:
        print(REMEDY)
        return
    logging.disable(logging.WARNING)  # Streamlit says at length that no page is open
    courses = lessons_of_courses()
    steps = [[scenes(lesson) for lesson in course] for course in courses]
    with TemporaryDirectory() as folder, behind_nginx(Path(folder)) as server:
        edge, week = Edge(server, Path(folder)), Week(steps, LEARNERS)
        cached = asyncio.run(edge.answer(week))
        scripts = asyncio.run(edge.read(courses))
        edge.without_cache()
        passed = asyncio.run(edge.answer(Week(steps, WITHOUT, first=LEARNERS)))
    yield from table(week, cached, passed, scripts)
