"""Answers: what the browser kept is believed as far as it can be an answer, and used as far as the question has it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pages.lesson.answers
from lessons.flow import Place, screen
from lessons.format.questions.ticks import Ticks
from pages.lesson.answers import (
    LONGEST,
    MOST,
    MOST_CHOICES,
    TRIES,
    Answers,
    _heard,
    answered,
    checked,
    give,
    known,
    take_back,
    tries_of,
)
from pages.lesson.lessons import library

LESSON = library().lesson("crp-seating")
STEP = next(step for step in LESSON.steps if step.id == "fifth")
PLACE = Place(LESSON.stage, LESSON.settings_for(STEP)).opened(LESSON, STEP)


@pytest.fixture(autouse=True)
def mine(monkeypatch) -> Answers:
    """Return the answers of a session."""
    known = Answers()
    monkeypatch.setattr(pages.lesson.answers, "answers", lambda: known)
    return known


def test_an_answer_of_this_session_comes_before_what_was_kept(mine):
    mine.kept = {"crp-seating/fifth": ("1/4",)}
    assert answered(LESSON, STEP) == ("1/4",)
    take_back(LESSON, STEP)
    assert answered(LESSON, STEP) is None
    give(LESSON, STEP, ("1/5",))
    assert answered(LESSON, STEP) == ("1/5",)


def test_every_change_has_a_higher_number(mine):
    for keys in (("1/4",), None, ("1/5",)):
        give(LESSON, STEP, keys) if keys else take_back(LESSON, STEP)
    give(LESSON, LESSON.steps[0], ("x",))
    answers = {name: (number, keys) for name, (number, keys) in mine.own.items() if not name.startswith(TRIES)}
    assert answers == {"crp-seating/fifth": (5, ("1/5",)), f"crp-seating/{LESSON.steps[0].id}": (7, ("x",))}
    tries = tries_of("crp-seating/fifth")
    assert tries is not None
    assert (tries.many, tries.first, tries.began <= tries.at) == (2, ("1/4",), True)
    mine.own[f"{TRIES}crp-seating/fifth"] = (8, ("no number", "then", "now"))
    assert tries_of("crp-seating/fifth") is None


@pytest.mark.parametrize(
    ("kept", "stands"),
    [(("1/4",), True), (("gone",), False), (("1/4", "gone"), False), (("1/4", "1/5"), False), ((), False)],
)
def test_an_answer_that_the_question_no_longer_has_is_dropped_and_that_is_known(mine, kept, stands):
    mine.kept = {"crp-seating/fifth": kept}
    assert (answered(LESSON, STEP) == kept) == stands
    assert screen(PLACE, known()).question.outdated != stands


def test_choices_may_change_places_and_reasons(mine):
    mine.kept = {"crp-seating/fifth": ("1/4",)}
    turned = replace(STEP, choices=tuple(replace(choice, reason="another") for choice in reversed(STEP.choices)))
    assert answered(LESSON, turned) == ("1/4",)
    several = replace(STEP, ask=Ticks(multiple=True))
    mine.kept = {"crp-seating/fifth": ("1/4", "1/5")}
    assert answered(LESSON, several) == ("1/4", "1/5")


def test_a_question_that_was_never_answered_is_not_outdated():
    assert not screen(PLACE, known()).question.outdated


@pytest.mark.parametrize(
    "told",
    [
        None,
        "text",
        ["crp-seating/fifth"],
        {"crp-seating": ["1/4"]},
        {"crp-seating/fifth/x": ["1/4"]},
        {"../fifth": ["1/4"]},
        {"crp-seating/fifth\n": ["1/4"]},
        {f"{'a' * 101}/fifth": ["1/4"]},
        {"crp-seating/fifth": "1/4"},
        {"crp-seating/fifth": []},
        {"crp-seating/fifth": [1]},
        {"crp-seating/fifth": [None]},
        {"crp-seating/fifth": [["1/4"]]},
        {"crp-seating/fifth": {"1/4": True}},
        {"crp-seating/fifth": ["1/4"] * (MOST_CHOICES + 1)},
        {"crp-seating/fifth": ["x" * (LONGEST + 1)]},
        {7: ["1/4"]},
    ],
)
def test_nonsense_in_the_browsers_memory_is_no_answer(told):
    assert checked(told) == {}


def test_of_many_answers_so_many_are_read():
    assert len(checked({f"lesson/{number}": ["x"] for number in range(2 * MOST)})) == MOST


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.text() | st.from_regex(r"[a-z]+/[a-z]+", fullmatch=True), inner)
        ),
    )
)
def test_whatever_the_browser_says_answers_come_out(told):
    for name, keys in checked(told).items():
        assert "/" in name
        assert keys
        assert all(isinstance(key, str) for key in keys)


def test_the_browser_is_heard_once_it_has_spoken(mine):
    _heard(mine, None)
    assert not mine.heard
    _heard(mine, {})
    assert (mine.heard, mine.kept, mine.awaited) == (True, {}, False)


def test_what_was_kept_has_the_page_drawn_anew_once(mine):
    kept = {"crp-seating/fifth": ["1/4"]}
    _heard(mine, kept)
    assert (mine.heard, mine.kept, mine.awaited) == (True, {"crp-seating/fifth": ("1/4",)}, True)
    mine.awaited = False
    _heard(mine, kept)
    assert not mine.awaited
