"""The desk of a session: one file, its text as it is in the editor, and what is known of both."""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

import streamlit as st

from lessons.check.files import LARGEST, Reading, id_taken, parse_lesson
from lessons.check.runs import run_steps
from lessons.course.saving import ChangedError, delete, digest_of, keep, may_write, read, rename, save
from lessons.format.course_file import misfits
from lessons.format.lesson import Lesson
from lessons.format.links import astray
from lessons.format.markdown import Outline, Section, outline
from lessons.format.problems import Problem, Report
from pages.drawing.numbers import counted
from pages.lesson.lessons import library
from pages.lesson.widgets import Drawn

NOT_YET = "Not saved yet: learners see your changes only after you press Save."


@dataclass
class Desk:
    """One file and its text."""

    path: Path | None = None  # the file that is open
    text: str = ""  # what the browser has reported last, or what was put into its editor since
    # base, seen: the file's text and its digest as it was read or written last
    base: str = ""
    seen: str = ""
    line: int = 1  # the line of the cursor, from 1
    # of the last text that was put into the editor. What the browser reports of an earlier one crossed with it.
    number: int = 0
    # whether it was read from the file, so that what the browser kept of an earlier visit may take its place
    fresh: bool = True
    # heard, saves: the number of the browser's last report, and how often it has asked to save
    heard: int = 0
    saves: int = 0
    said: str = ""  # what became of the last save
    jump: int = 0  # a line to which the editor goes, once
    ran: tuple[str, tuple[Problem, ...]] = ("", ())  # the text whose runs were repeated last, and their problems
    shown: Lesson | None = None  # the last valid version
    tried: object = None  # what many seeds came to, as `pages.studio.seeds` keeps it
    key: str = field(default_factory=lambda: secrets.token_urlsafe(24))  # opens the draft for the learner's view
    stage: str = "studio"  # before the names of its widgets, which have the file's and the step's in them
    lesson: str | None = None
    step: str | None = None
    widgets: dict[str, Drawn] = field(default_factory=dict)

    # ---- the file --------------------------------------------------------------------------------------------------

    def open(self, path: Path) -> None:
        """Read a file; a sentence says why if that cannot be."""
        if path != self.path:
            self.shown, self.said, self.line, self.jump = None, "", 1, 0
        self.path, self.fresh, self.number = path, True, self.number + 1
        try:
            self.base, self.seen = read(path)
        except (OSError, UnicodeDecodeError) as error:
            self.base, self.seen, self.path = "", "", None
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8; save it as UTF-8 first"
            self.said = f"{path.name} cannot be read: {why}"
        self.text = self.base

    def begin(self, path: Path, text: str) -> None:
        """Begin a file: nothing is written before it is saved, and until then learners see nothing of it."""
        self.path, self.base, self.seen, self.text = path, "", "", text
        self.shown, self.line, self.jump, self.said = None, 1, 0, NOT_YET
        self.fresh, self.number = True, self.number + 1

    def close(self) -> None:
        """Put the file away."""
        self.path, self.said = None, ""

    def set(self, text: str) -> None:
        """Put another text into the editor."""
        self.text, self.fresh, self.number = text, False, self.number + 1

    @property
    def clean(self) -> bool:
        """Whether all is saved."""
        return self.text == self.base

    @property
    def elsewhere(self) -> bool:
        """Whether the file is another one by now than the text was made from."""
        return self.path is not None and digest_of(self.path) != self.seen

    def hear(self, told: Any) -> None:
        """Take in what the browser says of its editor, which may be anything."""
        if not isinstance(told, Mapping) or told.get("version") != self.version:
            return
        text, seen = told.get("text"), told.get("kept", self.seen)
        line, sent, saves = (told.get(name) for name in ("line", "sent", "saves"))
        if not isinstance(text, str) or len(text) > LARGEST or not isinstance(seen, str):
            return
        if not isinstance(line, int) or not isinstance(sent, int) or not isinstance(saves, int):
            return
        if text != self.text:
            self.said = ""
        self.text, self.line, self.seen, self.heard = text, line, seen, sent
        if saves != self.saves:
            self.saves = saves
            self.save()

    @property
    def version(self) -> str:
        """The name of the editor's text among all sessions."""
        return f"{self.key[:8]}-{self.number}"

    def save(self) -> None:
        """Write the file, then repeat its runs."""
        if self.path is None:
            return
        try:
            self.seen = save(self.path, self.text, self.seen)
        except ChangedError:
            self.said = "Not saved: the file has changed in the meantime; see above."
            return
        except ValueError as error:
            self.said = f"Not saved: {error}."
            return
        except OSError as error:
            self.said = f"Not saved: {self.path.name} cannot be written ({error.strerror})."
            return
        self.base = self.text
        reading = checked(self.path, self.text)
        self.ran = self.text, tuple(run_steps(reading.lesson)) if reading.lesson else ()
        self.said = f"Saved at {time.strftime('%H:%M:%S')}"
        if many := len(reading.problems) + len(self.ran[1]):
            kept = "learners keep its last valid version" if reading.problems else "learners see it all the same"
            self.said += f", with {counted(many, 'problem')}: {kept}."

    def keep_mine(self) -> None:
        """Save over another's version, which is kept among the earlier ones."""
        if self.path is not None:
            self.seen = digest_of(self.path)
            self.save()

    def rename(self, name: str) -> None:
        """Give the file another name; what is not saved stays so."""
        if self.path is not None:
            self.path = rename(self.path, name)
            self.set(self.text)

    def delete(self) -> None:
        """Delete the file, which stays among the deleted ones, and put it away."""
        if self.path is not None:
            delete(self.path)
            name = self.path.name
            self.close()
            self.said = f"{name} is deleted. You can bring it back below."

    def insert(self, text: str) -> None:
        """Put a paragraph into a step, below the line of the cursor; below the heading if that line is no prose."""
        pieces = self.pieces()
        section = self.section(pieces) or next(iter(pieces.sections), None)
        lines, line = self.text.split("\n"), self.line
        if section and (line < section.line or sum(one.startswith("```") for one in lines[section.line : line]) % 2):
            line = section.line
        before = [""] if lines[line - 1].strip() else []
        self.set("\n".join([*lines[:line], *before, text, "", *lines[line + (lines[line : line + 1] == [""]) :]]))

    def differences(self, other: str) -> str:
        """Return the unified diff between another version and the text; "" if they are equal."""
        lines = unified_diff(
            other.splitlines(), self.text.splitlines(), "that version", "the text now", lineterm="", n=2
        )
        return "\n".join(lines)

    def take_theirs(self) -> None:
        """Go on with the file as it is now; what was in the editor is kept among the earlier versions."""
        if self.path is not None:
            if may_write(self.path):
                keep(self.path, self.text.encode())
            self.open(self.path)
            self.fresh = False

    # ---- the text --------------------------------------------------------------------------------------------------

    def pieces(self) -> Outline:
        """Return the text, taken apart."""
        return outline(self.text, Report(Path()))

    def section(self, pieces: Outline) -> Section | None:
        """Return the step in which the cursor is; None above the first one."""
        return next((section for section in reversed(pieces.sections) if section.line <= self.line), None)

    def look(self) -> Reading:
        """Return all that is found in the text, and remember it if it is a lesson."""
        assert self.path is not None
        reading = checked(self.path, self.text)
        self.shown = reading.lesson or self.shown
        ran = self.ran[1] if self.ran[0] == self.text else ()
        return replace(reading, problems=(*reading.problems, *ran))


def checked(path: Path, text: str) -> Reading:
    """Return a reading of a text, with how it fits the other lessons; nothing is run."""
    reading = parse_lesson(text, path)
    others = {lesson.id: lesson for lesson in library().lessons if lesson.path != path}
    found: list[Problem] = []
    if (lesson := reading.lesson) is not None:
        if lesson.id in others and others[lesson.id].path.parent == path.parent:
            found.append(id_taken(reading, others[lesson.id]))
        found += astray(lesson.links, path, [*others, lesson.id])
    if reading.course is not None:
        found += misfits(reading.course, others)
    return replace(reading, problems=(*reading.problems, *found))


def desk() -> Desk:
    """Return this session's desk."""
    return st.session_state.setdefault("desk", Desk())
