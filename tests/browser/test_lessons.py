"""A lesson tells nothing that is not on its screen: every control, view and chart that it names, and every number.

What is arithmetic, or comes from beyond the screen, stands in ``told.yaml`` beside this file with where it comes from.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Container, Iterator
from itertools import chain
from typing import Any, get_args

import pytest
import yaml
from playwright.sync_api import Browser

from lessons.reader import STAGES, Lesson, Step
from lessons.reader.order import in_order
from lessons.stages.settings import flags_of
from pages.shell.controls import words
from pages.shell.lessons import library
from tests.browser import claims, on_stage
from tests.browser.driver import FOLLOW, PLAYER, ROOT, UNPAINTED, WIDE, Screen, Server

LIBRARY = library()
COLLECT = (ROOT / "tests" / "browser" / "collect.js").read_text("utf-8")
TOLD = yaml.load((ROOT / "tests" / "browser" / "told.yaml").read_text("utf-8"), yaml.BaseLoader)  # all of it as text
AHEAD = 5  # steps that a text without a question may speak of: "press Step"
NOTHING = claims.Screen("", [])
TERMS = [form for term in LIBRARY.terms for form in term.forms]


class Reader:
    """Opens steps by their links, and reads what is on the screen."""

    def __init__(self, browser: Browser, server: Server) -> None:
        self.browser, self.server = browser, server
        self.below: dict[str, None] = {}  # what a lesson's steps have below the window, in order
        self.begin()

    def begin(self) -> None:
        """Come for the first time: nothing has been answered, and nothing is under way."""
        context = self.browser.new_context(viewport=WIDE, color_scheme="light", reduced_motion="reduce")
        context.add_init_script(UNPAINTED)
        self.page, self.here = context.new_page(), ("", "")
        self.screen = Screen(self.page, self.server)
        self.page.set_default_timeout(60_000)

    def end(self) -> None:
        """Leave."""
        self.page.context.close()

    def anew(self) -> None:
        """Begin anew: who tries again finds nothing answered, and the next lesson nothing that hangs."""
        self.end()
        self.begin()

    def open(self, lesson: Lesson, step: Step) -> claims.Screen:
        """Go to a step by its link, within the app if it is open already."""
        link = f"{self.server.url}/{lesson.stage}?lesson={lesson.id}&step={step.id}"
        if self.here[0]:
            self.page.evaluate(FOLLOW, link)
        else:
            self.page.goto(link)
        self.here = lesson.id, step.id
        return self.read(step.at)

    def read(self, t: int | None = None, seconds: float = 120) -> claims.Screen:
        """Wait until nothing moves any more, at iteration t if one is given, and read."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.screen.settle(patience=seconds)
            if now := self.page.evaluate(COLLECT, [*self.here, t]):
                self.below.update({f"{self.here[1]}: {what}": None for what in now["below"]})
                return claims.Screen.read(now["texts"], now["held"])
        raise AssertionError(f"{self.here} does not come to rest at {t}")

    def go_to(self, t: int) -> claims.Screen:
        """Move the player, as its scrub bar does."""
        self.page.evaluate(f"t => {PLAYER}.settle(t)", t)
        return self.read(t)

    def answer(self, lesson: Lesson, step: Step) -> claims.Screen:
        """Choose what is right and see what follows, without waiting for the walk there."""
        question = self.page.locator(".st-key-question")
        if step.ask.guessed:
            places = step.ask.drawn(step.choices)["places"] or {}
            assert self.page.locator("svg.guess g.place").count() == len(places), "a place lies beside its chart"
            right = step.answers.counted(step.answers.right_keys)[0]
            self.page.evaluate(f"value => {PLAYER}.reporter.send('guess', {{ value }})", right)
        for number, choice in enumerate(() if step.ask.guessed else in_order(lesson.id, step)):
            if choice.correct:
                question.locator("label:has(input)").nth(number).click()
        self.screen.heard()
        check = self.page.get_by_role("button", name="Check")
        check.click()
        check.wait_for(state="detached")
        if not step.then.advance:
            return self.read(step.at)
        end = (step.at or 0) + step.then.advance
        self.page.wait_for_function(f"t => {PLAYER}.state.goal === t || {PLAYER}.at === t", arg=end)
        return self.go_to(end)

    def views(self, named: list[str]) -> claims.Screen:
        """Open the inspector's views that are named, one after the other."""
        screen = NOTHING
        for radio in self.page.locator(".st-key-views").get_by_role("radio").all():
            if radio.inner_text().strip() in named:
                radio.click()
                screen += self.read()
        return screen


def param(lesson: Lesson) -> Any:
    """Have the lessons of a topic read one after the other, and those of another topic beside them."""
    return pytest.param(lesson, id=lesson.path.stem, marks=pytest.mark.xdist_group(lesson.stage))


@pytest.fixture(scope="module")
def reader(browser: Browser, server: Server) -> Iterator[Reader]:
    found = Reader(browser, server)
    yield found
    found.end()


def inputs(lesson: Lesson, step: Step) -> Iterator[float]:
    """Give the numbers that a step is set to."""
    start = step.at or 0
    yield from (lesson.seed_for(step), start, step.then.advance, start + step.then.advance, step.until or 0)
    yield from (value for value in lesson.settings_for(step).model_dump().values() if isinstance(value, int | float))


def options(lesson: Lesson, step: Step) -> Iterator[str]:
    """Give what can be chosen at the controls of a step; the lists are not on the screen until they are opened."""
    fields = STAGES[lesson.stage].model_fields
    for name in set(lesson.show_for(step)) & fields.keys():
        said: Any = flags_of(fields[name]).get("words", {})
        yield from (said.get(option, words(str(option))) for option in get_args(fields[name].annotation))


def on_the_way(lesson: Lesson, step: Step) -> range:
    """Return the iterations that a step's text may speak of, as it asks nothing: "press Step"."""
    start, end = step.at or 0, lesson.settings_for(step).iterations
    return range(start + 1, start + 1 if step.choices else min(start + AHEAD, end) + 1)


def made_before(lesson: Lesson, step: Step, named: list[str]) -> Iterator[claims.Screen]:
    """Give what a step shows until it is answered, as far as that is known without a browser."""
    yield on_stage.before(lesson, step, step.at or 0, named)
    if step.until is not None:
        yield on_stage.before(lesson, step, step.until)
    for t in on_the_way(lesson, step):
        yield on_stage.before(lesson, step, t)


def read_before(reader: Reader, lesson: Lesson, step: Step, named: list[str]) -> Iterator[claims.Screen]:
    """Give the same in a browser."""
    yield reader.open(lesson, step)
    if step.until is not None:
        yield reader.go_to(step.until)
    yield reader.views(named)
    for t in on_the_way(lesson, step):
        yield reader.go_to(t)


def shown_after(reader: Reader, lesson: Lesson, step: Step, named: list[str]) -> Iterator[claims.Screen]:
    """Give what a step shows once it is answered, without a browser and then in one."""
    if step.choices:
        yield on_stage.after(lesson, step, (step.at or 0) + step.then.advance, named)
    if reader.here != (lesson.id, step.id):
        yield reader.open(lesson, step)
    if step.choices:
        yield reader.answer(lesson, step)
    yield reader.views(named)


def not_shown(reader: Reader, lesson: Lesson, step: Step, told: Container[str]) -> list[str]:
    """Return the claims of a step that none of its screens shows; no more of them are looked at than it takes."""
    before, later = claims.told_before(step), claims.told_after(step)
    known = NOTHING
    if step.choices:
        known += claims.Screen("", claims.claimed_numbers(before))  # a number is asked for once
        if not step.form.lists and step.ask.outcome:  # the checker has run it
            known += claims.Screen.read([], [step.answers.right])

    def missing(text: str, screen: claims.Screen) -> list[str]:
        return [claim for claim in screen.missing(text, TERMS) if claim not in told]

    def enough(text: str, screen: claims.Screen, others: Iterator[claims.Screen]) -> claims.Screen:
        while missing(text, screen) and (other := next(others, None)):
            screen += other
        return screen

    screen = claims.Screen.read(list(options(lesson, step)), inputs(lesson, step))
    named = claims.claimed_names(before)
    screen = enough(before, screen, chain(made_before(lesson, step, named), read_before(reader, lesson, step, named)))
    unseen = missing(before, screen)
    screen = enough(later, screen + known, shown_after(reader, lesson, step, claims.claimed_names(later)))
    return unseen + missing(later, screen)


@pytest.mark.browser
@pytest.mark.parametrize("lesson", [param(one) for one in LIBRARY.lessons])
def test_what_a_lesson_tells_is_on_its_screen(reader, lesson):
    missing: dict[str, list[str]] = {}
    reader.below.clear()
    for step in lesson.steps:
        try:
            unseen = not_shown(reader, lesson, step, TOLD.get(lesson.id, {}).get(step.id, {}))
        except Exception:
            reader.anew()
            raise
        if unseen:
            missing[step.id] = unseen
    if missing:
        reader.anew()
    assert not missing, f"show it, or say in tests/browser/told.yaml where it comes from: {missing}"
    assert not reader.below, "cards end on the screen, and Next is always there"


# ---- what is told without being shown --------------------------------------------------------------------------------

MATHS = {**vars(math), "sum": sum, "range": range, "abs": abs}
TEST = re.compile(r"(tests/\S+\.py)::(\w+)")


def comes_from(claim: str, source: str) -> bool:
    """Return whether a number is what its source says, as far as that can be seen here."""
    if source == "given":
        return True
    if test := TEST.fullmatch(source):
        return f"def {test[2]}(" in (ROOT / test[1]).read_text("utf-8")
    (number,) = claims.numbers(claim)
    return number.rounds(claims.exactly(eval(source, {"__builtins__": {}}, MATHS)))


def test_what_is_told_without_being_shown_comes_from_somewhere():
    for name, steps in TOLD.items():
        lesson = LIBRARY.lesson(name)
        texts = {step.id: claims.told_before(step) + "\n\n" + claims.told_after(step) for step in lesson.steps}
        for step, told in steps.items():
            text = texts[step]
            stated = claims.claimed_names(text) + [number.text for number in claims.claimed_numbers(text)]
            for claim, source in told.items():
                assert claim in stated, f"{name}, {step}: {claim} is not told"
                assert comes_from(claim, source), f"{name}, {step}: {claim} is not {source}"


@pytest.mark.parametrize(
    ("claim", "source"), [("0.5", "1 / 3"), ("0.3", "tests/browser/test_lessons.py::test_that_is_not_there")]
)
def test_a_false_source_is_seen(claim, source):
    assert not comes_from(claim, source)
