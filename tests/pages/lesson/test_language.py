"""The language of a lesson: on its page, on paper, and in work that is handed in."""

from pathlib import Path

import pytest

from lessons.course.work import Given, Work
from lessons.format.folders import LESSONS
from pages.download.handout import handout
from pages.lesson.handed_in import as_html
from tests.lessons.app_library import app_library
from tests.pages.visits import app, form

ARABIC = Path(__file__).parents[2] / "lessons/format/languages/ar"


@pytest.fixture
def arabic(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have the app read the Arabic course as well."""
    monkeypatch.setenv(LESSONS, str(ARABIC))


def spoken(block, language: str = "") -> dict[str, str]:
    """Return all Markdown and choices below a part of the page, each with the key of the part that names a language."""
    found = {}
    for child in block.children.values():
        key = getattr(getattr(child, "proto", None), "id", "") or ""
        here = key.rpartition("in_ar_rtl_")[2] if "in_ar_rtl_" in key else language
        if hasattr(child, "children"):
            found |= spoken(child, here)
        elif hasattr(child, "label") or hasattr(child, "value"):
            found[str(getattr(child, "label", "") or child.value)] = here
    return found


def test_the_lesson_s_words_stand_in_parts_that_name_its_language_and_the_app_s_do_not(arabic):
    test = app("coin.py", lesson="qita-prior", step="before")
    assert not test.exception
    said = spoken(test.main)
    assert said["## قبل الرمية الأولى"] == "body"
    question = form(test)["question"]
    assert (question["title"], question["lang"], question["dir"]) == ("قبل الرمية الأولى", "ar", "rtl")
    assert said["أين يقع مركز ثقل شكل متساوي الارتفاع في كل مكان؟"] == "hint0"
    assert said["Next"] == said["Back"] == ""
    assert "" in {*spoken(app("coin.py", lesson="coin-posterior").main).values()}


def test_a_hand_out_and_my_work_carry_the_language():
    library = app_library(ARABIC)
    lesson = library.lesson("qita-prior")
    page = handout(lesson)
    assert '<html lang="ar" dir="rtl">' in page
    assert '<p class="name" lang="en" dir="ltr"><span>Name</span>' in page
    assert '<html lang="en" dir="ltr">' in handout(library.lesson("coin-posterior"))
    work = Work(answers=(Given(lesson="qita-prior", step="before", answer=("النصف",), version=""),))
    page = as_html(work, library, "")
    assert '<article lang="ar" dir="rtl"><h3>' in page
    assert '<bdi lang="en" dir="ltr">It is</bdi> النصف' in page
    assert '<p class=set lang="en" dir="ltr">' in page
