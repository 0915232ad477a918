"""A class's projector, at the sizes that lecture halls have: nothing that is shown needs to be scrolled to."""

import json
import re
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from lessons.format.lesson import Lesson, Step
from pages.classroom import reports
from pages.classroom.questions import described, reason
from pages.classroom.room import Round
from pages.classroom.store import Answer
from pages.lesson.lessons import library
from tests.browser.driver import Server
from tests.browser.snippets import PLAYER

pytestmark = pytest.mark.browser
SIZES = [(1920, 1080), (1280, 720), (1366, 768), (1024, 768), (1280, 800)]
CODE, LONGEST, LEARNERS = "KX7M2PQ9", 5, 40
IN_CLASS = """code => {
  sessionStorage.setItem("samplescope class", code);
  sessionStorage.setItem("samplescope class role", "shows");
  localStorage.setItem("samplescope class " + code, "a secret");
}"""
# What of the panel lies below its lower end, or beside it; whether the code is in the window; and its smallest type.
HIDDEN = """async () => {
  for (const _ of "12") await new Promise(requestAnimationFrame); // a change of the window's size has been noticed
  const box = document.querySelector("#samplescope-class").shadowRoot.querySelector(".screen");
  const [panel, corner] = [box.querySelector(".shown"), box.querySelector(".corner")];
  const end = Math.min(panel.getBoundingClientRect().bottom, corner.getBoundingClientRect().top) + 1;
  const parts = [...panel.querySelectorAll("h1, li, .text > *, .count, svg, math")];
  const outside = ({ bottom, right }) => bottom > end || right > innerWidth + 1;
  return {
    hidden: parts.filter((part) => outside(part.getBoundingClientRect())).map(({ outerHTML }) => outerHTML),
    corner: corner.getBoundingClientRect().bottom <= innerHeight + 1,
    type: Math.min(...parts.map((part) => parseFloat(getComputedStyle(part).fontSize))) / innerHeight,
  };
}"""
# Each chart that is shown: how high it is, and whether it lies within the window.
CHARTS = f"""() => [...{PLAYER}.root.querySelectorAll("figure canvas")].filter((canvas) => canvas.checkVisibility())
  .map((canvas) => canvas.getBoundingClientRect()).map(({{ height, bottom }}) => [height, bottom <= innerHeight])"""


class Projector:
    """A projector's window, and the server's end of its connection to the class."""

    def __init__(self, page: Page, server: Server) -> None:
        self.page, self.told = page, 0
        page.add_init_script(f"({IN_CLASS})({json.dumps(CODE)})")
        page.route_web_socket("**/room/*", self._joined)
        page.goto(server.url)
        page.locator("#samplescope-class .screen").wait_for(state="attached")

    def _joined(self, socket: WebSocketRoute) -> None:
        self.socket = socket

    def tell(self, **state: Any) -> None:
        """Tell it the class's state, and wait until that is drawn."""
        self.told += 1
        plain = {"number": 1, "code": CODE, "free": False, "paused": False, "locked": False, "ended": False}
        rest = {"trouble": "", "show": None, "round": None, "hands": None, "people": 1000 + self.told}
        self.socket.send(json.dumps({"state": plain | rest | state}))
        expect(self.page.locator("#samplescope-class .corner")).to_contain_text(f"{1000 + self.told} here")


@pytest.fixture
def projector(browser: Browser, server: Server) -> Iterator[Projector]:
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    yield Projector(context.new_page(), server)
    context.close()


def longest() -> list[tuple[Lesson, Step]]:
    """Return the questions of all lessons that need most room: by what is read, and with their formulas."""

    def length(html: str, asked: tuple[Lesson, Step]) -> int:
        told = described(asked[0].id, asked[1].id)
        words = [told["title"], told["text"], reason(asked[1]), *(option["html"] for option in told["options"])]
        return len(re.sub(html, "", "".join(words))) + 50 * len(told["options"])

    asked = [(lesson, step) for lesson in library().lessons for step in lesson.steps if step.choices]
    ranked = [sorted(asked, key=partial(length, html))[-LONGEST:] for html in ("<[^>]*>", "$^")]
    return list({step.id: (lesson, step) for lesson, step in chain(*ranked)}.values())


def phases(lesson: Lesson, step: Step) -> Iterator[dict[str, Any]]:
    """Yield a question as all see it: while it is open, after a second vote, and with the answer revealed."""
    keys = [(choice.key,) for choice in step.choices] if step.form.lists else [(str(n),) for n in range(LEARNERS)]
    given = {str(n): Answer(1, str(n), keys[n % len(keys)], 0.0) for n in range(LEARNERS)}
    for how in ({"open": True}, {"revealed": False}, {}):
        asked = Round(id=2, first=1, lesson=lesson.id, step=step.id, **{"open": False, **how})
        yield dict(reports.round_for_all(asked, given, given))


def test_the_longest_questions_have_room_with_their_choices_answers_and_reasons(projector):
    for lesson, step in longest():
        for told in phases(lesson, step):
            projector.tell(round=told)
            for wide, high in SIZES:
                projector.page.set_viewport_size({"width": wide, "height": high})
                found = projector.page.evaluate(HIDDEN)
                assert found["hidden"] == [], (lesson.id, step.id, told["shown"], wide, high)
                assert found["corner"]
                assert found["type"] > 0.012, (lesson.id, step.id, wide, high)


def test_charts_can_be_read_beside_a_question(projector):
    show = {"page": "crp_seating", "query": "seed=7&customers=60", "t": 40, "playing": False, "speed": 1.0, "by": ""}
    lesson, step = longest()[-1]
    for asked in (None, next(phases(lesson, step))):
        projector.tell(show=show, round=asked)
        expect(projector.page.locator("figure canvas")).to_have_count(5)
        for wide, high in SIZES:
            projector.page.set_viewport_size({"width": wide, "height": high})
            # charts are laid out anew in the frame after the window has its size
            projector.page.wait_for_function(
                f"() => ({CHARTS})().every(([tall, within]) => within && tall > {0.07 * high})"
            )
