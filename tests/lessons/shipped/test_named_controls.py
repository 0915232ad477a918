"""Where a lesson says which option of a control to take, both have the names that the page shows."""

import re
from typing import get_args

from lessons.settings.settings import StageSettings, flags_of
from pages.lesson.controls import words
from pages.lesson.lessons import library

TAKEN = re.compile(r"\*\*([^*]+)\*\* to \*([^*]+)\*(?!\*)")


def options_of(settings: StageSettings) -> set[tuple[str, str]]:
    """Return the controls of a topic with each of their options, as they are shown."""
    named = set()
    for field in type(settings).model_fields.values():
        said = flags_of(field).get("words", {})
        named |= {
            (field.title, said.get(one, words(one))) for one in get_args(field.annotation) if isinstance(one, str)
        }
    return named


def test_an_option_to_take_is_one_of_its_control():
    found = 0
    for lesson in library().lessons:
        told = TAKEN.findall(re.sub(r"\s+", " ", lesson.path.read_text("utf-8")))
        found += len(told)
        assert [each for each in told if each not in options_of(lesson.settings_for(lesson.steps[0]))] == [], lesson.id
    assert found > 4
