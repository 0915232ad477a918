"""Questions that are answered by a guess: set in a field or on a chart, drawn there, and compared with what happens."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.visits import app, check, form, head, options, right_answer, told

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


ASKS = {"chart": "trace", "axis": "y", "field": None, "limits": [1, 9], "step": 0.5, "places": None}
ASKS |= {"pictures": None, "reveal": 10}


def look(test: AppTest) -> tuple[str, float, list[float] | None]:
    """Return how the form looks, by which step its number moves, and within which limits."""
    question = form(test)["question"]
    return question["look"], question["grain"], question["limits"]


def test_a_number_within_limits_is_a_slider_and_what_it_says_is_drawn(question):
    test = question(SLIDER)
    assert look(test) == ("slider", 0.5, [1, 9])
    assert head(test)["ask"] == ASKS | {"hand": False, "veil": False, "guess": None, "outcome": None}
    check(test, "8")
    assert head(test)["ask"] == ASKS | {"hand": False, "veil": False, "guess": "8", "outcome": "2.50"}
    assert told(test, False) == ["You said 8, and it is 2.50: 5.5 too high. Many."]
    assert right_answer(test) == "2.50 Right."
    assert head(test)["go"]["t"] == 10


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("2.5", "Right: 2.50."),
        ("3", "You said 3, and it is 2.50: 0.5 too high, near enough."),
        ("2", "You said 2, and it is 2.50: 0.5 too low, near enough."),
    ],
)
def test_a_level_is_set_on_the_chart_or_in_a_field(question, said, sentence):
    test = question(LEVEL)
    assert look(test) == ("number", 0.5, [1, 9])
    assert head(test)["ask"]["hand"]
    assert told(check(test, said), True) == [f"{sentence} Right."]
    assert not head(test)["ask"]["hand"]
    assert not right_answer(test)


def test_a_number_without_limits_is_typed(question):
    test = question("number: {}")
    assert head(test)["ask"] is None
    assert told(check(test, "-4"), False) == ["You said −4, and it is 2.50: 6.5 too low. Else."]


def test_a_guess_that_is_far_off_is_written_with_all_its_digits(question):
    test = check(question("number: {}"), "1150")
    assert told(test, False) == ["You said 1150, and it is 2.50: 1,148 too high. Else."]


def test_a_mark_is_picked_on_the_chart_or_by_its_name(question):
    test = question(PICK, TABLES)
    assert options(test) == ["Table 1", "Table 2", "A new one"]
    assert head(test)["ask"] | {"field": "table", "axis": None, "hand": True} == head(test)["ask"]
    check(test, "new")
    assert told(test, False) == ["It is Table 1; you chose A new one. New."]
    assert head(test)["ask"] | {"guess": "new", "outcome": "1"} == head(test)["ask"]


def test_marks_that_are_numbered_are_told_by_their_numbers(question):
    test = question("pick: {chart: room, field: table, limits: [1, 9]}", NUMBERS.replace("2.50", "1"))
    assert told(check(test, "8"), False) == ["It is 1; you chose 8. Many."]


@pytest.mark.parametrize("value", ["99", "x", "nan", ""])
def test_what_a_question_cannot_have_is_left_alone(question, value):
    assert form(check(question(LEVEL), value))["state"]["given"] is None
