"""Read lesson files and check them; whatever a file holds, the answer is a list of problems and never an exception."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path

from lessons.reader.course import Course, is_course, misfits, read_course
from lessons.reader.folders import folders
from lessons.reader.glossary import Term, read_terms
from lessons.reader.goals import Goal
from lessons.reader.guesses import Span, exactly, span
from lessons.reader.markdown import outline
from lessons.reader.problems import Problem
from lessons.reader.rules import build_lesson
from lessons.reader.schema import Lesson, Step
from lessons.reader.values import Place
from lessons.stages.settings import StageSettings
from samplers.chain import Chain

GLOSSARY = "glossary.md"
LARGEST = 256 * 1024  # bytes; a lesson of an hour has some 20 thousand
SEEDS_TRIED = 8  # one after the other, where a goal is to be reached with several
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
    """

    path: Path
    lesson: Lesson | None
    problems: tuple[Problem, ...]
    source: str = ""
    terms: tuple[Term, ...] = ()
    id_place: Place = (1, 1)
    course: Course | None = None

    @property
    def is_lesson(self) -> bool:
        """Whether the file is meant as a lesson, by its name."""
        return self.path.name.lower() != GLOSSARY and not is_course(self.path)


def parse_lesson(text: str, path: Path) -> Reading:
    """Read a lesson, a glossary or a course from text that is in memory; the path is only used to name it."""
    problems: list[Problem] = []

    def report(place: Place, message: str) -> None:
        problems.append(Problem(path, *place, message))

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
    if path.name.lower() == GLOSSARY:
        terms = read_terms(plain, report)
    elif is_course(path):
        course = read_course(plain, path, report)
    else:
        lesson, id_place = build_lesson(outline(plain, report), path, report)
    problems.sort(key=lambda problem: (problem.line, problem.column))
    if len(problems) > MOST:
        last = problems[MOST - 1]
        problems[MOST:] = [replace(last, message=f"and {len(problems) - MOST} more problems from here on")]
    if problems:
        lesson, course, terms = None, None, ()
    return Reading(path, lesson, tuple(problems), plain, terms, id_place, course)


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


def lesson_files(folder: Path) -> list[Path]:
    """Return a folder's lesson files in the order of their names, 9 before 10.

    Its glossary and its courses are among them, its README is not.
    """
    lessons = (path for path in folder.glob("*.md") if path.name.lower() != "readme.md")
    return sorted([*lessons, *filter(is_course, folder.glob("*.y*ml"))], key=by_name)


def by_name(path: Path) -> list[tuple[int, str]]:
    """Return the key by which files are ordered."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", path.name)]


def id_taken(reading: Reading, first: Lesson) -> Problem:
    """Return the problem of a file whose lesson has the id of another one."""
    message = f"the id '{first.id}' is taken by {first.path.name}; ids are unique"
    return Problem(reading.path, *reading.id_place, message)


def inspect(paths: Sequence[Path]) -> list[Reading]:
    """Read files and folders of them, run every ``run`` step, and return the readings with all their problems.

    Files are read whatever they are called, and of folders the lessons, the glossary and the courses. A course may name
    their lessons and those of the app.
    """
    files = [file for path in paths for file in (lesson_files(path) if path.is_dir() else [path])]
    readings = [read_lesson(file) for file in dict.fromkeys(files)]
    ids = {reading.lesson.id for reading in readings if reading.lesson}
    if any(reading.course for reading in readings):
        others = (read_lesson(file).lesson for folder in folders() for file in lesson_files(folder))
        ids |= {lesson.id for lesson in others if lesson}
    first: dict[tuple[Path, str], Lesson] = {}
    return [replace(reading, problems=(*reading.problems, *_found_in(reading, first, ids))) for reading in readings]


def _found_in(reading: Reading, first: dict[tuple[Path, str], Lesson], ids: Collection[str]) -> Iterator[Problem]:
    """Find the problems of a valid file among others: `first` are the lessons before it by folder and id."""
    if reading.course is not None:
        yield from misfits(reading.course, ids)
    if (lesson := reading.lesson) is not None:
        if (other := first.setdefault((lesson.path.parent, lesson.id), lesson)) is not lesson:
            yield id_taken(reading, other)
        yield from run_steps(lesson)


def run_steps(lesson: Lesson) -> list[Problem]:
    """Run the steps of a lesson that name an outcome, and report where it is not what the lesson says."""
    found = []
    for step in lesson.steps:
        try:
            said = [*_run(lesson, step), *(wrong for goal in step.goals for wrong in _try(lesson, step, goal))]
        except (ValueError, ArithmeticError) as error:
            said = [f"this step cannot be run: {error}"]
        found += [Problem(lesson.path, step.line, 1, each) for each in said]
    return found


def _run(lesson: Lesson, step: Step) -> list[str]:
    expected, end = _expected(step)
    if end is None:
        return []
    settings = lesson.settings_after(step)
    measured = settings.measure(Chain(settings.sampler(), lesson.seed_for(step)), end)
    return [
        f"expected {value.low:.10g} {name} after {end} {settings.unit}, got {measured[name]:.10g}"
        for name, value in expected.items()
        if not value.rounds(measured[name])
    ]


def _try(lesson: Lesson, step: Step, goal: Goal) -> Iterator[str]:
    """Say if a goal is reached before anything is done, or if it is not by the way that the lesson says."""
    here, at, seed = lesson.settings_for(step), step.at or 0, lesson.seed_for(step)
    view = step.open or next(iter(here.views))
    if goal.is_near(here, at, view) and goal.is_reached_by(_outcomes(here, seed, at, goal)):
        yield f"the goal '{goal.id}' is reached already when the step opens"
    there, at, seed = goal.way(here, at, seed)
    view = goal.keys.open or view
    if at > there.iterations:
        yield f"the way to '{goal.id}' ends at {at}; there are {there.iterations} {there.unit}"
    elif goal.keys.reach and there.opened is not None:
        yield f"the goal '{goal.id}' cannot be reached: a step that is looked at closely is not measured"
    elif not goal.is_near(there, at, view):
        yield f"this way does not lead to the goal '{goal.id}': its settings or its iteration are not the goal's"
    elif goal.keys.reach:
        found = [_outcomes(there, seed + more, at, goal) for more in range(SEEDS_TRIED if goal.keys.seeds > 1 else 1)]
        if sum(map(goal.is_reached_by, found)) < goal.keys.seeds:
            said = ", ".join(f"{name} {found[0][name]:.10g}" for name in goal.keys.reach)
            yield f"this way does not reach the goal '{goal.id}': it comes to {said}"


def _outcomes(settings: StageSettings, seed: int, t: int, goal: Goal) -> Mapping[str, float]:
    wanted = goal.keys.reach and settings.opened is None
    return settings.measure(Chain(settings.sampler(), seed), t) if wanted else {}


def _expected(step: Step) -> tuple[dict[str, Span], int | None]:
    """Return the outcomes that a step tells, and the iteration of which it does; None if it tells of none."""
    if step.kind == "run":
        return {name: exactly(value) for name, value in step.expect.items()}, step.until
    if step.ask is None or step.ask.outcome is None:
        return {}, None
    right = next(choice for choice in step.choices if choice.correct)
    value = span(right.text if step.takes_number else right.id)
    return {step.ask.outcome: value or exactly(nan)}, (step.at or 0) + step.then.advance
