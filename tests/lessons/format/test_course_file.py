"""A course: what its file may say, what is said when it is wrong, and the lessons as a class meets them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lessons.__main__ import main
from lessons.check.files import parse_lesson
from lessons.course.library import Library
from lessons.course.plan import Plan, moment
from lessons.format.course_file import is_course
from tests.lessons.format.sample import edited

PATH = Path("week3.course.yaml")
COURSE = """\
title: Clusters
sections:
  - title: Tables
    lessons: [three, one]
  - title: Later
    open_from: "2026-10-12T09:00+02:00"
    lessons: [two]
hide: [coin]
"""
OPENS = datetime(2026, 10, 12, 7, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path):
    for name, stage in (("one", "crp_seating"), ("two", "crp_seating"), ("three", "crp_seating")):
        (tmp_path / f"{name}.md").write_text(edited("crp-one", name).replace("crp_seating", stage))
    return tmp_path


def said(text: str, path: Path = PATH) -> list[str]:
    reading = parse_lesson(text, path)
    assert (reading.course is None) == bool(reading.problems)
    return [f"{problem.line}:{problem.column} {problem.message}" for problem in reading.problems]


def test_a_course_is_known_by_its_file():
    yes = ["course.yaml", "course.yml", "week3.course.yaml", "Week 3.course.yaml"]
    assert [is_course(Path(name)) for name in yes] == [True] * 4
    assert not any(is_course(Path(name)) for name in ("courses.yaml", "mycourse.yaml", "course.md", "week3.yaml"))
    assert said(COURSE) == said(COURSE, Path("course.yml")) == []
    assert parse_lesson(COURSE, PATH).course.name == "week3"
    assert parse_lesson(COURSE, Path("course.yaml")).course.name == ""


DAY = 'open_from: this should be a day, or a day and a time, such as "2026-10-12" or "2026-10-12 09:00"'
WRITTEN = '"2026-10-12T09:00+02:00"'


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("title: Clusters\n", "", "1:1 the key 'title' is missing: what learners see above the course map"),
        ("hide", "hdie", "8:1 unknown key 'hdie' (did you mean 'hide'?)"),
        ("hide: [coin]", "hide: coin", "8:7 hide should be a list, such as [first, second], got 'coin'"),
        ("    lessons: [two]\n", "", "5:5 the key 'lessons' is missing: the ids of its lessons, in order"),
        ("[two]", "[]", "7:14 lessons is empty"),
        ("[two]", "[two, one]", "7:20 'one' is in line 4 as well; list a lesson once"),
        ("title: Clusters", "title: '*A*'", "1:8 title is plain text, and *A* would be shown as it is; write it"),
        ("title: C", "live: example.edu\ntitle: C", "1:7 live: this should be an address that begins with https://"),
        ("title: C", "language: my own\ntitle: C", "1:11 language: this should be the short name of a language, such"),
        (WRITTEN, "2026-10-12", '6:16 YAML reads 2026-10-12 as a date; write "2026-10-12" in quotes'),
        (WRITTEN, "soon", f"6:16 {DAY}"),
        (WRITTEN, "9", f"6:16 {DAY}"),
        ("[three, one]", "[three, one", "4:14 this [ is not closed, or a comma is missing after it"),
        (COURSE, "# nothing", "1:1 there is nothing in here; write lines of the form key: value"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(old, new, wrong):
    assert COURSE.count(old) == 1
    found = said(COURSE.replace(old, new))
    assert len(found) == 1
    assert found[0].startswith(wrong)


def test_a_title_that_yaml_cuts_off_is_warned_of():
    (warning,) = parse_lesson(COURSE.replace("title: Clusters", "title: Clusters # and more", 1), PATH).warnings
    assert (warning.line, warning.column) == (1, 8)
    assert "learners read only 'Clusters'" in warning.message


@pytest.mark.parametrize("name", ["Week 3", "all"])
def test_a_course_has_a_name_for_links(name):
    (problem,) = said(COURSE, Path(f"{name}.course.yaml"))
    assert problem.startswith("1:1 ")


def test_a_course_is_in_one_file(folder):
    for suffix in ("yaml", "yml"):
        (folder / f"week3.course.{suffix}").write_text(COURSE)
    (problem,) = Library([folder]).problems[folder / "week3.course.yml"]
    assert problem.message == "week3.course.yaml is there as well, for the same course; keep one of the two"


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "2026-10-12", "2026-10-12 09:00"])
def test_any_day_is_taken_or_refused_and_has_a_time_zone(day):
    course = parse_lesson(COURSE.replace("2026-10-12T09:00+02:00", day), PATH).course
    assert course is None or course.keys.sections[1].open_from.tzinfo


def test_names_that_there_are_not_are_reported_and_left_out(folder):
    text = COURSE.replace("[three, one]", "[three, oen]").replace("[coin]", "[coins, one]")
    (folder / PATH).write_text(text)
    library = Library([folder])
    found = [f"{problem.line}:{problem.column} {problem.message}" for problem in library.problems[folder / PATH]]
    assert found == [
        "4:22 there is no lesson 'oen' (did you mean 'one'?)",
        "8:8 there is no topic or lesson 'coins' (did you mean 'coin'?)",
    ]
    assert [lesson.id for lesson in Plan(library.lessons, library.courses["week3"]).lessons] == ["three", "two"]


def test_a_course_that_breaks_keeps_its_last_valid_version(folder):
    (folder / PATH).write_text(COURSE)
    library = Library([folder])
    (folder / PATH).write_text("title: [")
    library.refresh()
    assert library.courses["week3"].keys.title == "Clusters"
    assert list(library.problems) == [folder / PATH]
    (folder / PATH).unlink()
    library.refresh()
    assert (library.courses, library.problems) == ({}, {})


def test_of_two_courses_with_one_name_the_later_folder_s_counts(folder, tmp_path):
    own = tmp_path / "own"
    own.mkdir()
    for place, title in ((folder, "First"), (own, "Second")):
        (place / "course.yaml").write_text(f"title: {title}\n")
    assert Library([folder, own]).courses[""].keys.title == "Second"


def test_the_checker_reads_courses_and_knows_the_lessons_of_the_app(tmp_path, capsys):
    path = tmp_path / "course.yaml"
    path.write_text("title: Mine\nsections:\n  - title: A\n    lessons: [crp-seating]\n")
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "no lessons, 1 course, no problems\n"
    path.write_text(path.read_text().replace("seating", "seatings"))
    assert main(["check", str(path)]) == 1
    assert f"{path}:4:15: there is no lesson 'crp-seatings' (did you mean 'crp-seating'?)" in capsys.readouterr().out


# ---- as a class meets them -------------------------------------------------------------------------------------------


def test_sections_order_and_number_the_lessons_and_open_in_time(folder):
    (folder / PATH).write_text(COURSE)
    library = Library([folder])
    one, three, two = library.lessons
    before = Plan(library.lessons, library.courses["week3"], OPENS - timedelta(seconds=1))
    assert before.title == "Clusters"
    assert [(part.title, part.lessons, part.opens) for part in before.parts] == [
        ("Tables", (three, one), None),
        ("Later", (two,), OPENS),
    ]
    assert before.lessons == (three, one, two)
    assert [before.number(lesson) for lesson in library.lessons] == [2, 1, 3]
    assert [before.after(lesson) for lesson in library.lessons] == [two, one, None]
    assert before.for_stage("crp_seating") == (three, one)
    assert (before.opens(two), before.opens(one)) == (OPENS, None)
    assert (before.shows("coin"), before.shows("crp_seating")) == (False, True)
    now = Plan(library.lessons, library.courses["week3"], OPENS)
    assert now.for_stage("crp_seating") == (three, one, two)
    assert now.opens(two) is None


def test_without_sections_all_that_is_not_hidden_stands_by_topics(folder):
    (folder / "course.yaml").write_text("title: All\nhide: [one]\n")
    library = Library([folder])
    one, three, two = library.lessons
    plan = Plan(library.lessons, library.courses[""])
    assert (plan.parts, plan.for_stage("crp_seating")) == ((), (three, two))
    assert [plan.number(lesson) for lesson in library.lessons] == [None, 1, 2]
    assert [plan.after(lesson) for lesson in library.lessons] == [None, two, None]
    whole = Plan(library.lessons)
    assert (whole.title, whole.lessons, whole.number(one)) == ("", library.lessons, 1)


def test_a_moment_is_said_in_words():
    assert moment(OPENS) == "Monday 12 October 2026, 07:00 (UTC)"
