"""No question of any lesson can be tried again once the screen has answered it."""

from dataclasses import astuple
from typing import Any

import pytest
import streamlit as st

from lessons.reader import Lesson, Step
from pages.shell import quiz
from pages.shell.answers import Answers
from pages.shell.lessons import library
from pages.shell.state import Topic
from pages.shell.withheld import settled, withheld
from tests.pages.rules import rule_for

ASKED = [(lesson, step) for lesson in library().lessons for step in lesson.steps if step.choices]
QUIZZES = [(lesson, step) for lesson, step in ASKED if not step.once]
WHERE = {"ids": lambda one: getattr(one, "id", None)}


@pytest.fixture(autouse=True)
def nobody():
    st.session_state["answers"] = Answers(heard=True)
    yield
    for key in [*st.session_state]:
        del st.session_state[key]


def wrong_answer(step: Step) -> tuple[str, ...]:
    wrong = next(choice for choice in step.choices if not choice.correct)
    return rule_for(step, wrong) if step.form.problem else (wrong.key,)


def seen(place: Topic) -> tuple[Any, ...]:
    """Return what decides the screen, beside the question's own form."""
    return place.settings, place.seed, place.t, place.view, astuple(withheld(place))


def opened(lesson: Lesson, step: Step) -> Topic:
    place = Topic(lesson.stage, lesson.settings_for(step))
    place.open(lesson, step)
    return place


@pytest.mark.parametrize(("lesson", "step"), QUIZZES, **WHERE)
def test_the_screen_stays_as_it_was_until_a_question_is_settled(lesson, step):
    place = opened(lesson, step)
    before = seen(place)
    quiz.take(place, lesson, step, wrong_answer(step))
    assert not settled(lesson, step)
    assert seen(place) == before
    quiz.tell(lesson, step)
    assert settled(lesson, step)
    if step.hide:
        assert seen(place) != before, "what was hidden is there"


def test_lessons_have_questions_of_both_kinds():
    assert 0 < len(QUIZZES) < len(ASKED)
    assert not any(step.then.settings or step.then.advance or step.then.open or step.lock for _, step in QUIZZES)
