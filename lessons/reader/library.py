"""All lessons that there are: those of the app, and those of an instructor's folders beside it."""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Sequence
from copy import copy
from pathlib import Path

from lessons.reader.course import Course, misfits
from lessons.reader.glossary import Term, overlaid
from lessons.reader.language import ENGLISH, is_english
from lessons.reader.problems import Problem
from lessons.reader.schema import Lesson
from lessons.reader.shelf import Shelf


class Library:
    """The lessons of several folders. A lesson of a later folder replaces one with its id, and takes its place.

    Parameters
    ----------
    folders : sequence of pathlib.Path
        Where lessons are, as `Shelf` reads them; the first one's glossary holds for all, with each one's own over it.
    kept : pathlib.Path, optional
        A folder for the last valid version of each file, which is then served after a restart as well.

    Attributes
    ----------
    lessons : tuple of Lesson
        Folder by folder, in the order of the file names.
    problems : dict of pathlib.Path to list of Problem
        For each file that has any.
    terms : tuple of Term
        Of all glossaries.
    courses : dict of str to Course
        By name; "" is the one that is open where none is asked for.
    token : str
        Stands for the lessons, terms and courses that there are: another one as soon as they are others.
    """

    def __init__(self, folders: Sequence[Path], kept: Path | None = None) -> None:
        self._shelves = [Shelf(folder, kept and kept / _label(folder)) for folder in folders]
        self._lock = threading.Lock()  # a server may refresh from the threads of several sessions
        self.lessons: tuple[Lesson, ...] = ()
        self.terms: tuple[Term, ...] = ()
        self.courses: dict[str, Course] = {}
        self.problems: dict[Path, list[Problem]] = {}
        self.token = ""
        self._terms: dict[Path, tuple[Term, ...]] = {}
        self._own_terms: dict[Path, tuple[Term, ...]] = {}
        self._looked = time.monotonic()
        self._gather()

    def refresh(self, within: float = 0.0) -> None:
        """Read the files that have changed since the last time, unless that was less than a number of seconds ago."""
        with self._lock:
            if time.monotonic() < self._looked + within:
                return
            for shelf in self._shelves:
                shelf.refresh()
            self._gather()
            self._looked = time.monotonic()

    def _gather(self) -> None:
        lessons = {lesson.id: lesson for shelf in self._shelves for lesson in shelf.lessons}
        courses = {course.name: course for shelf in self._shelves for course in shelf.courses}
        problems = {path: found for shelf in self._shelves for path, found in shelf.problems.items()}
        for course in courses.values():
            if found := misfits(course, lessons):
                problems[course.path] = [*problems.get(course.path, []), *found]
        common = self._shelves[0].terms if self._shelves else ()
        before = self.lessons, self.courses, self._terms
        self.lessons, self.courses, self.problems = tuple(lessons.values()), courses, problems
        self._terms = {shelf.folder: overlaid(common, shelf.terms) for shelf in self._shelves}
        self._own_terms = {shelf.folder: shelf.terms for shelf in self._shelves}
        self.terms = common
        for shelf in self._shelves[1:]:
            self.terms = overlaid(self.terms, shelf.terms)
        if not self.token or before != (self.lessons, self.courses, self._terms):
            self.token = secrets.token_hex(8)

    def lesson(self, identifier: str) -> Lesson | None:
        """Return the lesson with an id, None if there is none."""
        return next((lesson for lesson in self.lessons if lesson.id == identifier), None)

    def with_draft(self, draft: Lesson) -> Library:
        """Return this library with a lesson that is not saved, in place of the one of its file or with its id.

        It is a look at what is served now, and never refreshed.
        """
        other = copy(self)
        taken = [lesson.path == draft.path or lesson.id == draft.id for lesson in self.lessons]
        place = taken.index(True) if True in taken else len(taken)
        if True in taken and "language" not in draft.model_fields_set:  # its course says it
            draft = draft.model_copy(update={"language": self.lessons[place].language})
        rest = [lesson for lesson, gone in zip(self.lessons, taken, strict=True) if not gone]
        other.lessons = (*rest[:place], draft, *rest[place:])
        return other

    def for_stage(self, stage: str) -> tuple[Lesson, ...]:
        """Return the lessons that play on a stage."""
        return tuple(lesson for lesson in self.lessons if lesson.stage == stage)

    def terms_of(self, path: Path, language: str = ENGLISH) -> tuple[Term, ...]:
        """Return the terms that hold for a lesson's or a course's file: its folder's, over those of the first.

        In another language than English they are its folder's alone.
        """
        return (self._terms if is_english(language) else self._own_terms).get(path.parent, ())


def _label(folder: Path) -> str:
    """Return a name for what is kept of a folder, which no other folder has."""
    return f"{folder.name}-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
