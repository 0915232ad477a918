"""Read and check lesson files; a bad file gives a list of problems, never an exception.

That holds for unforeseen errors as well: all pages read all lessons, so what one of them raised would take down all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lessons.check.numbers import with_numbers
from lessons.check.rules import build_lesson
from lessons.failing import unforeseen
from lessons.format.course_file import Course, is_course, read_course
from lessons.format.data_file import DataFile
from lessons.format.glossary import Term, read_terms
from lessons.format.lesson import Lesson
from lessons.format.links import beside_lesson
from lessons.format.problems import Position, Problem, Report

Stamp = tuple[int, ...]  # the times of change (ns) and sizes (bytes) of a file and those beside it

GLOSSARY = "glossary.md"
NO_LESSONS = ("readme", "style", "sources")  # other files in the folder, in upper or lower case
LARGEST = 256 * 1024  # bytes; a lesson of an hour has about 20,000
MOST = 100  # problems per file; a file with more is not a lesson


@dataclass(frozen=True)
class Reading:
    """The lesson, glossary or course in a file, or the problems that make the file invalid."""

    path: Path  # the file
    lesson: Lesson | None  # the lesson; None if there is any problem
    problems: tuple[Problem, ...]  # the problems, in the order of the file
    source: str = ""  # the text of the file; "" if it cannot be read
    terms: tuple[Term, ...] = ()  # the terms of a glossary
    id_place: Position = (1, 1)  # the line and column of the lesson's id
    course: Course | None = None  # the course of a course file
    warnings: tuple[Problem, ...] = ()  # notes on valid text that is probably a mistake, in the order of the file
    notes: tuple[Problem, ...] = ()  # what was read of the file of data
    # the pictures and the data that the lesson names, whether they exist or not: if one changes, so does the lesson
    beside: tuple[Path, ...] = ()
    failed: bool = False  # whether the problem is a mistake of ours: an unforeseen error

    @property
    def is_lesson(self) -> bool:
        """Whether the file's name is that of a lesson."""
        return self.path.name.lower() != GLOSSARY and not is_course(self.path)


def parse_lesson(text: str, path: Path, beside: Path | None = None) -> Reading:
    """Parse a lesson, a glossary or a course; the path gives its kind, and its name in messages.

    Its pictures and data are in the folder `beside`, or else in its own.
    """
    plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    try:
        return _parsed(plain, path, path.parent if beside is None else beside)
    except Exception as error:  # of whatever kind
        message = f"this file cannot be read. {unforeseen(error)}, and undo what you changed last"
        return Reading(path, None, (Problem(path, 1, 1, message),), plain, failed=True)


def _parsed(plain: str, path: Path, folder: Path) -> Reading:
    report = Report(path)
    problems = report.problems
    found = Reading(path, None, (), plain)
    before, nul, _ = plain.partition("\0")
    if nul:
        line = before.count("\n") + 1
        report((line, len(before) - before.rfind("\n")), "this is a NUL character; a lesson is plain text")
    elif not plain.strip():
        report((1, 1), "the file is empty")
    elif path.name.lower() == GLOSSARY:
        found = replace(found, terms=read_terms(plain, report))
    elif is_course(path):
        found = replace(found, course=read_course(plain, path, report))
    else:
        data = DataFile(folder)
        with with_numbers(plain, data, report) as (pieces, said):
            lesson, id_place = build_lesson(pieces, path, folder, data, said)
        files = (*beside_lesson(pieces.links, folder), *filter(None, [data.path]))
        found = replace(found, lesson=lesson, id_place=id_place, beside=files, notes=tuple(said.notes))
    problems.sort(key=lambda problem: (problem.line, problem.column))
    if len(problems) > MOST:
        last = problems[MOST - 1]
        problems[MOST:] = [replace(last, message=f"and {len(problems) - MOST} more problems from here on")]
    if problems:
        found = replace(found, lesson=None, course=None, terms=())
    warnings = tuple(sorted(report.warnings, key=lambda warning: (warning.line, warning.column))[:MOST])
    return replace(found, problems=tuple(problems), warnings=warnings)


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
    """Return the times of change and sizes of a file and of files beside it; None if the file cannot be read."""
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

    These include the glossary and the courses, but not README, STYLE and SOURCES, nor names that begin with a dot.
    """
    named = [path for path in folder.glob("*.*") if not is_hidden(path)]
    return sorted((path for path in named if _is_lesson(path) or is_course(path)), key=by_name)


def is_hidden(path: Path) -> bool:
    """Return whether a file's name begins with a dot: systems and editors write such files."""
    return path.name.startswith(".")


def _is_lesson(path: Path) -> bool:
    return path.suffix == ".md" and path.stem.lower() not in NO_LESSONS


def by_name(path: Path) -> list[tuple[int, str]]:
    """Return the sort key of a file's name."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.name)]


def id_taken(reading: Reading, first: Lesson) -> Problem:
    """Return the problem of a lesson whose id is taken by another."""
    message = f"the id '{first.id}' is taken by {first.path.name}; ids are unique"
    return Problem(reading.path, *reading.id_place, message)
