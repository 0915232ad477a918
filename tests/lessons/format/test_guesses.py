"""Questions that are answered by a guess: what their lines stand for, and how they fit the stage."""

from math import inf
from pathlib import Path

import pytest

from lessons.check.files import parse_lesson
from lessons.check.runs import run_steps
from lessons.format.guesses import read_guess, span
from lessons.format.lesson import Step
from tests.lessons.format.sample import LINES, PATH, problems, question

PICKED = "- [x] Table 1 {#1}\n  > Right.\n- [ ] A new one {#new}\n  > Rare.\n"
NUMBER = "number: {limits: [1, 60], within: 1, outcome: tables}"
PICK = "pick: {chart: room, field: name}"


def asked(way: str, lines: str = LINES) -> Step:
    reading = parse_lesson(question(way, lines), PATH)
    assert reading.lesson is not None, reading.problems
    return reading.lesson.steps[0]


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("4", [4, 4 + 1e-12], [3.9, 4.1]),
        ("−1,300.5", [-1300.5], [1300.5]),
        (".5", [0.5], [5]),
        ("10 to 20", [10, 15, 20], [9.999, 20.001]),
        ("below 3", [-inf, 2.999], [3, 4]),
        ("above -2", [-1.999, inf], [-2, -3]),
        ("else", [-inf, 0, inf], []),
    ],
)
def test_a_line_stands_for_guesses(text, inside, outside):
    found = span(text)
    assert found is not None
    assert all(map(found.has, inside))
    assert not any(map(found.has, outside))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "four",
        "4 tables",
        "20 to 10",
        "10 to",
        "to 10",
        "below",
        "1e3",
        "nan",
        "4 ",
        "0,64",
        "0,640",
        "12,34",
        "1,2345",
    ],
)
def test_other_lines_stand_for_none(text):
    assert span(text) is None


def test_a_guess_may_be_a_little_off():
    found = span("0.3")
    assert found is not None
    assert found.has(0.1 + 0.2)
    assert found.has(0.25, 0.05)
    assert not found.has(0.2499, 0.05)


@pytest.mark.parametrize(("text", "value"), [("12", 12), (" 0.5 ", 0.5), ("1", 1), ("60", 60)])
def test_a_guess_is_read(text, value):
    assert read_guess(text, (0, 60)) == value


@pytest.mark.parametrize("text", ["", "a", "nan", "inf", "61", "-1"])
def test_what_is_no_guess_is_refused(text):
    assert read_guess(text, (0, 60)) is None


@pytest.mark.parametrize(
    ("guess", "line"), [("5", "5"), ("4", "5"), ("6", "5"), ("10", "10 to 20"), ("7", "else"), ("21", "else")]
)
def test_each_guess_has_its_reason(guess, line):
    step = asked(NUMBER)
    assert step.can_have((guess,))
    assert [choice.text for choice in step.chosen((guess,))] == [line]
    assert step.is_right((guess,)) == (line == "5")


@pytest.mark.parametrize(
    ("way", "right", "grain"),
    [
        (NUMBER, "5", 1),
        ("number: {limits: [1, 60], within: 1, step: 2}", "5", 2),
        ("number: {limits: [0.5, 60]}", "5", 0.1),
        ("number: {within: 0.25}", "5", 0.01),
        ("number: {}", "0.640", 0.001),
        ("number: {}", "1,300", 1),
        ("draw: {chart: trace, axis: y, limits: [0, 60], within: 0.02}", "0.5", 0.01),
        (PICK, "5", 1),
    ],
)
def test_a_guess_moves_as_finely_as_its_question_is_written(way, right, grain):
    assert asked(way, LINES.replace("5", right, 1)).form.grain == grain


@pytest.mark.parametrize("way", ["number: {limits: [0, 0.9]}", "number: {step: 0.05}", "number: {step: 2}"])
def test_a_right_answer_in_reach_passes(way):
    right = "4" if "2" in way else "0.35"
    assert problems(question(way, LINES.replace("5", right, 1).replace("10 to 20", "0.1"))) == []


def test_answers_of_another_kind_are_none():
    step = asked(NUMBER)
    assert not any(map(step.can_have, [(), ("61",), ("x",), ("else",), ("1", "2")]))
    picked = asked(PICK, PICKED)
    assert picked.can_have(("new",))
    assert not any(map(picked.can_have, [(), ("2",), ("Table 1",), ("1", "new")]))
    assert picked.is_right(("1",))
    assert not picked.is_right(("new",))


def test_places_have_letters_and_choices_without_one_are_ticked():
    step = asked("place: {chart: trace, axis: y, at: {1: 1, new: 20}}", PICKED + "- [ ] Neither\n  > One of them.\n")
    assert step.ask.drawn(step.choices)["places"] == {
        "1": {"letter": "B", "at": [[1.0]]},  # from the top down
        "new": {"letter": "A", "at": [[20.0]]},
    }
    assert [step.form.words(choice) for choice in step.choices] == ["**A** · A new one", "**B** · Table 1", "Neither"]
    assert step.ask.how_far(step.choices, ("new",), str) == "It is **Table 1**; you chose **A new one**."
    assert step.can_have(("Neither",))


def test_a_line_has_all_its_points_and_a_hidden_chart_that_is_asked_on_keeps_its_axes():
    step = asked("place: {chart: trace, at: {1: [[0, 1], [9, 3]], new: [4, 4]}}\nhide: [trace, captions]", PICKED)
    places = step.ask.drawn(step.choices)["places"]
    assert {key: place["at"] for key, place in places.items()} == {"1": [[0, 1], [9, 3]], "new": [[4, 4]]}
    assert step.veiled
    drawn = asked("draw: {chart: trace, axis: y, limits: [1, 60], within: 1}\nhide: [trace, captions]")
    assert drawn.veiled
    assert drawn.ask.unseen != drawn.ask.printed, "on paper there is no chart to draw on"
    assert not asked(NUMBER).veiled


def test_the_checker_compares_the_right_number_with_the_run():
    def found(*edit: str) -> list[str]:
        lesson = parse_lesson(question(*edit), PATH).lesson
        assert lesson is not None
        return [str(problem).removeprefix(f"{PATH}:") for problem in run_steps(lesson)]

    asked = "(it is asked for in line 27)"
    assert found(NUMBER) == [f"17:1: expected 5 tables after 60 customers, got 3 {asked}"]
    assert found(NUMBER, LINES.replace("5", "3")) == []
    largest = "pick: {chart: room, field: table, outcome: tables}"
    assert found(largest, PICKED) == ["17:1: expected 1 tables after 60 customers, got 3 (it is asked for in line 25)"]
    assert found(largest, PICKED.replace("#1", "#3")) == []


MISTAKES = [
    ("number: {limits: [60, 1]}", LINES, {},
     ["27:18: limits: this should be two numbers, the smaller one first, such as [0, 30]"]),
    ("number: {limits: [1]}", LINES, {},
     ["27:18: limits: this should be two numbers, the smaller one first, such as [0, 30]"]),
    ("number: {limits: [1, 60], withn: 1}", LINES, {}, ["27:27: unknown key 'withn' (did you mean 'within'?)"]),
    ("number: {limits: [1, 60], outcome: tabels}", LINES, {},
     ["27:36: unknown outcome 'tabels' (did you mean 'tables'?)"]),
    ("number: {chart: trace}", LINES, {}, ["27:9: chart and axis belong together: give both, or neither"]),
    ("number: {chart: trcae, axis: y}", LINES, {}, ["27:17: unknown chart 'trcae' (did you mean 'trace'?)"]),
    ("draw: {chart: trace, axis: y, limits: [0, 9]}", LINES, {},
     ["27:7: the key 'within' is missing: how far off a guess may be and is still right"]),
    ("draw: {chart: trace, axis: y, limits: [1, 60], within: 1}", LINES, {"hide": "[trace]"},
     ["27:15: the chart 'trace' is hidden but for its axes; its caption would give it away: hide captions as well"]),
    ("pick: {chart: room, field: name}", PICKED, {"hide": "[room]"},
     ["25:15: the marks of the chart 'room' are asked for, and hide names it"]),
    ("draw: {chart: trace, axis: y, limits: [1, 60], within: 1}", LINES, {"charts": "[room]"},
     ["27:15: this step does not show the chart 'trace'; name it in charts as well"]),
    ("draw: {chart: trace, axis: y, limits: [0, 9], within: 0.02, step: 1}",
     LINES.replace("5", "5.55").replace("10 to 20", "8"), {},
     ["27:67: no guess in steps of 1 is within 0.02 of the right one, 5.55; leave step out, which makes it 0.01"]),
    ("number: {limits: [0, 9], step: 0.3}", LINES.replace("10 to 20", "8"), {},
     ["27:32: no guess in steps of 0.3 is within 0 of the right one, 5; leave step out, which makes it 1"]),
    ("number: {limits: [0.5, 9], step: 1}", LINES.replace("10 to 20", "8"), {},
     ["27:34: no guess in steps of 1 is within 0 of the right one, 5; leave step out, which makes it 0.1"]),
    ("number: {step: 1}", LINES.replace("5", "5.5"), {},
     ["27:16: no guess in steps of 1 is within 0 of the right one, 5.5; leave step out, which makes it 0.1"]),
    ("number: {limits: [1, 9], within: 4}", LINES.replace("10 to 20", "8"), {},
     ["27:34: every guess from 1 to 9 is within 4 of 5, and so right; make within smaller"]),
    ("number: {limits: [4, 9], within: 1}", LINES.replace("10 to 20", "8"), {},
     ["27:18: the slider begins at 4, which is right; begin lower, or leave limits out"]),
    (NUMBER, LINES, {"pick": "{chart: room}"},
     ["28:1: a question asks in one way, and this one has number and pick"]),
    (NUMBER, LINES, {"multiple": "true"},
     ["28:1: multiple is for choices that are ticked, and this question has number"]),
    (NUMBER, LINES, {"settings": "{customers: 50}"},
     ["29:17: advance ends at 60; this step has 50 customers"]),
    (NUMBER, LINES.replace("10 to 20", "many"), {},
     ["19:1: 'many' is no guess; write a number, 10 to 20, below 10, above 20, or else"]),
    (NUMBER, LINES.replace("10 to 20", "below 0,64"), {},
     ["19:1: 'below 0,64' is no guess; write below 0.64, with a point"]),
    (NUMBER, LINES.replace("[x] 5", "[x] 4 to 6"), {},
     ["17:1: the right answer is one number; within says how far off a guess may be"]),
    (NUMBER, LINES.replace("10 to 20", "above 60"), {},
     ["19:1: no learner can guess 'above 60': the limits are 1 and 60"]),
    (NUMBER, LINES.replace("- [ ] else\n  > Or so.\n", ""), {},
     ["17:1: all other guesses have no reason; add a line - [ ] else with a reason"]),
    (NUMBER, LINES.replace("[ ] 10", "[x] 10"), {}, ["17:1: 2 choices are marked as right; mark one"]),
    ("pick: {chart: trace, limits: [1, 60]}", LINES, {},
     ["27:15: the chart 'trace' has no marks to press; these have some: room, many, sizes"]),
    ("pick: {chart: room, field: tabel}", PICKED, {},
     ["25:28: no mark of the chart 'room' has the field 'tabel' (did you mean 'table'?)"]),
    ("pick: {chart: room}", PICKED, {},
     ["25:7: no mark of the chart 'room' has the field 'row' (there is: table, name, person, arrival)"]),
    ("pick: {field: name}", PICKED, {}, ["25:7: the key 'chart' is missing: the chart whose marks can be picked"]),
    ("place: {chart: trace, axis: y, at: {1: [1, 2], new: 3}}", PICKED, {},
     ["25:40: this should be a number on y"]),
    ("place: {chart: trace, at: {1: [[1, 2], [3, 4]], new: [3]}}", PICKED, {},
     ["25:54: this should be [x, y], or a line: [[x, y], [x, y]]"]),
    ("place: {chart: trace, at: {new: [1, 2]}}", PICKED, {},
     ["25:27: there is nothing to choose from: mark at least two places"]),
    ("place: {chart: trace, axis: y, at: {1: 1, nwe: 3}}", PICKED, {},
     ["25:43: no choice has the id 'nwe' (there is: 1, new)"]),
    ("share: {within: 0.1}", LINES.replace("5", "0.5").replace("10 to 20", "0.9"), {"multiple": "true"},
     ["28:1: multiple is for choices that are ticked, and this question has share"]),
    ("picture: {charts: {1: room, new: trcae}}", PICKED, {},
     ["25:34: unknown chart 'trcae' (did you mean 'trace'?)"]),
    ("picture: {charts: {1: room, nwe: trace}}", PICKED, {},
     ["25:29: no choice has the id 'nwe' (there is: 1, new)"]),
    ("picture: {charts: {1: room}}", PICKED, {},
     ["25:19: there is nothing to choose from: name at least two charts"]),
    ("picture: {charts: {1: room, new: trace}}", PICKED, {"charts": "[room, many]"},
     ["25:34: this step does not show the chart 'trace'; name it in charts as well"]),
    ("pick: {chart: room, field: table, outcome: tables}", PICKED.replace("{#1}", "{#one}"), {},
     ["17:1: the outcome tables is a number, and so must be the id of the right choice"]),
]  # fmt: skip


@pytest.mark.parametrize(("way", "lines", "keys", "expected"), MISTAKES, ids=[m[3][0][:60] for m in MISTAKES])
def test_a_mistake_is_reported_at_its_place(way, lines, keys, expected):
    assert problems(question(way, lines, **keys)) == expected


def test_what_is_looked_at_closely_is_not_measured():
    text = Path("lessons/mixture-2-one-update.md").read_text("utf-8")
    quiz = "kind: quiz\nidea: count times fit\nat: 12"
    reading = parse_lesson(text.replace(quiz, f"{quiz}\n{NUMBER}"), PATH)
    assert [problem.message for problem in reading.problems if "measured" in problem.message] == [
        "a run that is opened step by step is not measured; give the number, and a test that recomputes it"
    ]
