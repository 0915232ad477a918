"""The lessons, glossary and courses of one folder, kept up to date while instructors edit them."""

import logging
import os
from pathlib import Path

from lessons.check.copies import keepers
from lessons.check.files import Reading, Stamp, id_taken, lesson_files, parse_lesson, read_lesson, stamp_of
from lessons.course.remembered import Readings, remember, remembered
from lessons.format.course_file import Course
from lessons.format.glossary import Term
from lessons.format.lesson import Lesson
from lessons.format.problems import Problem

LOG = logging.getLogger("samplescope")
BESIDE = "beside"  # the folder of pictures and data that the last valid versions need


class Shelf:
    """The files of one folder. A broken file is served in its last valid version.

    Parameters
    ----------
    folder : pathlib.Path
        The folder of the ``*.md`` files; ``glossary.md`` is the glossary; README, STYLE and SOURCES are not lessons.
    kept : pathlib.Path, optional
        A folder for the last valid version of each file, so that it survives a restart, and for the parsed files, so
        that a restart need not parse them again.

    Attributes
    ----------
    lessons : tuple of Lesson
        The lessons, in the order of the file names.
    problems : dict of pathlib.Path to list of Problem
        The problems of each file that has any.
    terms : tuple of Term
        The terms of the glossary.
    courses : tuple of Course
        The courses, in the order of the file names.
    """

    def __init__(self, folder: Path, kept: Path | None = None) -> None:
        self.folder = folder
        self._kept = kept
        self._readings: Readings = remembered(kept) if kept else {}
        self._served: dict[Path, Reading] = {}  # the last valid version of each file
        self.lessons: tuple[Lesson, ...] = ()
        self.terms: tuple[Term, ...] = ()
        self.courses: tuple[Course, ...] = ()
        self.problems: dict[Path, list[Problem]] = {}
        before = self._readings
        self.refresh()
        if kept and self._readings != before:
            remember(kept, self._readings)

    def refresh(self) -> None:
        """Read the files that have changed since the last call."""
        try:
            readings = {path: self._read(path) for path in lesson_files(self.folder)}
            there = self.folder.is_dir()
        except OSError as error:  # as of a disk that is gone: what was read before stays
            self.problems |= {self.folder: [Problem(self.folder, 1, 1, f"the folder cannot be read: {error.strerror}")]}
            return
        served: dict[Path, Reading] = {}
        problems: dict[Path, list[Problem]] = {}
        ids: dict[str, Lesson] = {}
        last = {path: here.lesson for path, here in self._served.items() if here.lesson and path in readings}
        lessons = [one for path, (_, reading) in readings.items() if (one := reading.lesson or last.get(path))]
        kept = keepers(lessons, {one.path for one in lessons if one.path in last and last[one.path].id == one.id})
        for path, (_, reading) in readings.items():
            found, here = list(reading.problems), self._served.get(path)
            lesson = reading.lesson
            if lesson is not None and kept[lesson.id] is not lesson:
                found.append(id_taken(reading, kept[lesson.id]))
            if not found:
                here = reading
            if here is not None and (
                here.lesson is None or kept.setdefault(here.lesson.id, here.lesson) is here.lesson
            ):
                served[path] = here
                ids |= {here.lesson.id: here.lesson} if here.lesson else {}
            if found:
                problems[path] = found
        if not there:
            problems[self.folder] = [Problem(self.folder, 1, 1, "there is no such folder of lessons")]
        self._readings, self._served, self.problems = readings, served, problems
        self.terms = tuple(term for reading in served.values() for term in reading.terms)
        self.courses = tuple(reading.course for reading in served.values() if reading.course)
        self.lessons = tuple(self._in_its_language(lesson) for lesson in ids.values())

    def _in_its_language(self, lesson: Lesson) -> Lesson:
        """Return a lesson in the language that it names or, failing that, of the first course of the folder with it."""
        if "language" in lesson.model_fields_set:
            return lesson
        course = next((course for course in self.courses if course.has(lesson.id)), None)
        return lesson if course is None else lesson.model_copy(update={"language": course.keys.language})

    def _read(self, path: Path) -> tuple[Stamp | None, Reading]:
        known = self._readings.get(path)
        if known is not None and known[0] is not None and known[0] == stamp_of(path, known[1].beside):
            return known
        stamp = stamp_of(path)  # taken before reading; None if that fails, and then the file is read again
        reading = read_lesson(path)
        if reading.failed:
            LOG.error("%s", reading.problems[0])
        if stamp is not None and reading.beside:
            stamp = stamp_of(path, reading.beside)
        if not reading.problems:
            self._keep(path.name, reading)
        elif path not in self._served and (last := self._last_valid(path)) is not None:
            self._served[path] = last
        return stamp, reading

    def _keep(self, name: str, reading: Reading) -> None:
        """Keep a file's text, and copies of the files beside it that it needs."""
        if self._kept is None:
            return
        try:
            for path in reading.beside:
                self._write(self._kept / BESIDE / path.relative_to(self.folder), path.read_bytes())
            self._write(self._kept / name, reading.source.encode())
        except OSError:  # a read-only installation keeps none
            return

    def _write(self, path: Path, content: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.write_bytes(content)
        part.replace(path)

    def _last_valid(self, path: Path) -> Reading | None:
        """Return a file's last valid version; None if none was kept, or today's checker finds problems in it."""
        if self._kept is None or not (kept := self._kept / path.name).is_file():
            return None
        try:
            reading = parse_lesson(kept.read_text("utf-8"), path, self._kept / BESIDE)
        except (OSError, UnicodeDecodeError):
            return None
        return None if reading.problems else reading
