"""A step with too much to read is reported, and no step of the app's lessons is one."""

import pytest

from lessons.check.checker import inspect
from lessons.check.crowded import MOST_ASKED, MOST_FIRST, MOST_TERMS, crowded_start, terms_in, words
from lessons.check.files import parse_lesson
from tests.lessons.app_library import app_library
from tests.lessons.format.sample import PATH, SAMPLE, edited

LIBRARY = app_library()
FIRST = {}
for one in LIBRARY.lessons:
    FIRST.setdefault(one.stage, one)


@pytest.mark.parametrize("stage", FIRST)
def test_a_topic_begins_with_few_words_and_terms(stage):
    step = FIRST[stage].steps[0]
    assert 0 < words(step.body) <= MOST_FIRST
    assert terms_in(step, LIBRARY.terms) <= MOST_TERMS


def test_few_words_come_before_any_question():
    asked = [(lesson, step) for lesson in LIBRARY.lessons for step in lesson.steps if step.choices]
    long = {f"{lesson.id}#{step.id}": words(step.body) for lesson, step in asked if not step.form.problem}
    assert {name: many for name, many in long.items() if many > MOST_ASKED} == {}
    assert len(long) > 300


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("Two words.", 2),
        ("A formula $a + b + c$ is one word, and – is none.", 9),
        ("$$\\sum_i x_i$$", 1),
        ("[a mark](#mark:new) and ![no word](a.svg)", 3),
    ],
)
def test_words_are_counted_as_they_are_read(text, many):
    assert words(text) == many


def test_a_long_question_is_reported_at_its_step():
    long = "word " * (MOST_ASKED + 1)
    reading = parse_lesson(edited("Point 2 sits alone: \\$3 for $\\alpha_1$, `$`.", long), PATH)
    (warning,) = reading.warnings
    assert (warning.line, warning.message.partition(";")[0]) == (14, "81 words before a question")
    assert parse_lesson(edited("Point 2 sits alone: \\$3 for $\\alpha_1$, `$`.", long[5:]), PATH).warnings == ()


def test_a_crowded_start_is_reported_for_the_first_lesson_of_a_topic_alone(tmp_path):
    crowd = edited("Point 2 sits alone: \\$3 for $\\alpha_1$, `$`.", "word " * (MOST_FIRST + 1))
    for name in ("a-1", "a-2"):
        (tmp_path / f"{name}.md").write_text(crowd.replace("id: crp-one", f"id: {name}"), "utf-8")
    first, second = inspect([tmp_path])
    assert [warning.message for warning in first.warnings] == [
        "a topic begins with 41 words; begin with at most 40, and something to do"
    ]
    assert second.warnings == ()
    (alone,) = inspect([tmp_path / "a-2.md"])
    assert alone.warnings == (), "the other one is beside it"


def test_terms_of_the_glossary_are_counted():
    text = edited("Point 2 sits alone", "The *posterior*, the *prior*, a *sweep* and the posterior: it sits alone")
    lesson = parse_lesson(text, PATH).lesson
    assert terms_in(lesson.steps[0], LIBRARY.terms) == 3
    messages = [problem.message for problem in crowded_start(lesson, LIBRARY.terms)]
    assert messages == ["a topic begins with 3 terms of the glossary; begin with at most 2"]
    assert "sweep" not in SAMPLE
