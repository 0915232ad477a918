"""Files as such, and the check that runs what the lessons claim."""

from pathlib import Path

import pytest

from lessons.check.files import read_lesson
from lessons.format.problems import Problem
from tests.lessons.format.sample import SAMPLE, check, edited


def first_problem(path):
    """Return the only problem of a file, without its path."""
    reading = read_lesson(path)
    assert reading.lesson is None
    (problem,) = reading.problems
    return str(problem).removeprefix(f"{path.as_posix()}:")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "1:1: the file is empty"),
        (b"\xef\xbb\xbf \r\n\t", "1:1: the file is empty"),
        (b"---\nid: a\xffb\n", "2:6: byte 0xff is not UTF-8 text; save the file as UTF-8"),
        ("---\nid: ä".encode("utf-16"), "1:1: byte 0xff is not UTF-8 text; save the file as UTF-8"),
        (b"\x89PNG\r\n\x1a\n\x00", "1:1: byte 0x89 is not UTF-8 text; save the file as UTF-8"),
        (b"---\r\nid: a\x00b\n", "2:6: this is a NUL character; a lesson is plain text"),
        (b"x" * 10_000_000, "1:1: the file has 10,000,000 bytes; a lesson has at most 262,144"),
    ],
    ids=["empty", "blank", "bytes", "utf-16", "picture", "nul", "large"],
)
def test_a_file_that_is_no_text_is_one_problem(tmp_path, data, expected):
    path = tmp_path / "a.md"
    path.write_bytes(data)
    assert first_problem(path) == expected


def test_a_folder_is_no_lesson(tmp_path):
    assert first_problem(tmp_path) == "1:1: this is a folder, not a file"


def test_a_file_that_is_not_there(tmp_path):
    assert first_problem(tmp_path / "a.md") == "1:1: the file cannot be read: No such file or directory"


def test_a_file_that_may_not_be_read(tmp_path, monkeypatch):
    def refuse(self):
        raise PermissionError(13, "Permission denied")

    path = tmp_path / "a.md"
    path.write_text(SAMPLE)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    assert first_problem(path) == "1:1: the file cannot be read: Permission denied"


def test_check_reads_a_folder_but_not_its_readme(tmp_path):
    (tmp_path / "crp.md").write_text(SAMPLE)
    (tmp_path / "README.md").write_text("no lesson")
    assert check(tmp_path) == []
    assert check(tmp_path / "README.md") == [], "not even by its name"
    (tmp_path / "broken.md").mkdir()
    assert check(tmp_path) == [Problem(tmp_path / "broken.md", 1, 1, "this is a folder, not a file")]


def test_check_runs_the_run_steps(tmp_path):
    path = tmp_path / "crp.md"
    path.write_text(edited("{customers: 30}", "{customers: 31, tables: 0}"))
    wrong_customers, wrong_tables = check(path)
    assert wrong_customers == Problem(path, 44, 10, "expected 31 customers after 30 customers, got 30")
    assert wrong_tables.message.startswith("expected 0 tables after 30 customers, got ")
    right = wrong_tables.message.rpartition(" ")[2]
    path.write_text(edited("{customers: 30}", f"{{tables: {right}}}"))
    assert check(path) == []


def test_check_reports_an_id_that_is_taken(tmp_path):
    first, second = tmp_path / "a.md", tmp_path / "b.md"
    first.write_text(SAMPLE)
    second.write_text(SAMPLE)
    message = "the id 'crp-one' is taken by a.md; ids are unique"
    assert check(tmp_path) == [Problem(second, 3, 5, message)]
    assert check(first, first) == []


def test_a_problem_is_shown_with_its_line():
    problem = Problem(Path("a.md"), 2, 4, "no")
    assert problem.framed("x\n\tabcd\r\ny") == "a.md:2:4: no\n    2 |  abcd\n           ^"
    assert problem.framed("") == "a.md:2:4: no"


@pytest.mark.parametrize("column", [1, 40, 51, 52, 500, 960, 1000])
def test_a_long_line_is_cut_around_the_column(column):
    line = "".join(chr(0x4E00 + number) for number in range(1000))
    _, shown, caret = Problem(Path("a.md"), 1, column, "no").framed(line).split("\n")
    assert len(shown) <= 110
    assert shown[caret.index("^")] == line[column - 1]
