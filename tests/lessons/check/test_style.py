"""Rules of STYLE.md that the checker tells an instructor, and that the app's own lessons keep."""

import pytest

from lessons.check.files import parse_lesson
from lessons.check.style import LONGEST, TICKED
from tests.lessons.app_library import app_library
from tests.lessons.format.sample import PATH, SAMPLE, edited


def step(name: str, *choices: str) -> str:
    """Return a question that is ticked; the choice with a star is right."""
    lines = [f"- [{'x' if '*' in one else ' '}] {one.strip('*')}\n  > Because of that.\n" for one in choices]
    return f"\n## Question {name} {{#{name}}}\nWhich one?\n\n{''.join(lines)}\n```step\nkind: quiz\nat: 0\n```\n"


def warned(text: str) -> list[str]:
    reading = parse_lesson(text, PATH)
    assert reading.lesson is not None, reading.problems
    return [f"{one.line}: {one.message}" for one in reading.warnings]


def test_a_long_lesson_is_warned_of():
    (said,) = warned(edited("minutes: 12", "minutes: 13"))
    assert said.startswith("7: 13 minutes; learners stay for about 12")
    assert max(lesson.minutes for lesson in app_library().lessons) <= LONGEST


@pytest.mark.parametrize(("many", "found"), [(TICKED, 1), (TICKED - 1, 0)])
def test_questions_that_are_all_ticked_are_warned_of(many, found):
    answers = ["one*", "two", "three"]
    asked = [step(f"q-{number}", *answers[number % 3 :], *answers[: number % 3]) for number in range(many)]
    text = SAMPLE[: SAMPLE.index("\n## Before")] + "".join(asked) + SAMPLE[SAMPLE.index("\n## Look") :]
    assert sum("questions are ticked" in said for said in warned(text)) == found


@pytest.mark.parametrize(
    ("told", "found"), [("$0.5 \\cdot 0.5 = 0.25$", 0), ("$0.5 \\cdot 0.5 = 0.26$", 1), ("3 / 0 = 1", 1)]
)
def test_a_product_that_is_off_is_warned_of(told, found):
    text = SAMPLE.replace("\n```step\nkind: run", f"\nIt is {told}.\n\n```step\nkind: run", 1)
    assert text != SAMPLE
    assert sum("reckons" in said for said in warned(text)) == found


@pytest.mark.parametrize(
    ("said", "found"), [("On the right is a plane.", 1), ("Press the chart on the\nleft.", 1), ("The left group.", 0)]
)
def test_a_side_of_the_screen_is_warned_of(said, found):
    asked = step("side", "one*", "two", "three").replace("Which one?", f"{said} Which one?")
    text = SAMPLE[: SAMPLE.index("\n## Before")] + asked + SAMPLE[SAMPLE.index("\n## Look") :]
    assert sum("on a phone" in one for one in warned(text)) == found
