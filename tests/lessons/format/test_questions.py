"""A kind of question is one file and one line: all else asks the object, and never which kind it is."""

import re
from pathlib import Path

from lessons.format import schema
from lessons.format.questions.kind import QuestionKind
from lessons.format.schema import Question
from pages.lesson.lessons import library
from tests.lessons.format.sample import QUESTION_KINDS

NOT_BY_HAND = ("choices", "number")  # what is ticked, typed, or set by a slider

ROOT = Path(schema.__file__).parents[2]
KINDS = Path(schema.__file__).parent / "questions"
NAMES = "|".join(kind.__name__ for kind in QUESTION_KINDS)
NAMED = re.compile(rf"ask\.way\s*[!=]=|isinstance\([^)]*\b(?:{NAMES})\b")


def test_each_kind_has_a_file_and_a_key_of_its_own():
    assert [kind.way for kind in QUESTION_KINDS] == [
        key for key in Question.model_fields if (KINDS / f"{key}.py").exists()
    ]
    assert all(issubclass(kind, QuestionKind) for kind in QUESTION_KINDS)


def test_nothing_else_asks_which_kind_a_question_is():
    paths = [*(ROOT / "lessons").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    outside = [path for path in paths if KINDS not in path.parents]
    assert [path.name for path in outside if NAMED.search(path.read_text("utf-8"))] == []
    importing = [path.name for path in outside if re.search(r"questions\.(?!answers|kind)\w+ import", path.read_text())]
    assert sorted(importing) == ["lesson.py", "schema.py"]


def test_at_least_half_of_all_questions_are_answered_by_hand():
    ways = [step.ask.way for lesson in library().lessons for step in lesson.steps if step.choices]
    by_hand = [way for way in ways if way not in NOT_BY_HAND]
    assert len(by_hand) >= len(ways) / 2, f"{len(by_hand)} of {len(ways)}"
