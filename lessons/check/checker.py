"""Check files: each on its own, the results of its runs, and links between files. Only changed files are read again."""

import difflib
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from lessons.check.copies import keepers
from lessons.check.crowded import crowded_start
from lessons.check.files import (
    GLOSSARY,
    NO_LESSONS,
    Reading,
    Stamp,
    id_taken,
    is_hidden,
    lesson_files,
    read_lesson,
    stamp_of,
)
from lessons.check.runs import run_steps
from lessons.check.unread import passed_over
from lessons.format.course_file import misfits
from lessons.format.folders import folders
from lessons.format.glossary import Term, overlaid
from lessons.format.lesson import Lesson
from lessons.format.links import astray
from lessons.format.problems import Problem
from lessons.format.wording import did_you_mean

HEAD = 4_000  # characters of a file to search for its front matter
SIMILAR = 0.8  # similarity, from 0 to 1, of two tracks of which one is probably misspelt

_KEY = re.compile(r"""(?m)^(id|track|stage):[ \t]*["']?(.*?)["']?[ \t]*(?:\s#.*)?$""")


@dataclass(frozen=True)
class Known:
    """A checked file: its time stamp, its reading, and the problems of its runs."""

    stamp: Stamp | None
    reading: Reading
    ran: tuple[Problem, ...]


class Checker:
    """A checker of files and folders. It reads files of any name, except README, STYLE and SOURCES.

    Parameters
    ----------
    paths : sequence of pathlib.Path
        Files, and folders whose lessons, glossary and courses it reads.

    Attributes
    ----------
    changed : tuple of pathlib.Path
        The files that were new, changed or gone at the last look.
    unread : tuple of Problem
        A warning for each file of the folders that looks like a lesson and was not read at the last look.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = paths
        self._known: dict[Path, Known] | None = None
        self.changed: tuple[Path, ...] = ()
        self.unread: tuple[Problem, ...] = ()

    def look(self) -> list[Reading] | None:
        """Read changed files, repeat their runs, and return all readings with all problems and warnings.

        Returns
        -------
        list of Reading or None
            None if nothing has changed since the last time.
        """
        files = dict.fromkeys(file for path in self._paths for file in _files(path))
        known = {file: self._look_at(file) for file in files}
        unread = tuple(one for path in self._paths if path.is_dir() for one in passed_over(path))
        if (known, unread) == (self._known, self.unread):
            return None
        before = self._known or {}
        self.changed = tuple(file for file in {**before, **known} if before.get(file) is not known.get(file))
        self._known, self.unread = known, unread
        heads = _heads(files)
        near = {head["id"]: head.get("track", "") for head in heads.values() if "id" in head}
        near |= {each.reading.lesson.id: each.reading.lesson.track for each in known.values() if each.reading.lesson}
        terms = _terms(files)
        names = [term.forms[0] for term in terms]
        kept = _keepers([each.reading.lesson for each in known.values() if each.reading.lesson])
        found = []
        for each in known.values():
            reading = each.reading
            problems = (*reading.problems, *_misfits(reading, kept, near), *_unnamed(reading.lesson, names), *each.ran)
            warnings = (*reading.warnings, *_misspelt(reading.lesson, near))
            if reading.lesson and _begins_topic(reading.lesson, heads):
                warnings += (*crowded_start(reading.lesson, terms),)
            found.append(replace(reading, problems=problems, warnings=warnings))
        return found

    def _look_at(self, file: Path) -> Known:
        known = (self._known or {}).get(file)
        if known is not None and known.stamp is not None and known.stamp == stamp_of(file, known.reading.beside):
            return known
        stamp = stamp_of(file)
        reading = read_lesson(file)
        if stamp is not None and reading.beside:
            stamp = stamp_of(file, reading.beside)
        return Known(stamp, reading, tuple(run_steps(reading.lesson)) if reading.lesson else ())


def inspect(paths: Sequence[Path]) -> list[Reading]:
    """Read files and folders, and return the readings with all problems and warnings of `Checker`."""
    return Checker(paths).look() or []


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        return lesson_files(path)
    return [] if path.stem.lower() in NO_LESSONS or is_hidden(path) else [path]


def _keepers(lessons: Sequence[Lesson]) -> dict[tuple[Path, str], Lesson]:
    """Return the lessons that keep their ids, by folder and id."""
    parents = dict.fromkeys(lesson.path.parent for lesson in lessons)
    return {
        (parent, identifier): lesson
        for parent in parents
        for identifier, lesson in keepers([one for one in lessons if one.path.parent == parent]).items()
    }


def _heads(files: Collection[Path]) -> dict[Path, dict[str, str]]:
    """Return id, track and stage of the app's lessons and those beside these files, if they can be read, in order."""
    heads = {}
    for folder in dict.fromkeys([*folders(), *(file.resolve().parent for file in files)]):
        for file in filter(Path.is_file, lesson_files(folder)):  # to open a pipe would wait for ever
            try:
                with file.open(encoding="utf-8", errors="replace") as text:
                    heads[file.resolve()] = dict(_KEY.findall(text.read(HEAD)))
            except OSError:
                continue
    return heads


def _begins_topic(lesson: Lesson, heads: Mapping[Path, Mapping[str, str]]) -> bool:
    """Return whether a lesson is the first one of its folder on its stage."""
    here = lesson.path.resolve()
    before = (file for file, head in heads.items() if file.parent == here.parent and head.get("stage") == lesson.stage)
    return next(before, here) == here


def _misfits(reading: Reading, kept: Mapping[tuple[Path, str], Lesson], ids: Collection[str]) -> Iterator[Problem]:
    """Yield the problems of a valid file beside others; `kept` has the lessons that keep their ids."""
    if reading.course is not None:
        yield from misfits(reading.course, ids)
    if (lesson := reading.lesson) is not None:
        if (other := kept[lesson.path.parent, lesson.id]) is not lesson:
            yield id_taken(reading, other)
        yield from astray(lesson.links, lesson.path, ids)


def _terms(files: Collection[Path]) -> tuple[Term, ...]:
    """Return the terms of the app's glossary, and of those beside these files, which come first where both have one."""
    paths = (folder / GLOSSARY for folder in dict.fromkeys([*folders(), *(file.resolve().parent for file in files)]))
    glossaries = (read_lesson(path).terms for path in paths if path.is_file())
    return reduce(overlaid, glossaries, ())


def _unnamed(lesson: Lesson | None, terms: Collection[str]) -> Iterator[Problem]:
    """Yield a problem for each question about an idea that no glossary has."""
    if lesson is None:
        return
    for step in lesson.steps:
        if step.idea and step.idea not in terms:
            message = f"no term of the glossary is '{step.idea[:40]}' {did_you_mean(step.idea, terms)}"
            yield Problem(lesson.path, *step.places.get(("idea",), (step.line, 1)), message)


def _misspelt(lesson: Lesson | None, tracks: Mapping[str, str]) -> Iterator[Problem]:
    """Yield a warning if only this lesson has its track, and several lessons have a similar one."""
    if lesson is None:
        return
    many = Counter(tracks.values())
    others = {track.casefold(): track for track, count in many.items() if count > 1 and track != lesson.track}
    near = difflib.get_close_matches(lesson.track.casefold(), others, n=1, cutoff=SIMILAR)
    if many[lesson.track] == 1 and near:
        message = f"no other lesson has the track '{lesson.track[:40]}' (did you mean '{others[near[0]]}'?)"
        yield Problem(lesson.path, *lesson.track_place, message, "warning")
