"""No text of a screen states, before a question is answered, a number or words that its right choice alone has.

Looked at are the texts of `on_stage`: captions, titles, legends, cards and controls, and what is written in charts; and
the lesson's own text above the question. Bars and curves may show how large something is: that is what is asked.
"""

from dataclasses import replace

import pytest

from lessons.format.lesson import Lesson, Step
from lessons.format.questions.pick import Pick
from pages.drawing.reads import reads
from pages.lesson.lessons import library
from tests.lessons.shipped import claims, on_stage

LESSONS = [lesson for lesson in library().lessons if any(step.choices for step in lesson.steps)]


def alone(step: Step) -> list[claims.Number]:
    """Return the numbers of two digits or more that the right choice states, and no other one."""
    right = [number for choice in step.choices if choice.correct for number in claims.claimed_numbers(choice.text)]
    others = [number for choice in step.choices if not choice.correct for number in claims.claimed_numbers(choice.text)]
    many = [number for number in right if len(number.text.strip("-0.%").replace(".", "")) > 1]
    return [number for number in many if number.value not in [other.value for other in others]]


def phrases(step: Step) -> list[str]:
    """Return the right choices in words, from three words on."""
    return [claims.words(choice.text) for choice in step.choices if choice.correct and len(choice.text.split()) > 2]


def digits(step: Step) -> list[claims.Number]:
    """Return the numbers of one digit that are a right choice, whole. Charts count so far, but captions rarely do."""
    right = [choice.text for choice in step.choices if choice.correct and len(choice.text.strip("$ ")) == 1]
    return [number for text in right for number in claims.claimed_numbers(text)]


def stated(lesson: Lesson, step: Step) -> list[str]:
    """Return the parts of its answer that the screen of an open question states."""
    if not step.choices or step.form.problem or step.form.look == "lines":
        return []
    few = digits(step) if "captions" not in step.hide and not isinstance(step.ask, Pick) else []
    captioned = on_stage.captioned(lesson, step) if few else []
    return [number.text for number in few if any(map(number.rounds, captioned))] + _stated(lesson, step)


def _stated(lesson: Lesson, step: Step) -> list[str]:
    """Return those of two digits or more, or of three words."""
    numbers, said = (
        [] if isinstance(step.ask, Pick) else alone(step),
        phrases(step),
    )  # a mark that is pressed has its name beside it
    if not numbers and not said:
        return []
    screen = on_stage.stated(lesson, step)
    text = claims.Screen.read([step.title, step.body])
    shown = [number.text for number in numbers if any(map(number.rounds, screen.numbers + text.numbers))]
    return shown + [phrase for phrase in said if phrase in screen.text or phrase in text.text]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.path.stem)
def test_no_screen_states_the_answer_before_it_is_given(lesson):
    found = {step.id: answer for step in lesson.steps if (answer := stated(lesson, step))}
    assert found == {}


def test_a_number_that_is_written_in_a_chart_is_seen():
    spec = {
        "layer": [
            {"data": {"name": "a"}, "mark": {"type": "bar"}, "encoding": {"y": {"field": "height"}}},
            {
                "data": {"name": "a"},
                "mark": {"type": "text"},
                "encoding": {"y": {"field": "low"}, "text": {"field": "said"}},
            },
        ]
    }
    assert {name for _, name in reads(on_stage.written(spec))} == {"said"}


def test_an_answer_of_one_digit_in_a_caption_is_seen():
    lesson = next(one for one in LESSONS if one.id == "features-spike")
    step = next(step for step in lesson.steps if step.id == "zero")
    assert stated(lesson, step) == []
    assert stated(lesson, replace(step, hide=())) == ["0"]


def test_an_answer_above_its_question_is_seen():
    lesson = next(one for one in LESSONS if one.id == "crp-how-many")
    step = next(step for step in lesson.steps if step.id == "alpha")
    assert stated(lesson, step) == []
    told = replace(step, body=f"{step.body} On average there are 13.3 of them.")
    assert stated(lesson, told) == ["13.3"]
