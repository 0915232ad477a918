"""Hand-outs of all lessons."""

import re

import pytest

from lessons.format.folders import folders
from pages.contract.stage import stage_of
from pages.download import __main__ as printing
from pages.download.__main__ import main
from pages.download.figures import _drawing
from pages.download.handout import STYLE, handout
from pages.lesson.lessons import library

LESSONS = {lesson.id: lesson for lesson in library().lessons}


@pytest.fixture
def read_before(monkeypatch):
    """Let the command have the lessons of the folders that it reads: to read all of them takes eight seconds."""
    read = {tuple(folders()): library()}
    monkeypatch.setattr(printing, "Library", lambda asked: read[tuple(asked)])


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
    assert "<figcaption>Density of θ, the probability of heads, at toss 0<" in page


def test_a_guess_has_the_chart_on_which_it_is_drawn_and_no_picture_is_empty_or_comes_twice():
    page = handout(LESSONS["crp-how-many"], stage_of("crp_seating"))
    assert len({*re.findall('src="(data:image/svg[^"]*)"', page)}) == page.count("<figure>")
    assert "<figcaption>Width of the posterior, at point 50<" in handout(
        LESSONS["logistic-ellipse"], stage_of("logistic")
    )
    assert _drawing(b'<svg><g class="mark-symbol role-mark a"><text>  </text></g></svg>') == 0
    assert _drawing(b'<svg><g class="mark-symbol role-mark a"><path d="M0,0"/></g></svg>') == 4


def test_nothing_is_drawn_of_runs_that_are_still_to_come():
    sure = handout(LESSONS["mixture-how-sure"], stage_of("crp_mixture"))
    rich = handout(LESSONS["crp-rich-get-richer"], stage_of("crp_seating"))
    assert "Points, at sweep 0<" in sure
    assert "100 chains, at sweep 0<" not in sure, "that is a grid"
    assert "Restaurant, at customer 15<" in rich
    assert "Restaurant, at customer 0<" not in rich, "that is a door"


def test_a_picture_has_its_legend_and_is_large_enough_to_be_read():
    page = handout(LESSONS["mixture-how-sure"], stage_of("crp_mixture"))
    assert "<i class='block' style='background: #" in page
    assert "solid #1C2530'></i>exact</span>" in page
    widths = re.findall(r"figure \{[^}]*width: (\d+)mm", STYLE.read_text("utf-8"))
    assert len(widths) == 2
    assert min(map(int, widths)) >= 60


@pytest.mark.parametrize("name", LESSONS)
def test_the_answers_say_which_numbers_count(name):
    lesson = LESSONS[name]
    _, answers = parts(handout(lesson))
    ways = [step for step in lesson.steps if step.choices and getattr(step.ask, "within", 0) and not step.form.lists]
    assert len(re.findall(r"\(\S+ to \S+ count\)", answers)) == len(ways)


@pytest.mark.usefixtures("read_before")
def test_the_sheet_of_who_teaches_has_notes_and_answers_and_the_way(tmp_path, capsys):
    asked = ["crp-seating", "--no-pictures", "--notes", "--address", "https://here.example/", "--out", str(tmp_path)]
    assert main(asked) == 0
    given, taught = ((tmp_path / f"crp-seating{end}.html").read_text("utf-8") for end in ("", "-notes"))
    for page in (given, taught):
        assert "https://here.example/crp_seating?lesson=crp-seating" in page
        assert page.count("data:image/svg+xml") == 1
    assert "Seat five volunteers" in taught
    assert "Seat five volunteers" not in given
    assert "✓ 1/5" in taught


@pytest.mark.usefixtures("read_before")
def test_a_lesson_that_cannot_be_printed_is_left_out_with_a_reason_and_the_others_are_there(
    tmp_path, monkeypatch, capsys
):
    def fails(lesson, *more):
        if lesson.id == "coin-posterior":
            raise KeyError("own")
        return handout(lesson, *more)

    monkeypatch.setattr(printing, "handout", fails)
    assert main(["coin-posterior", "crp-seating", "--no-pictures", "--out", str(tmp_path)]) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["crp-seating.html"]
    assert "coin-posterior is left out: Samplescope itself fails here (KeyError at tests/" in capsys.readouterr().err


@pytest.mark.usefixtures("read_before")
def test_the_command_writes_files_and_knows_near_names(tmp_path, capsys):
    assert main(["coin-posterior", "--no-pictures", "--out", str(tmp_path / "new")]) == 0
    assert (tmp_path / "new/coin-posterior.html").read_text("utf-8").startswith("<!doctype html>")
    with pytest.raises(SystemExit):
        main(["coin-posteriors", "--out", str(tmp_path)])
    assert "is it coin-posterior?" in capsys.readouterr().err
