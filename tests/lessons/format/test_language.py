"""Lessons in other languages: which one holds, how it is read, and what cannot be one."""

from pathlib import Path

import pytest

from lessons.check.checker import inspect
from lessons.course.library import Library
from lessons.format.folders import SHIPPED
from lessons.format.language import direction, isolated
from tests.lessons.app_library import app_library
from tests.lessons.format.sample import SAMPLE, problems

FOLDERS = Path(__file__).parent / "languages"


@pytest.mark.parametrize("language", ["de", "ar"])
def test_a_course_and_its_lessons_are_valid_and_have_its_language(language):
    readings = inspect([FOLDERS / language])
    assert [len(readings), *(problem for each in readings for problem in (*each.problems, *each.warnings))] == [3]
    library = app_library(FOLDERS / language)
    mine = library.courses[""].keys.sections[0].lessons
    assert {lesson.id: lesson.language for lesson in library.lessons if lesson.language != "en"} == dict.fromkeys(
        mine, language
    )
    assert library.terms_of(FOLDERS / language / "a.md", language) == ()
    assert library.terms_of(FOLDERS / language / "a.md") == library.terms_of(SHIPPED / "a.md") != ()


def test_a_lesson_s_own_language_wins_over_that_of_its_course(tmp_path):
    own = SAMPLE.replace("id: crp-one", "id: own\nlanguage: pt-BR")
    for name, text in {"a.md": SAMPLE, "b.md": own, "c.course.yaml": "title: C\nlanguage: fa"}.items():
        (tmp_path / name).write_text(text)
    assert [lesson.language for lesson in Library([tmp_path]).lessons] == ["fa", "pt-BR"]
    (tmp_path / "c.course.yaml").unlink()
    library = Library([tmp_path])
    assert [lesson.language for lesson in library.lessons] == ["en", "pt-BR"]


@pytest.mark.parametrize("wrong", ["german", "de_DE", "d", "''", "en-"])
def test_what_is_no_short_name_is_refused_in_its_place(wrong):
    (problem,) = problems(SAMPLE.replace("seed: 7\nshow", f"language: {wrong}\nseed: 7\nshow"))
    assert problem.startswith("10:11: language: this should be the short name of a language, such as en, de, ar or pt")


def test_languages_that_run_to_the_left():
    assert {name for name in ("ar", "ar-EG", "he", "fa", "ur", "az-Arab", "de", "zh-Hant", "ar-Latn", "pt-BR", "es-419")
            if direction(name) == "rtl"} == {"ar", "ar-EG", "he", "fa", "ur", "az-Arab"}  # fmt: skip
    assert isolated("6 min", "de") == "6 min"
    assert isolated("6 min", "ar") == "\u20686 min\u2069"
