"""A class's work as a page and as grades, and answers of two browsers merged into one."""

import csv
import io

import pytest

from lessons.reader.__main__ import main
from lessons.reader.course import read_course
from lessons.reader.gradebook import Class
from lessons.reader.problems import Report
from lessons.reader.work import Given, Work, merged
from pages.shell.lessons import library
from tests.lessons.reader.sample import PATH

LESSON = library().lesson("crp-seating")
QUESTIONS = [step for step in LESSON.steps if step.choices or step.goals]
RIGHT = Given(
    lesson="crp-seating", step="fifth", answer=("1/5",), tries=1, began="2026-10-12T08:00:00Z",
    at="2026-10-12T08:00:00Z", first=("1/5",),
)  # fmt: skip
AGAIN = RIGHT.model_copy(update={"tries": 2, "first": ("1/4",), "at": "2026-10-20T08:00:00Z"})
WRONG = RIGHT.model_copy(update={"answer": ("1/4",), "first": ("1/4",)})
WORKS = [(f"{name}.json", Work(name=name, answers=answers)) for name, answers in
         (("Ada", (RIGHT,)), ("Bob <b>", (AGAIN,)), ("", (WRONG,)), ("Eve", ()))]  # fmt: skip
COURSE = 'title: C\nsections:\n  - {title: One, lessons: [crp-seating], due: "2026-10-19"}\n'


def course():
    report = Report(PATH)
    found = read_course(COURSE, PATH.with_name("course.yaml"), report)
    assert report.problems == []
    return found


def test_a_page_of_the_class_says_who_has_done_what_and_what_was_hard():
    found = Class(WORKS, library(), course())
    number = next(n for n, question in enumerate(found.questions) if question.step.id == "fifth")
    assert len(found.questions) == len(QUESTIONS)
    assert [row[number].mark for row in found.answers] == ["first", "later", "wrong", "none"]
    assert [row[number].late for row in found.answers] == [False, True, False, False]
    assert found.right_at_first(number) == pytest.approx(1 / 3)
    page = found.page("https://here.example/base/")
    assert "33% right at the first try of 3." in page
    assert "Most often instead: <b>1/4</b>" in page
    assert "https://here.example/base/crp_seating?lesson=crp-seating&amp;step=fifth" in page
    assert "Bob &lt;b&gt;" in page
    assert "<b>" not in page.replace("<b>1/4</b>", "")
    assert page.count("<tr>") == 2 + len(WORKS)
    assert "<script" not in page


def test_grades_are_a_row_for_each_learner():
    rows = list(Class(WORKS, library(), course()).grades())
    many = str(len(QUESTIONS))
    assert rows[1] == ("Bob <b>", "Bob <b>.json", many, "1", "1", "0", "1", f"{100 / len(QUESTIONS):.0f}")
    assert rows[3] == ("Eve", "Eve.json", many, "0", "0", "0", "0", "0")
    assert list(Class([], library()).grades()) == []


def test_the_command_writes_both_beside_the_table(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("lessons.reader.__main__.Library", lambda _: library())  # it has read them before
    folder = tmp_path / "in"
    folder.mkdir()
    for name, work in WORKS[:2]:
        (folder / name.replace(" <b>", "")).write_text(work.as_json(), "utf-8")
    page, grades = tmp_path / "class.html", tmp_path / "grades.csv"
    assert main(["collect", str(folder), "--page", str(page), "--grades", str(grades)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [(row["tries"], row["first_answer"], row["right_at_first"], row["first_time"]) for row in rows] == [
        ("1", "1/5", "yes", "2026-10-12T08:00:00Z"),
        ("2", "1/4", "no", "2026-10-12T08:00:00Z"),
    ]
    assert "http://localhost:8501/crp_seating" in page.read_text("utf-8")
    assert [row["name"] for row in csv.DictReader(io.StringIO(grades.read_text("utf-8")))] == ["Ada", "Bob <b>"]
    with pytest.raises(SystemExit):
        main(["collect", str(folder), "--course", "week33"])


@pytest.mark.parametrize(
    ("here", "there", "answer", "tries", "first"),
    [
        (RIGHT, WRONG, "1/5", 1, "1/5"),
        (WRONG, AGAIN, "1/5", 2, "1/4"),
        (AGAIN, RIGHT, "1/5", 2, "1/4"),
        (WRONG.model_copy(update={"answer": ("1/3",), "at": "2026-11-01T00:00:00Z"}), WRONG, "1/3", 1, "1/4"),
        (Given(lesson="crp-seating", step="fifth", answer=("1/3",)), WRONG, "1/4", 1, "1/4"),
    ],
)
def test_of_two_answers_the_right_one_stays_then_the_later_one(here, there, answer, tries, first):
    for _ in range(2):  # a file that is taken in twice changes nothing
        here = merged(here, there, library())
    assert (here.answer, here.tries, here.first) == ((answer,), tries, (first,))
