"""Most questions are answered on what they ask about: in the picture, on the bar below it, or in a line of a rule.

Those that ask *why* are not among them: their answer is a reason in words, which a list is for.
"""

from collections import Counter

from lessons.format.lesson import Step
from lessons.format.questions.ticks import Ticks
from pages.lesson.lessons import library


def asks_why(step: Step) -> bool:
    """Whether a question asks for the clause that explains what was seen."""
    return isinstance(step.ask, Ticks) and step.ask.why


QUESTIONS = [step for lesson in library().lessons for step in lesson.steps if step.choices and not asks_why(step)]
LEAST = 0.65
LINES = ("lines", "rule")  # a line of a program is struck out, or written


def answered(step: Step) -> str:
    """Return where a question is answered."""
    if step.ask.by_hand:
        return "picture"
    return "line" if step.form.look in LINES else "list"


def test_most_questions_are_answered_where_the_thing_is():
    found = Counter(map(answered, QUESTIONS))
    assert found["list"] <= (1 - LEAST) * found.total(), found


def test_no_share_is_set_in_the_left_column():
    """A slider stands beside the picture; a share has the bar below it."""
    sliders = [step.id for step in QUESTIONS if step.form.look == "slider" and step.form.limits == (0, 1)]
    assert not sliders
