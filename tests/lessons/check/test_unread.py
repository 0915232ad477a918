"""Files of a folder that nobody reads: those that look like lessons are named, all others left alone."""

import os

import pytest

from lessons.__main__ import main
from lessons.check.checker import Checker
from lessons.check.unread import passed_over
from lessons.course.shelf import Shelf
from lessons.format.folders import SHIPPED
from tests.lessons.format.sample import SAMPLE

NAME = "this file is not read: the name of a lesson ends in .md, and of a course in course.yaml; rename the file to "


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("RICH.MD", "RICH.md"),
        ("rich.Md", "rich.md"),
        ("rich.markdown", "rich.md"),
        ("rich.md.txt", "rich.md"),
        ("rich.txt", "rich.md"),
        ("rich.mdx", "rich.md"),
        ("Glossary.MD", "glossary.md"),
        ("course.yaml.txt", "course.yaml"),
    ],
)
def test_a_name_that_only_looks_like_a_lessons_is_said(tmp_path, capsys, name, meant):
    (tmp_path / name).write_text(SAMPLE)
    assert main(["check", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert f"{tmp_path}/{name}:1:1: warning: {NAME}{meant}\n" in said
    assert said.endswith("no lessons, no problems, 1 warning\n")
    assert Shelf(tmp_path).lessons == (), "and the app reads no more than the checker"


def test_a_lesson_in_a_folder_below_is_said(tmp_path):
    folder = tmp_path / "mine" / "week1"
    folder.mkdir(parents=True)
    (folder / "x.md").write_text("\ufeff" + SAMPLE.replace("\n", "\r\n"))
    (problem,) = passed_over(tmp_path / "mine")
    assert problem.path == folder / "x.md"
    assert problem.message == (
        "this file is not read: lessons lie in mine itself; move it there, or name week1 in SAMPLESCOPE_LESSONS as a "
        "folder of its own"
    )


@pytest.mark.parametrize(
    "name",
    ["README.MD", "notes.txt", "week1/notes.md", ".rich.markdown", ".earlier/rich.md", "._rich.md", "a.png", "rich"],
)
def test_other_files_are_left_alone(tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(SAMPLE if "rich" in name else "---\nNotes of my own.\n")
    checker = Checker([tmp_path])
    assert checker.look() == []
    assert checker.unread == ()
    assert Shelf(tmp_path).problems == {}


def test_a_file_that_begins_with_a_dot_is_no_lesson(tmp_path):
    (tmp_path / "week-3.md").write_text(SAMPLE)
    (tmp_path / "._week-3.md").write_bytes(b"\0\5\x16\7\0\2\0\0Mac OS X        ")
    assert [reading.path.name for reading in Checker([tmp_path]).look() or []] == ["week-3.md"]
    assert Checker([tmp_path / "._week-3.md"]).look() == []
    shelf = Shelf(tmp_path)
    assert len(shelf.lessons) == 1
    assert shelf.problems == {}


def test_a_file_that_comes_or_goes_is_noticed_at_the_next_look(tmp_path):
    checker = Checker([tmp_path])
    assert checker.look() == []
    assert checker.look() is None
    (tmp_path / "a.markdown").write_text(SAMPLE)
    assert checker.look() == []
    assert len(checker.unread) == 1


def test_a_pipe_is_no_lesson_and_nobody_waits_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    os.mkfifo(tmp_path / "other.MD")
    (reading,) = Checker([tmp_path]).look() or []
    assert [problem.message for problem in reading.problems] == ["this is not an ordinary file"]


def test_the_apps_own_folder_has_no_such_file():
    assert passed_over(SHIPPED) == []
