"""The lessons of one folder, kept up to date while instructors edit them."""

from __future__ import annotations

import os
import threading
from pathlib import Path

from lessons.reader.files import GLOSSARY, Reading, id_taken, lesson_files, parse_lesson, read_lesson
from lessons.reader.glossary import Term
from lessons.reader.problems import Problem
from lessons.reader.schema import Lesson

Stamp = tuple[int, int]  # time of the last change in nanoseconds, size in bytes


class Library:
    """The lessons of one folder. A file that breaks keeps serving its last valid version.

    Parameters
    ----------
    folder : pathlib.Path
        Where the ``*.md`` files are; its README is not a lesson, and ``glossary.md`` is the glossary.
    kept : pathlib.Path, optional
        A folder for the last valid version of each lesson, which is then served after a restart as well.

    Attributes
    ----------
    lessons : tuple of Lesson
        In the order of the file names.
    problems : dict of pathlib.Path to list of Problem
        For each file that has any.
    terms : tuple of Term
        Of the glossary.
    """

    def __init__(self, folder: Path, kept: Path | None = None) -> None:
        self._folder = folder
        self._kept = kept
        self._lock = threading.Lock()  # a server may refresh from the threads of several sessions
        self._readings: dict[Path, tuple[Stamp | None, Reading]] = {}
        self._served: dict[Path, Lesson] = {}
        self.lessons: tuple[Lesson, ...] = ()
        self.terms: tuple[Term, ...] = ()
        self.problems: dict[Path, list[Problem]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the files that have changed since the last time."""
        with self._lock:
            readings = {path: self._read(path) for path in lesson_files(self._folder)}
            served: dict[Path, Lesson] = {}
            problems: dict[Path, list[Problem]] = {}
            terms: tuple[Term, ...] = ()
            ids: dict[str, Lesson] = {}
            for path, (_, reading) in readings.items():
                lesson, found = reading.lesson, list(reading.problems)
                if lesson is not None and lesson.id in ids:
                    found.append(id_taken(reading, ids[lesson.id]))
                    lesson = None
                lesson = lesson or self._served.get(path)
                if path.name.lower() == GLOSSARY:
                    terms = self.terms if found else reading.terms
                if lesson is not None and lesson.id not in ids:
                    served[path] = ids[lesson.id] = lesson
                if found:
                    problems[path] = found
            if not self._folder.is_dir():
                problems[self._folder] = [Problem(self._folder, 1, 1, "there is no such folder of lessons")]
            self._readings, self._served = readings, served
            self.lessons, self.terms, self.problems = tuple(served.values()), terms, problems

    def lesson(self, identifier: str) -> Lesson | None:
        """Return the lesson with an id, None if there is none."""
        return next((lesson for lesson in self.lessons if lesson.id == identifier), None)

    def for_stage(self, stage: str) -> tuple[Lesson, ...]:
        """Return the lessons that play on a stage."""
        return tuple(lesson for lesson in self.lessons if lesson.stage == stage)

    def _read(self, path: Path) -> tuple[Stamp | None, Reading]:
        stamp = _stamp(path)
        known = self._readings.get(path)
        if known is not None and stamp is not None and known[0] == stamp:
            return known
        reading = read_lesson(path)
        if reading.lesson is not None:
            self._keep(path.name, reading.source)
        elif path not in self._served and (lesson := self._last_valid(path)) is not None:
            self._served[path] = lesson
        return stamp, reading

    def _keep(self, name: str, source: str) -> None:
        if self._kept is None:
            return
        part = self._kept / f"{name}.{os.getpid()}.part"
        try:
            self._kept.mkdir(parents=True, exist_ok=True)
            part.write_text(source, "utf-8")
            part.replace(self._kept / name)
        except OSError:  # a read-only installation keeps none
            return

    def _last_valid(self, path: Path) -> Lesson | None:
        """Return a lesson's last valid version; None if none was kept that today's checker takes."""
        if self._kept is None or not (kept := self._kept / path.name).is_file():
            return None
        try:
            return parse_lesson(kept.read_text("utf-8"), path).lesson
        except (OSError, UnicodeDecodeError):
            return None


def _stamp(path: Path) -> Stamp | None:
    """Return a file's time of change and size; None if they cannot be read, so that the file is read again."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
