"""Read lesson files and check them; whatever a file holds, the answer is a list of problems and never an exception."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lessons.reader.course import Course, is_course, read_course
from lessons.reader.glossary import Term, read_terms
from lessons.reader.links import beside_lesson
from lessons.reader.numbers import with_numbers
from lessons.reader.problems import Place, Problem, Report
from lessons.reader.rules import build_lesson
from lessons.reader.schema import Lesson

Stamp = tuple[int, ...]  # time of the last change in nanoseconds and size in bytes, of a file and of those beside it

GLOSSARY = "glossary.md"
NO_LESSONS = ("readme", "style", "sources")  # files beside them, in any case of letters
LARGEST = 256 * 1024  # bytes; a lesson of an hour has some 20 thousand
MOST = 100  # problems of one file; whoever has more has a file that is no lesson


@dataclass(frozen=True)
class Reading:
    """The lesson, the glossary or the course that one file holds, or the problems that keep it from being one.

    Attributes
    ----------
    path : pathlib.Path
        The file.
    lesson : Lesson or None
        None if there is any problem.
    problems : tuple of Problem
        In the order of the file.
    source : str
        The text of the file, as far as it is text.
    terms : tuple of Term
        What a glossary holds.
    id_place : tuple of int
        Line and column of the lesson's id.
    course : Course or None
        What a course file holds.
    warnings : tuple of Problem
        What is valid, and yet likely not to be what is meant; in the order of the file.
    beside : tuple of pathlib.Path
        The pictures that the lesson names, whether they are there or not: if one changes, the lesson is another.
    """

    path: Path
    lesson: Lesson | None
    problems: tuple[Problem, ...]
    source: str = ""
    terms: tuple[Term, ...] = ()
    id_place: Place = (1, 1)
    course: Course | None = None
    warnings: tuple[Problem, ...] = ()
    beside: tuple[Path, ...] = ()

    @property
    def is_lesson(self) -> bool:
        """Whether the file is meant as a lesson, by its name."""
        return self.path.name.lower() != GLOSSARY and not is_course(self.path)


def parse_lesson(text: str, path: Path) -> Reading:
    """Read a lesson, a glossary or a course from text that is in memory; the path is only used to name it."""
    report = Report(path)
    problems = report.problems
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    before, nul, _ = plain.partition("\0")
    if nul:
        line = before.count("\n") + 1
        report((line, len(before) - before.rfind("\n")), "this is a NUL character; a lesson is plain text")
        return Reading(path, None, tuple(problems), plain)
    if not plain.strip():
        report((1, 1), "the file is empty")
        return Reading(path, None, tuple(problems), plain)
    lesson: Lesson | None = None
    terms: tuple[Term, ...] = ()
    course: Course | None = None
    id_place = (1, 1)
    beside: tuple[Path, ...] = ()
    if path.name.lower() == GLOSSARY:
        terms = read_terms(plain, report)
    elif is_course(path):
        course = read_course(plain, path, report)
    else:
        with with_numbers(plain, report) as (pieces, said):
            lesson, id_place = build_lesson(pieces, path, said)
        beside = beside_lesson(pieces.links, path.parent)
    problems.sort(key=lambda problem: (problem.line, problem.column))
    if len(problems) > MOST:
        last = problems[MOST - 1]
        problems[MOST:] = [replace(last, message=f"and {len(problems) - MOST} more problems from here on")]
    if problems:
        lesson, course, terms = None, None, ()
    warnings = tuple(sorted(report.warnings, key=lambda warning: (warning.line, warning.column))[:MOST])
    return Reading(path, lesson, tuple(problems), plain, terms, id_place, course, warnings, beside)


def read_lesson(path: Path) -> Reading:
    """Read a lesson from a file."""

    def refused(message: str, line: int = 1, column: int = 1, source: str = "") -> Reading:
        return Reading(path, None, (Problem(path, line, column, message),), source)

    try:
        if path.is_dir():
            return refused("this is a folder, not a file")
        if path.exists() and not path.is_file():
            return refused("this is not an ordinary file")
        if (size := path.stat().st_size) > LARGEST:
            return refused(f"the file has {size:,} bytes; a lesson has at most {LARGEST:,}")
        data = path.read_bytes()
    except OSError as error:
        return refused(f"the file cannot be read: {error.strerror}")
    try:
        return parse_lesson(data.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        before = data[: error.start]
        message = f"byte 0x{data[error.start]:02x} is not UTF-8 text; save the file as UTF-8"
        column = error.start - before.rfind(b"\n")
        return refused(message, before.count(b"\n") + 1, column, data.decode("utf-8", "replace"))


def stamp_of(path: Path, beside: Sequence[Path] = ()) -> Stamp | None:
    """Return a file's time of change and size, and those of files beside it; None if its own cannot be read."""
    stamp: list[int] = []
    for each in (path, *beside):
        try:
            status = each.stat()
        except (OSError, ValueError):
            if each is path:
                return None
            stamp += [0, 0]
        else:
            stamp += [status.st_mtime_ns, status.st_size]
    return tuple(stamp)


def lesson_files(folder: Path) -> list[Path]:
    """Return a folder's lesson files in the order of their names, 9 before 10.

    Its glossary and its courses are among them; its README, STYLE and SOURCES are not.
    """
    lessons = (path for path in folder.glob("*.md") if path.stem.lower() not in NO_LESSONS)
    return sorted([*lessons, *filter(is_course, folder.glob("*.y*ml"))], key=by_name)


def by_name(path: Path) -> list[tuple[int, str]]:
    """Return the key by which files are ordered."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.name)]


def id_taken(reading: Reading, first: Lesson) -> Problem:
    """Return the problem of a file whose lesson has the id of another one."""
    message = f"the id '{first.id}' is taken by {first.path.name}; ids are unique"
    return Problem(reading.path, *reading.id_place, message)
