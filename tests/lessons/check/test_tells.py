"""The right choice tells nothing by its place, letter or length, over all lessons and in each; nor is it stated.

The least and the greatest share of a choice that is guessed blindly among three are one third; with 200 questions, its
standard error is 3 %, so that 40 % is two of them above.
"""

from collections import Counter
from dataclasses import replace

import pytest

from lessons.check.files import parse_lesson
from lessons.check.tells import by_number, is_longest, is_shortest, place_of_right
from lessons.format.questions.place import Placed
from tests.lessons.app_library import app_library
from tests.lessons.format.sample import PATH, SAMPLE

LESSONS = app_library().lessons
LISTED = [
    (lesson, step)
    for lesson in LESSONS
    for step in lesson.steps
    if step.choices and step.form.look == "one" and sum(choice.correct for choice in step.choices) == 1
]
WORDS = [(lesson, step) for lesson, step in LISTED if not by_number(step)]
MOST = 0.40
TAIL = SAMPLE[SAMPLE.index("\n## Look") :]


def asked(*questions: str, most: float = MOST) -> dict[str, float]:
    """Return the shares above `most` among some questions."""
    counts = Counter(questions)
    return {name: count / len(questions) for name, count in counts.items() if count > most * len(questions)}


def warnings(*steps: str) -> list[str]:
    text = SAMPLE[: SAMPLE.index("\n## Before")] + "".join(steps) + TAIL
    reading = parse_lesson(text, PATH)
    assert reading.lesson is not None, reading.problems
    return [warning.message for warning in reading.warnings]


def step(name: str, *choices: str, body: str = "Which one?", block: str = "kind: quiz\nat: 0\norder: fixed") -> str:
    """Return a question; the choice with a star is right."""
    lines = [f"- [{'x' if '*' in one else ' '}] {one.strip('*')}\n  > Because of that.\n" for one in choices]
    return f"\n## Question {name} {{#{name}}}\n{body}\n\n{''.join(lines)}\n```step\n{block}\n```\n"


def test_no_letter_is_right_too_often():
    """Letters go by place: a, b, c from left to right, or down an axis."""
    letters = [
        (letters.index(next(letter for key, letter in step.form.letters.items() if key == right)), len(letters))
        for _, step in LISTED
        if isinstance(step.ask, Placed) and (right := step.answers.right_keys[0]) in step.form.letters
        for letters in [sorted(step.form.letters.values())]
    ]
    assert len(letters) > 30
    assert asked(*("ABC"[at] for at, _ in letters)) == {}
    assert asked(*("ABC"[at] for at, many in letters if many == 3), most=0.5) == {}


def test_no_place_in_the_list_is_right_too_often():
    where = [(place_of_right(lesson.id, step), len(step.choices)) for lesson, step in LISTED]
    assert len(where) > 150
    assert asked(*(str(at) for at, _ in where)) == {}
    assert asked(*("last" if at == many - 1 else "other" for at, many in where)).keys() <= {"other"}


def test_the_right_choice_is_neither_the_longest_nor_the_shortest_too_often():
    assert len(WORDS) > 100
    for way in (is_longest, is_shortest):
        assert sum(way(step.choices) for _, step in WORDS) <= MOST * len(WORDS)


@pytest.mark.parametrize("seen", ["A", "0", "longest"])
def test_a_share_that_is_too_large_is_found(seen):
    assert asked(*[seen] * 5, *"xyz", "x", "y") == {seen: 0.5}


def test_letters_go_from_left_to_right_and_down_an_axis():
    lesson, found = next((lesson, step) for lesson, step in LISTED if isinstance(step.ask, Placed) and step.ask.axis)
    assert isinstance(found.ask, Placed)
    named = [replace(choice, id=name, text=name) for choice, name in zip(found.choices, "pqr", strict=False)]
    across = found.ask.model_copy(update={"axis": "x", "at": {"p": ((5.0,),), "q": ((-1.0,),), "r": ((2.0,),)}})
    assert [choice.id for choice in across.arranged(named)] == ["q", "r", "p"]
    down = across.model_copy(update={"axis": "y"})
    assert [choice.id for choice in down.arranged(named)] == ["p", "r", "q"]
    lines = across.model_copy(
        update={"axis": None, "at": {"p": ((9.0, 0.0), (0.0, 1.0), (9.0, 2.0)), "r": ((1.0, 5.0),)}}
    )
    assert [choice.id for choice in lines.arranged(named)] == ["p", "r", "q"], "a line is at its middle, ticks are last"
    assert lines.form(lines.arranged(named)).letters == {"p": "A", "r": "B"}
    assert lesson.steps


FIRST = [step(name, "*a red one*", "a blue one and more", "a green one") for name in "abc"]


def test_a_habit_of_three_questions_is_reported_and_of_two_is_not():
    assert warnings(*FIRST[:2]) == []
    assert warnings(*FIRST) == ["in all 3 questions choice 1 is the right one; learners will see that"]
    last = [step("a", "red", "*ham*"), step("b", "red", "blue", "*tea*"), step("c", "red", "*pea*")]
    assert warnings(*last) == ["in all 3 questions the last choice is the right one; learners will see that"]
    mixed = [*FIRST[:2], step("c", "a blue one", "*a red one*", "a green one")]
    assert warnings(*mixed) == []


def test_a_right_choice_that_is_much_longer_is_reported():
    long = "*It is red, since the customers who came first had all sat down there*"
    (message,) = warnings(step("a", long, "It is blue, perhaps", "It is green"))
    assert message.startswith(
        "the right choice has 68 characters, and the longest other one 19; learners take the long"
    )
    assert warnings(step("a", long, "It is blue, since the table was empty and nearer", "Green")) == []


@pytest.mark.parametrize(
    ("body", "right", "stated"),
    [
        ("The mean is 2.93, and then?", "*About 2.93*", True),
        ("The mean is 2.93, and then?", "*About 29.3*", False),
        ("There are 3 of them.", "*3 of them*", False),  # a digit alone is on every screen
        ("There are 12.", "*It is 1 or 2*", False),
        ("It weighs $0.25$ now.", "*0.25*", True),
    ],
)
def test_a_number_that_the_right_choice_alone_states_is_found_above_it(body, right, stated):
    found = warnings(step("a", right, "Nothing of the kind", "Something else", body=body))
    assert any("the text above the choices has" in message for message in found) is stated


def test_a_right_choice_that_the_step_before_has_said_is_reported():
    said = "The customers of crowded tables attract newcomers."
    before = step("a", "*Blue*", "Red", "Green", body=said)
    asked = step("b", "crowded tables attract newcomers, customers alike", "tables are drawn", "*x*", body="Why?")
    recalled = step("b", "*crowded tables attract newcomers*", "every chair counts alike", "nobody counts them")
    assert warnings(before, asked) == []
    (message,) = warnings(before, recalled)
    assert message.startswith("the step before has nearly all words of the right choice")
    assert warnings(step("a", "*Blue*", "Red", "Green", body="Look."), recalled) == []
