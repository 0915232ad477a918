"""10,000 edits of lessons in the folder of a running app, whose other pages are asked for meanwhile: ``make fuzz``."""

import asyncio
import os
import random
import re
from pathlib import Path
from urllib.parse import urlencode

import pytest
from streamlit.proto.Delta_pb2 import Delta

from bench._session import Session
from bench._visit import STORE
from lessons.course.template import lesson_from
from lessons.failing import UNFORESEEN
from lessons.format.folders import LESSONS as FOLDERS
from tests.browser.driver import Server, serve
from tests.edits import LESSONS, edited
from tests.loop import awaited

EDITS = int(os.environ.get("EDITS", "10000"))
AT_ONCE = 50  # files
SORRY = "Something went wrong"
OTHERS = {  # pages that no edit concerns, with words on each
    ("", ""): "See samplers work",
    ("work", ""): "My work",
    ("coin", ""): "One coin",
    ("coin", "t=3"): "One coin",
    ("coin", "lesson=coin-posterior"): "A prior becomes a posterior",
    ("studio", ""): "Studio",
}
EDITED = [text for text in LESSONS if "\nstage: coin\n" not in text]
WATCH = "watch"  # the id of a lesson in the folder, whose title is the number of the round


class Tab(Session):
    """A tab that keeps the words of its page."""

    words = ""

    def draw(self, delta: Delta) -> None:
        """Take in an element."""
        super().draw(delta)
        self.words += str(delta.new_element)

    async def again(self) -> str:
        """Draw the page anew, as a click does, and return its words."""
        self.words = ""
        self.known.clear()  # so that all elements come again
        await asyncio.wait_for(self.rerun(self.query), 120)
        return self.words


async def opened(server: Server, page: str, query: str) -> Tab:
    """Return a tab with a page, of a learner who has answered nothing yet."""
    tab = Tab(server, page, query)
    await asyncio.wait_for(tab.open(), 120)
    if STORE in tab.ids:
        tab.states.widgets.add(id=tab.ids[STORE], json_value='{"kept":{}}')
    return tab


async def edit(server: Server, folder: Path, chance: random.Random) -> list[str]:
    """Edit and look, again and again; return what went wrong."""
    others = {link: await opened(server, *link) for link in OTHERS}
    cover, wrong = others["coin", ""], []
    for done in range(0, EDITS, AT_ONCE):
        texts = [edited(chance, EDITED) for _ in range(AT_ONCE)]
        for number, text in enumerate(texts):
            (folder / f"{number}.md").write_text(text, "utf-8", newline="")
        title = f"Round {done} begins"
        (folder / "watch.md").write_text(lesson_from(WATCH, "coin").replace('title: "Watch"', f'title: "{title}"'))
        while title not in await cover.again():
            pass
        for link, tab in others.items():
            words = await tab.again()
            if SORRY in words or OTHERS[link] not in words:
                wrong.append(f"{link} in the round of {done}")
        name, stage = (re.search(rf"(?m)^{key}: (\w[\w-]*)$", chance.choice(texts)) for key in ("id", "stage"))
        own = await opened(server, stage[1], urlencode({"lesson": name[1]})) if name and stage else cover
        if SORRY in own.words:
            wrong.append(f"its own page in the round of {done}: {own.query}")
        if own is not cover:
            await own.close()
    for tab in others.values():
        await tab.close()
    return wrong


def test_other_pages_stay_whatever_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    folder, log = tmp_path / "mine", tmp_path / "log"
    folder.mkdir()
    monkeypatch.setenv(FOLDERS, str(folder))
    with serve(log=log) as server:
        wrong = awaited(edit(server, folder, random.Random(7)))
    lines = log.read_text("utf-8").splitlines()
    assert [line for line in lines if UNFORESEEN in line or " error " in line or "could not be read" in line] == []
    assert wrong == []
