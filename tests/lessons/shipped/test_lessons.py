"""Every step of every lesson opens, and tells nothing that is not on its screen: its controls, views, charts, numbers.

What is arithmetic, or comes from beyond the screen, stands in ``told.yaml`` beside this file with where it comes from.
"""

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from streamlit.testing.v1 import AppTest

from lessons.format.lesson import Lesson, Step
from lessons.settings.settings import flags_of
from lessons.topics import STAGES
from pages.lesson.controls import words
from pages.lesson.lessons import body, library
from tests.lessons.shipped import claims, on_page, on_stage
from tests.pages.visits import head, heard

ROOT = Path(__file__).parents[3]
LIBRARY = library()
TOLD = yaml.load(Path(__file__).with_name("told.yaml").read_text("utf-8"), yaml.BaseLoader)  # all of it as text
AHEAD = 5  # steps that a text without a question may speak of: "press Step"
NOTHING = claims.Screen("", [])
TERMS = [form for term in LIBRARY.terms for form in term.forms]
KNOWS = ("marginalise", "ibp_features", "jumps", "walk_the_hill")  # only the run of these topics knows its length


@pytest.mark.parametrize("lesson", LIBRARY.lessons, ids=lambda lesson: lesson.path.stem)
def test_every_step_opens_and_what_it_tells_is_on_its_screen(lesson):
    """In one session: a new one takes longer than a step."""
    page = on_page.of(lesson, lesson.steps[0])
    missing = {}
    for step in lesson.steps:
        on_page.follow(page, lesson, step)
        assert_open(page, lesson, step)
        if unseen := not_shown(page, lesson, step):
            missing[step.id] = unseen
    assert not missing, f"show it, or say in tests/lessons/shipped/told.yaml where it comes from: {missing}"


def assert_open(test: AppTest, lesson: Lesson, step: Step) -> None:
    """See that a step shows its text, its film, its locks, and its controls alone."""
    text = [markdown.value for markdown in test.markdown]
    assert f"## {step.title}" in text
    assert body(lesson, step) in text
    assert all(hint in text for hint in step.hints)
    own, message = lesson.settings_for(step), heard(test)
    assert message["at"] == (step.at or 0)
    if own.many:  # a wall may end before its runs do
        assert (step.at or 0) + step.then.advance <= message["total"] <= own.iterations
    elif lesson.stage in KNOWS:
        assert (step.at or 0) <= message["total"] <= own.iterations
    else:
        assert message["total"] == own.iterations
    assert f"lesson={lesson.id}&step={step.id}" in message["link"]
    labels = {widget.label for widget in [*test.slider, *test.text_input, *test.selectbox]}
    labels |= {dial["title"] for dial in message["dials"]}
    titles = {name: type(own).model_fields[name].title for name in own.controls if name != "seed"}
    titles["seed"] = "Seed"
    shown = {titles[name] for name in lesson.show_for(step) if own.matters(name)}
    shown |= {titles["runs"]} if own.many or lesson.settings_after(step).many else set()  # the way to one run
    assert shown <= labels
    assert not (set(titles.values()) - shown) & labels, "the other settings have no control"
    if step.choices and step.ask.on:
        assert step.ask.on in [chart["name"] for chart in head(test)["charts"]], "a guess is drawn on a chart"
    if step.choices and (known_by := step.ask.drawn(step.choices)["field"]):
        assert any(known_by in columns for columns in head(test)["data"].values()), "its marks are known by a field"


def test_a_goal_at_the_end_of_a_run_is_reached_there_and_not_on_the_way():
    early = []
    for lesson in LIBRARY.lessons:
        for step in lesson.steps:
            for goal in step.goals:
                ends = goal.way(lesson.settings_for(step), step.at or 0, lesson.seed_for(step))[0].iterations
                if re.search("(run|play) to the end", goal.text) and goal.keys.at and goal.keys.at.low < ends:
                    early.append(f"{lesson.id}#{step.id}")
    assert early == []


# ---- what is told ----------------------------------------------------------------------------------------------------


def inputs(lesson: Lesson, step: Step) -> Iterator[float]:
    """Give the numbers that a step is set to."""
    start = step.at or 0
    yield from (lesson.seed_for(step), start, step.then.advance, start + step.then.advance, step.until or 0)
    yield from (value for value in lesson.settings_for(step).model_dump().values() if isinstance(value, int | float))


def options(lesson: Lesson, step: Step) -> Iterator[str]:
    """Give the choices at the controls of a step; the lists are not on the screen until they are opened."""
    fields = STAGES[lesson.stage].model_fields
    for name in set(lesson.show_for(step)) & fields.keys():
        said: Any = flags_of(fields[name]).get("words", {})
        yield from (said.get(option, words(str(option))) for option in get_args(fields[name].annotation))


def on_the_way(lesson: Lesson, step: Step) -> range:
    """Return the iterations that a step's text may speak of, as it asks nothing: "press Step"."""
    start, end = step.at or 0, lesson.settings_for(step).iterations
    return range(start + 1, start + 1 if step.choices else min(start + AHEAD, end) + 1)


def before(lesson: Lesson, step: Step, named: list[str]) -> Iterator[claims.Screen]:
    """Give the screen of a step until it is answered."""
    yield on_stage.before(lesson, step, step.at or 0, named)
    if step.until is not None:
        yield on_stage.before(lesson, step, step.until)
        yield on_page.shown(on_page.of(lesson, step, t=str(step.until), view=step.open))
    for t in on_the_way(lesson, step):
        yield on_stage.before(lesson, step, t)


def after(lesson: Lesson, step: Step, named: list[str]) -> Iterator[claims.Screen]:
    """Give the screen of a step once it is answered."""
    t = (step.at or 0) + step.then.advance
    if step.choices:
        yield on_stage.after(lesson, step, t, named)
    views = [view for view, name in lesson.settings_after(step).views.items() if name in named]
    for view in (step.then.open or step.open, *views):
        yield on_page.shown(on_page.of(lesson, step, answered=bool(step.choices), t=str(t), view=view))


def not_shown(page: AppTest, lesson: Lesson, step: Step) -> list[str]:
    """Return the claims of a step that none of its screens shows; no more of them are looked at than it takes."""
    at_first, later = claims.told_before(step), claims.told_after(step)
    told, known = TOLD.get(lesson.id, {}).get(step.id, {}), NOTHING
    if step.choices:
        known += claims.Screen("", claims.claimed_numbers(at_first))  # a number is asked for once
        if not step.form.lists and step.ask.outcome:  # the checker has run it
            known += claims.Screen.read([], [step.answers.right])

    def missing(text: str, screen: claims.Screen) -> list[str]:
        return [claim for claim in screen.missing(text, TERMS) if claim not in told]

    def enough(text: str, screen: claims.Screen, others: Iterator[claims.Screen]) -> claims.Screen:
        while missing(text, screen) and (other := next(others, None)):
            screen += other
        return screen

    screen = claims.Screen.read(list(options(lesson, step)), inputs(lesson, step)) + on_page.shown(page)
    screen = enough(at_first, screen, before(lesson, step, claims.claimed_names(at_first)))
    unseen = missing(at_first, screen)
    screen = enough(later, screen + known, after(lesson, step, claims.claimed_names(later)))
    return unseen + missing(later, screen)


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
    ("claim", "source"), [("0.5", "1 / 3"), ("0.3", "tests/lessons/shipped/test_lessons.py::test_that_is_not_there")]
)
def test_a_false_source_is_seen(claim, source):
    assert not comes_from(claim, source)
