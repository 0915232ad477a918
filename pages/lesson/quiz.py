"""Questions on the page: the form shows them, and what is pressed there becomes an answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlencode

import streamlit as st
from pydantic import TypeAdapter, ValidationError

from lessons.flow import TOLD, Asked, name_of
from lessons.format.lesson import Lesson, Step
from lessons.format.questions.answers import Keys
from lessons.settings.written import is_rule
from pages.contract.case import RuleOption
from pages.contract.stage import stage_of
from pages.contract.waiting import NotYet
from pages.form.value import FormShown, asking, html_of, standing
from pages.lesson.answers import answered, give, misses, take_back
from pages.lesson.lessons import address_of, carried, library
from pages.lesson.state import Visit
from pages.player.modules import loader
from pages.player.player import draw_again
from pages.player.turns import session
from samplers.judge.bank import PROBLEMS
from samplers.judge.written import BETWEEN

MOVES = "The player moves by your rule, once you have written it."
FORM, RULE = "form", "rule"  # the components' keys
_form = st.components.v2.component("samplescope_form", js=loader("form/component.js"), isolate_styles=False)
_rule = st.components.v2.component("samplescope_rule", js=loader("judge/component.js"), isolate_styles=False)


@dataclass(frozen=True)
class Pressed:
    """A press in the form of a question, which is named by `name_of`."""

    what: Literal["check", "again", "tell", "wrote"]
    name: str
    keys: Keys


PRESSED = TypeAdapter(Pressed)


def ask(place: Visit, asked: Asked) -> None:
    """Draw the form of a question; it names its question, as the learner may be further on when a press arrives."""
    lesson, step = asked.lesson, asked.step
    question = asking(lesson, step)
    state = standing(asked, lambda text: html_of(lesson, text, address_of), _museum(step))
    if (rule := question["rule"]) and rule["problem"]["id"] in place.settings.ruled:
        rule["case"] = _case(place, rule["problem"]["id"])
        rule["written"] = place.settings.moves_by.split(BETWEEN)[1:]
        state["locked"] = "" if rule["written"] else MOVES
    shown: FormShown = {
        "question": question,
        "state": state,
        "session": session(),
    }
    key, mount = (RULE, _rule) if step.form.problem else (FORM, _form)
    mount(key=key, data=[shown], on_pressed_change=lambda: hear(place, _told(key)))


def _told(key: str) -> Any:
    """Return the report of a form; None if it is no longer on the page: a press can come late."""
    return getattr(st.session_state.get(key), "pressed", None)


def _museum(step: Step) -> str:
    """Return a link to the errors that are known of a rule; "" if none is asked for."""
    query = urlencode(carried(problem=step.form.problem))
    return f'<a href="museum?{query}" target="_self">Museum of errors</a>' if step.form.problem else ""


def hear(place: Visit, said: Any) -> None:
    """Do what was pressed. It comes from the browser, so it is checked."""
    try:
        pressed = PRESSED.validate_python(said)
    except ValidationError:
        return
    found = _named(pressed.name)
    if found is None:
        return
    given = answered(*found)
    if pressed.what == "check" and given is None and found[1].can_have(pressed.keys):
        if place.current() == found:
            _write(place, found[1].form.problem, pressed.keys)  # proved sooner than the stage had it
        take(place, *found, found[1].answers.stored(pressed.keys))
    elif pressed.what == "again" and given is not None:
        take_back(*found)
        if place.current() == found:
            place.open(*found)  # back to where the question is asked: the learner may have moved the run
    elif pressed.what == "tell" and given is not None:
        tell(*found)
    elif pressed.what == "wrote" and place.current() == found:
        _write(place, found[1].form.problem, pressed.keys)
    draw_again("app")


def _write(place: Visit, problem: str, texts: Sequence[str]) -> None:
    """Have the stage move by the lines of a rule; by the right one again if there are none."""
    written = BETWEEN.join((problem, *texts)) if texts else ""
    if problem in place.settings.ruled and (not written or is_rule(written)):
        first = not place.settings.moves_by
        place.change(written=written)
        scored = stage_of(place.stage).scored(place.settings)
        if first and place.t < scored:
            place.move(scored)


def _case(place: Visit, problem: str) -> Sequence[RuleOption]:
    """Return the update on the stage as the lines of a rule may know it; nothing while it is computed."""
    stage = stage_of(place.stage)
    if stage.missing(place.settings):
        return []
    try:
        return stage.case(place.settings, place.seed, place.t, PROBLEMS[problem])
    except NotYet:
        return []


def _named(name: str) -> tuple[Lesson, Step] | None:
    """Return the lesson and the step of a question; None if there is none of this name."""
    lesson = library().lesson(name.partition("/")[0])
    steps = lesson.steps if lesson else ()
    return next(((lesson, step) for step in steps if lesson and step.choices and name_of(lesson, step) == name), None)


def take(place: Visit, lesson: Lesson, step: Step, chosen: Keys) -> None:
    """Store an answer, and do what its step says under `then` if the learner is still there."""
    give(lesson, step, chosen)
    if place.current() == (lesson, step):
        place.answered()


def tell(lesson: Lesson, step: Step) -> None:
    """Tell the right answer to a question that was answered wrong."""
    misses()[name_of(lesson, step)] = TOLD
