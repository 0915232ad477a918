"""A learner who opens pages without a browser: scripts by Streamlit's protocol, films by the routes as player.js."""

import asyncio
import json
import time
from collections.abc import Awaitable
from urllib.parse import urlsplit

from bench._line import FEW, Line, count_of
from bench._session import Session
from lessons.topics import STAGES
from pages.player.modules import BUILD
from tests.browser.driver import Server

STORE = "answers store"


class Visit(Session):
    """A tab that does by itself what a browser does when a page opens.

    It says that its memory holds no answers, and fetches the film that the player's message names with its first
    frames and what is drawn at rest. A page is open when all of that is there.
    """

    def __init__(self, server: Server, page: str, query: str, tab: str) -> None:
        super().__init__(server, page, query, tab)
        self.fetched = ""  # the chain of the film that is there
        self.frames = 0  # of it
        self.lines = [Line(server, tab) for _ in range(3)]

    async def visit(self) -> float:
        """Open the page; return how many seconds that took."""
        start = time.perf_counter()
        await self.open()
        self.states.widgets.add(id=self.ids[STORE], json_value='{"kept":{}}')
        await self.rerun(self.query, self.parts[STORE])
        await self.film()
        return time.perf_counter() - start

    async def press(self, name: str) -> float:
        """Press a button of the page; return the seconds until what it opens is there."""
        start = time.perf_counter()
        pressed = self.states.widgets.add(id=self.ids[name], trigger_value=True)
        await self.rerun(self.query)
        self.states.widgets.remove(pressed)
        await self.film()
        return time.perf_counter() - start

    async def go(self, page: str, query: str) -> float:
        """Follow a link to another page in the same tab; return the seconds until it is open."""
        start = time.perf_counter()
        self.page, self.query, self.shown = page, query, {}
        await self.rerun(query)
        await self.film()
        return time.perf_counter() - start

    async def film(self) -> None:
        """Fetch the film that is shown, unless it is there; the map has none."""
        if not self.page:
            return
        while not self.shown:  # it takes more than a slice of computing: a fragment goes on with it
            self.done.clear()
            await self.answered()
        shown = self.shown
        if shown["chain"] == self.fetched:
            return
        self.fetched = shown["chain"]
        for line in self.lines:
            line.page = self.name
        asked: list[Awaitable[object]] = [self.ask_for(0, "film"), self.first_frames()]
        if shown["still"]:
            asked.append(self.ask_for(2, f"still?t={shown['at']}"))
        await asyncio.gather(*asked)

    async def first_frames(self) -> None:
        """Ask for frames up to the one that is shown, and a few more."""
        stop = min(self.shown["total"] + 1, FEW * -(-(self.shown["at"] + 2) // FEW))
        self.frames = 0
        while self.frames < stop:
            self.frames += count_of(await self.ask_for(1, f"frames?from={self.frames}&to={stop}"))

    async def ask_for(self, line: int, what: str) -> bytes:
        """Ask for something of the film until it is there, and return it."""
        topic, _, settings = self.shown["source"].partition("?")
        what, _, more = what.partition("?")
        base = urlsplit(self.server.url).path
        path = f"{base}/play/{BUILD}/{topic}/{what}?{'&'.join(filter(None, (settings, more)))}"
        while True:
            status, body = await self.lines[line].get(path)
            if status == 200:
                return body
            if status != 202:
                raise RuntimeError(f"{path} was answered by {status}: {body[:200]!r}")
            await asyncio.sleep(json.loads(body)["pause"] / 1e3)

    async def leave(self) -> None:
        """Close the tab."""
        for line in self.lines:
            line.close()
        await self.close()


async def load_all(server: Server) -> None:
    """Open a page of each topic, so that no topic is loaded while something else is measured."""
    for topic in STAGES:
        visit = Visit(server, topic, "seed=1", "first")
        await visit.visit()
        await visit.leave()
