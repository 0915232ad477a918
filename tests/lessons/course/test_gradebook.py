"""A class's work as a page and as grades, and answers of two browsers merged into one."""

import codecs
import csv
import io

import pytest

from lessons.__main__ import main
from lessons.course.gradebook import Class
from lessons.course.learners import HandedIn, handed_in, latest
from lessons.course.tables import for_platform, grades
from lessons.course.work import Given, Work, merged
from lessons.format.course_file import read_course
from lessons.format.problems import Report
from pages.lesson.lessons import library
from tests.lessons.format.sample import PATH

LESSON = library().lesson("crp-seating")
QUESTIONS = [step for step in LESSON.steps if step.choices or step.goals]
RIGHT = Given(
    lesson="crp-seating", step="fifth", answer=("1/5",), tries=1, began="2026-10-12T08:00:00Z",
    at="2026-10-12T08:00:00Z", first=("1/5",),
)  # fmt: skip
AGAIN = RIGHT.model_copy(update={"tries": 2, "first": ("1/4",), "at": "2026-10-20T08:00:00Z"})
WRONG = RIGHT.model_copy(update={"answer": ("1/4",), "first": ("1/4",)})
WORKS = [HandedIn(f"{name}.json", Work(name=name, answers=answers)) for name, answers in
         (("Ada", (RIGHT,)), ("Bob <b>", (AGAIN,)), ("", (WRONG,)), ("Eve", ()))]  # fmt: skip
COURSE = """title: C
sections:
  - {title: One, lessons: [crp-seating], due: "2026-10-19"}
  - {title: Two, lessons: [crp-order]}
"""
SECTION = library().courses["clusters"].keys.sections[0].title
OTHERS = sum(bool(step.choices or step.goals) for step in library().lesson("crp-order").steps)


def course():
    report = Report(PATH)
    found = read_course(COURSE, PATH.with_name("course.yaml"), report)
    assert report.problems == []
    return found


def test_a_page_of_the_class_says_who_has_done_what_and_what_was_hard():
    found = Class(WORKS, library(), course())
    number = next(n for n, question in enumerate(found.questions) if question.step.id == "fifth")
    assert len(found.questions) == len(QUESTIONS) + OTHERS
    assert [row[number].mark for row in found.answers] == ["first", "later", "wrong", "none"]
    assert [row[number].late for row in found.answers] == [False, True, False, False]
    assert found.right_at_first(number) == pytest.approx(1 / 3)
    page = found.page("https://here.example/base/")
    assert "33% right at the first try of 3." in page
    assert "Most often instead: <b>1/4</b>" in page
    assert "https://here.example/base/crp_seating?lesson=crp-seating&amp;step=fifth" in page
    assert "Bob &lt;b&gt;" in page
    assert "<b>" not in page.replace("<b>1/4</b>", "")
    assert page.count("<tr>") == 2 * (2 + len(WORKS))
    assert "<script" not in page


def table(rows):
    head, *rest = rows
    assert all(len(row) == len(head) for row in rest)
    return [dict(zip(head, row, strict=True)) for row in rest]


def test_grades_are_a_row_for_each_learner_with_sections_and_lessons_and_first_tries_beside_the_last():
    ada, bob, _, eve = table(grades(Class(WORKS, library(), course())))
    many, share = len(QUESTIONS) + OTHERS, f"{100 / len(QUESTIONS):.0f}"
    assert [bob[name] for name in ("name", "file", "questions", "answered", "right", "right_at_first", "late")] == [
        "Bob <b>", "Bob <b>.json", str(many), "1", "1", "0", "1",
    ]  # fmt: skip
    assert [bob[name] for name in ("One", "One at first", "crp-seating", "Two")] == [share, "0", share, "0"]
    assert [ada[name] for name in ("percent", "percent at first")] == [f"{100 / many:.0f}"] * 2
    assert (eve["name"], eve["percent"]) == ("Eve", "0")
    assert table(grades(Class([], library()))) == []
    (one,) = table(grades(Class(WORKS[:1], library(), course(), "One")))
    assert one["percent"] == share
    assert "Two" not in one


MOODLE = "Müller Björn_1234567_assignsubmission_file"
FOLDERS = {  # as platforms name what they give out, and who it is
    f"{MOODLE}/my-work.json": ("moodle", "1234567", "Müller Björn"),
    "Ha Thi_77_assignsubmission_file_/deep/my-work.json": ("moodle", "77", "Ha Thi"),
    "O_Neil Ann_78_assignsubmission_file_my-work.json": ("moodle", "78", "O_Neil Ann"),
    "mllerbjrn_12345_67890_my-work.json": ("canvas", "12345", "Ada"),
    "mllerbjrn_LATE_12346_67891_my-work-1.json": ("canvas", "12346", "Ada"),
    "week_3/my-work.json": (None, "", "Ada"),
}


def test_platforms_names_of_folders_say_who_it_is(tmp_path):
    for name in FOLDERS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(Work(name="Ada").as_json(), "utf-8")
    assert {one.file: (one.platform, one.id, one.name) for one in handed_in(tmp_path, [])} == FOLDERS


def test_a_learner_has_one_row_and_the_later_file_counts():
    late = Work(name=" ada ", answers=(AGAIN,))
    numbered = [Work(name=name, number="007", answers=(RIGHT,)) for name in ("Zoë", "Zoe")]
    files = [WORKS[0], HandedIn("later.json", late), HandedIn("0.json", Work()), HandedIn("1.json", Work())]
    files += [HandedIn(f"z{number}.json", work) for number, work in enumerate(numbered)]
    said: list[str] = []
    assert [one.file for one in latest(files, said)] == ["later.json", "0.json", "1.json", "z1.json"]
    assert said == [
        "Ada.json: ada handed in later as later.json, which counts",
        "z0.json: Zoe handed in later as z1.json, which counts",
    ]


@pytest.mark.parametrize("first", [False, True])
def test_grades_have_the_columns_that_platforms_import(first):
    work = Work(name="Björn", number="s7", answers=(AGAIN,))
    share = "0" if first else f"{100 / len(QUESTIONS):.0f}"
    files = [HandedIn("a", work, "moodle", "1234567", "Müller Björn")]
    (one,) = table(for_platform(Class(files, library(), course(), "One"), "moodle", first=first))
    assert one == {"Identifier": "Participant 1234567", "Full name": "Müller Björn", "ID number": "s7", "Grade": share,
                   "Maximum Grade": "100", "Last modified (grade)": "", "One": share}  # fmt: skip
    files = [HandedIn("a", work, "canvas", "12345", "mllerbjrn")]
    points, one = table(for_platform(Class(files, library(), course()), "canvas", first=first))
    assert (points["Student"].strip(), points["One"], points["Two"]) == ("Points Possible", "100", "100")
    assert one == {"Student": "Björn", "ID": "12345", "SIS User ID": "s7", "SIS Login ID": "", "Section": "",
                   "One": share, "Two": "0"}  # fmt: skip
    _, (*_, grade) = [*for_platform(Class(files, library()), "moodle", first=first)]
    assert grade == ""


def test_the_command_writes_both_beside_the_table(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("lessons.__main__.Library", lambda _: library())  # it has read them before
    folder = tmp_path / "in"
    folder.mkdir()
    for one in WORKS[:2]:
        (folder / one.file.replace(" <b>", "")).write_text(one.work.as_json(), "utf-8")
    page, grades = tmp_path / "class.html", tmp_path / "grades.csv"
    assert main(["collect", str(folder), "--page", str(page), "--grades", str(grades)]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out.removeprefix("\ufeff"))))
    assert [(row["tries"], row["first_answer"], row["right_at_first"], row["first_time"]) for row in rows] == [
        ("1", "1/5", "yes", "2026-10-12T08:00:00Z"),
        ("2", "1/4", "no", "2026-10-12T08:00:00Z"),
    ]
    assert "http://localhost:8501/crp_seating" in page.read_text("utf-8")
    assert grades.read_bytes().startswith(codecs.BOM_UTF8)
    assert [row["name"] for row in csv.DictReader(io.StringIO(grades.read_text("utf-8-sig")))] == ["Ada", "Bob <b>"]
    named = ["--course", "clusters.course.yaml", "--section", SECTION, "--for", "canvas", "--first-try"]
    assert main(["collect", str(folder), "--grades", str(grades), *named]) == 0
    assert grades.read_text("utf-8-sig").startswith(f"Student,ID,SIS User ID,SIS Login ID,Section,{SECTION}\n")
    for wrong in (["--course", "week33"], ["--course", "clusters", "--section", "Week 33"]):
        with pytest.raises(SystemExit):
            main(["collect", str(folder), *wrong])


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
