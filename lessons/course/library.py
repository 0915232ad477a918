"""The library of all lessons: the app's own, and those of instructors' folders."""

import hashlib
import secrets
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from copy import copy
from pathlib import Path

from lessons.catalogue import TOPICS
from lessons.check.again import AFTER, BEFORE, again_id, around_id, asked_again, asked_around
from lessons.check.numbers import NotRunError
from lessons.course.shelf import Shelf
from lessons.format.course_file import Course, misfits
from lessons.format.glossary import Term, overlaid
from lessons.format.language import ENGLISH, is_english
from lessons.format.lesson import Lesson
from lessons.format.problems import Problem


class Library:
    """The lessons of several folders. A lesson replaces one of an earlier folder with the same id, in its place.

    Parameters
    ----------
    folders : sequence of pathlib.Path
        The folders, each read as a `Shelf`. The first folder's glossary applies to all; each folder's own overrides it.
    kept : pathlib.Path, optional
        A folder for the last valid version of each file, so that it survives a restart.

    Attributes
    ----------
    lessons : tuple of Lesson
        The lessons, folder by folder, in the order of the file names.
    problems : dict of pathlib.Path to list of Problem
        The problems of each file that has any.
    terms : tuple of Term
        The terms of all glossaries.
    courses : dict of str to Course
        The courses by name; "" is the default course.
    token : str
        Identifies the current lessons, terms and courses: it changes whenever they change.
    """

    def __init__(self, folders: Sequence[Path], kept: Path | None = None) -> None:
        self._shelves = [Shelf(folder, kept and kept / label(folder)) for folder in folders]
        self._lock = threading.Lock()  # several sessions' threads may refresh at once
        self.lessons: tuple[Lesson, ...] = ()
        self.terms: tuple[Term, ...] = ()
        self.courses: dict[str, Course] = {}
        self.problems: dict[Path, list[Problem]] = {}
        self.token = ""
        self._terms: dict[Path, tuple[Term, ...]] = {}
        self._own_terms: dict[Path, tuple[Term, ...]] = {}
        self._again: dict[str, Lesson] = {}  # lessons that ask one question again, by their ids
        self._looked = time.monotonic()
        self._gather()

    def refresh(self, within: float = 0.0) -> None:
        """Read the files that have changed, unless the last call was less than `within` seconds ago.

        While another thread reads, others do not wait for it: a lesson's numbers may take long to compute, and all
        other lessons are there.
        """
        if not self._lock.acquire(blocking=False):
            return
        try:
            if time.monotonic() >= self._looked + within:
                for shelf in self._shelves:
                    shelf.refresh()
                self._gather()
                self._looked = time.monotonic()
        finally:
            self._lock.release()

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
            self._again = {}
            self.token = secrets.token_hex(8)

    def lesson(self, identifier: str) -> Lesson | None:
        """Return the lesson with an id, of a file or of a question that comes back; None if there is none."""
        found = next((lesson for lesson in self.lessons if lesson.id == identifier), None)
        return found or self._again.get(identifier) or self._asked_again(identifier)

    def _asked_again(self, identifier: str) -> Lesson | None:
        """Make the lesson that asks a question again, or a topic's questions before or after it.

        Returns
        -------
        Lesson or None
            None if there is none of this id, or if its run cannot be had.
        """
        for topic in TOPICS:
            for when in (BEFORE, AFTER):
                if around_id(when, topic.stage) == identifier:
                    with suppress(NotRunError):
                        found = asked_around(topic, when, self.lessons)
                        return found and self._again.setdefault(identifier, found)
        for lesson in self.lessons:
            for step in lesson.steps if identifier.startswith(again_id(lesson.id, "")) else ():
                if step.returns and again_id(lesson.id, step.id) == identifier:
                    with suppress(NotRunError):
                        return self._again.setdefault(identifier, asked_again(lesson, step))
        return None

    def course(self, name: str) -> Course | None:
        """Return the course of a name, or of the name of its file, such as ``course.yaml``; None if there is none."""
        found = (course for course in self.courses.values() if course.path.name == name)
        return self.courses.get(name) if name in self.courses else next(found, None)

    def with_draft(self, draft: Lesson) -> "Library":
        """Return this library with an unsaved lesson, which replaces the lesson of its file or with its id.

        The result is a snapshot, and is never refreshed.
        """
        other = copy(self)
        other._again = {}
        taken = [lesson.path == draft.path or lesson.id == draft.id for lesson in self.lessons]
        place = taken.index(True) if True in taken else len(taken)
        if True in taken and "language" not in draft.model_fields_set:  # its course sets it
            draft = draft.model_copy(update={"language": self.lessons[place].language})
        rest = [lesson for lesson, gone in zip(self.lessons, taken, strict=True) if not gone]
        other.lessons = (*rest[:place], draft, *rest[place:])
        return other

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders."""
        return tuple(shelf.folder for shelf in self._shelves)

    def left_out(self, *folders: Path) -> list[str]:
        """Return a sentence on each file of these folders that has problems."""
        wrong = {path: found for path, found in self.problems.items() if {path, path.parent} & {*folders}}
        return [f"{path.name} is left out: {found[0]}" for path, found in wrong.items() if found]

    def for_stage(self, stage: str) -> tuple[Lesson, ...]:
        """Return the lessons on a stage."""
        return tuple(lesson for lesson in self.lessons if lesson.stage == stage)

    def terms_of(self, path: Path, language: str = ENGLISH) -> tuple[Term, ...]:
        """Return the terms for the file of a lesson or a course: its folder's, overriding those of the first folder.

        In languages other than English, only the folder's own terms apply.
        """
        return (self._terms if is_english(language) else self._own_terms).get(path.parent, ())


def label(folder: Path) -> str:
    """Return a unique name for a folder's kept files."""
    return f"{folder.name}-{hashlib.sha256(str(folder).encode()).hexdigest()[:12]}"
