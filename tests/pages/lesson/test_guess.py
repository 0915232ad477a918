"""Questions that are answered by a guess: set in a field or on a chart, drawn there, and compared with what happens."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.contract.events import Guess
from pages.lesson import guess
from tests.pages.visits import app, head

LESSON = """---
schema: 1
id: a-guess
title: A guess
stage: crp_seating
track: restaurant
minutes: 1
objectives: [guess]
summary: [One., Two., Three.]
---
## Where {#where}
LINES

```step
kind: predict
at: 4
WAY
then: {advance: 6}
```
"""
NUMBERS = "- [x] 2.50\n  > Right.\n- [ ] 8 to 9\n  > Many.\n- [ ] else\n  > Else."
TABLES = "- [x] Table 1 {#1}\n  > Right.\n- [ ] Table 2 {#2}\n  > No.\n- [ ] A new one {#new}\n  > New."
SLIDER = "number: {limits: [1, 9], step: 0.5, within: 0.5, chart: trace, axis: y}"
LEVEL = "draw: {chart: trace, axis: y, limits: [1, 9], step: 0.5, within: 0.5}"
PICK = "pick: {chart: room, field: table}"


@pytest.fixture
def question(folder: Path):
    """Return a function that opens a question."""

    def opened(way: str, lines: str = NUMBERS) -> AppTest:
        (folder / "a-guess.md").write_text(LESSON.replace("LINES", lines).replace("WAY", way), "utf-8")
        test = app("crp_seating.py", lesson="a-guess")
        assert not test.exception
        return test

    return opened


def place_of(test: AppTest):
    return test.session_state["topic crp_seating"]


def placed(test: AppTest, value: str) -> AppTest:
    """Place a guess on the chart, as the player reports it."""
    place_of(test).guess = ("a-guess", "where", value)
    return test.run()


def field(test: AppTest):
    """Return the field in which a number is typed."""
    return next(box for box in test.text_input if box.label == guess.LABEL)


def check(test: AppTest) -> AppTest:
    test.button(key="check").click().run()
    assert not test.exception
    return test


def test_a_number_within_limits_is_a_slider_and_what_it_says_is_drawn(question):
    test = question(SLIDER)
    asks = {"chart": "trace", "axis": "y", "field": None, "limits": [1, 9], "step": 0.5, "places": None}
    asks |= {"reveal": 10, "hand": False, "veil": False}
    assert head(test)["ask"] == asks | {"guess": "1", "outcome": None}, "where it begins is a guess as well"
    test.slider[0].set_value(8.0).run()
    assert head(test)["ask"]["guess"] == "8"
    check(test)
    assert head(test)["ask"] == asks | {"guess": "8", "outcome": "2.50"}
    assert test.slider[0].disabled
    assert [box.value for box in test.warning] == ["You said **8**, and it is **2.50**: 5.5 too high.\n\nMany."]
    assert [box.value for box in test.info] == ["**2.50**\n\nRight."]
    assert head(test)["go"]["t"] == 10


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("2.5", "Right: **2.50**."),
        ("3", "You said **3**, and it is **2.50**: 0.5 too high, near enough."),
        ("2", "You said **2**, and it is **2.50**: 0.5 too low, near enough."),
    ],
)
def test_a_level_is_set_on_the_chart_or_in_a_field(question, said, sentence):
    test = question(LEVEL)
    assert head(test)["ask"]["hand"]
    placed(test, said)
    assert float(field(test).value) == float(said)
    assert [box.value for box in check(test).success] == [f"{sentence}\n\nRight."]
    assert not head(test)["ask"]["hand"]
    assert not test.info


def test_what_is_typed_takes_the_place_of_what_was_placed(question):
    test = placed(question(LEVEL), "3")
    field(test).set_value("8,5").run()
    assert head(test)["ask"]["guess"] == "8.5"
    assert [box.value for box in check(test).warning] == ["You said **8.5**, and it is **2.50**: 6 too high.\n\nMany."]


def test_a_number_without_limits_is_typed(question):
    test = question("number: {}")
    assert head(test)["ask"] is None
    field(test).set_value("−4").run()
    assert [box.value for box in check(test).warning] == ["You said **−4**, and it is **2.50**: 6.5 too low.\n\nElse."]


def test_a_guess_that_is_far_off_is_written_with_all_its_digits(question):
    test = question("number: {}")
    field(test).set_value("1 150").run()
    assert [box.value for box in check(test).warning] == [
        "You said **1150**, and it is **2.50**: 1,148 too high.\n\nElse."
    ]


@pytest.mark.parametrize(
    ("said", "why"),
    [("1,150", "could be 1150 or 1.15"), ("ten", "is not a number"), ("99", "99 is outside the range: 1 to 9")],
)
def test_what_is_no_number_is_refused_and_stays_as_it_was_typed(question, said, why):
    test = question(LEVEL)
    field(test).set_value("3").run()
    field(test).set_value(said).run()
    assert why in test.error[0].value.replace("\\", "")
    assert field(test).value == said
    assert head(test)["ask"]["guess"] is None, "an answer that was typed before counts no more"
    placed(test, "2.5")
    assert (field(test).value, list(test.error)) == ("2.5", [])


def test_a_mark_is_picked_on_the_chart_or_by_its_name(question):
    test = question(PICK, TABLES)
    assert test.radio[0].options == ["Table 1", "Table 2", "A new one"]
    assert head(test)["ask"] | {"field": "table", "axis": None, "hand": True} == head(test)["ask"]
    placed(test, "2")
    assert test.radio[0].value == "2"
    test.radio[0].set_value("A new one").run()
    assert head(test)["ask"]["guess"] == "new"
    check(test)
    assert [box.value for box in test.warning] == ["You picked **A new one**; it is **Table 1**.\n\nNew."]
    assert head(test)["ask"] | {"guess": "new", "outcome": "1"} == head(test)["ask"]


def test_marks_that_are_numbered_are_told_by_their_numbers(question):
    test = question("pick: {chart: room, field: table, limits: [1, 9]}", NUMBERS.replace("2.50", "1"))
    placed(test, "8")
    assert [box.value for box in check(test).warning] == ["You picked **8**; it is **1**.\n\nMany."]


def test_what_a_question_cannot_have_is_left_alone(question, monkeypatch):
    test = question(LEVEL)
    place = place_of(test)
    monkeypatch.setattr(guess, "answered", lambda *_: None)
    for value, taken in (("99", ""), ("x", ""), ("3", "3"), ("nan", "3")):
        guess.placed(place, Guess(value).value)
        assert place.guess[2] == taken


def test_a_guess_belongs_to_its_step(question):
    test = placed(question(LEVEL), "3")
    place_of(test).guess = ("a-guess", "another", "4")
    test.run()
    assert head(test)["ask"]["guess"] is None
    assert field(test).value == ""
