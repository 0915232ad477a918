"""Hand-outs of all lessons."""

import re

import pytest

from lessons.reader.folders import SHIPPED
from lessons.reader.library import Library
from pages.contract.stage import stage_of
from pages.download.__main__ import main
from pages.download.handout import handout

LESSONS = {lesson.id: lesson for lesson in Library([SHIPPED]).lessons}


def parts(page):
    questions, _, answers = page.partition('<div class="answers">')
    return questions, answers


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_is_printed_without_its_answers_in_sight(name):
    lesson = LESSONS[name]
    page = handout(lesson)
    questions, answers = parts(page)
    assert questions.count("<section>") == len(lesson.steps)
    asked = [step for step in lesson.steps if step.choices]
    assert answers.count("✓") >= len(asked)
    assert "✓" not in questions
    assert questions.count('class="room"') >= len(asked)
    assert 'href="#' not in page
    assert not re.findall(r"<code>[^<]*\\[a-z]", page)  # a formula that could not be set


def test_pictures_stand_in_the_page_as_the_steps_open():
    page = handout(LESSONS["coin-posterior"], stage_of("coin"))
    assert 1 < page.count('<figure><img src="data:image/svg+xml;base64,') <= len(LESSONS["coin-posterior"].steps)
    assert "<figcaption>Density of θ, the probability of heads, at step 0</figcaption>" in page


def test_the_command_writes_files_and_knows_near_names(tmp_path, capsys):
    assert main(["coin-posterior", "--no-pictures", "--out", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new/coin-posterior.html").read_text("utf-8").startswith("<!doctype html>")
    with pytest.raises(SystemExit):
        main(["coin-posteriors", "--out", str(tmp_path)])
    assert "is it coin-posterior?" in capsys.readouterr().err
