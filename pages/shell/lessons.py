"""The lessons as the app sees them: one library for all sessions, and the course that a session has open."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from pathlib import Path
from threading import Lock
from urllib.parse import urlencode

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.reader.course import WHOLE, Course
from lessons.reader.folders import SHIPPED, folders
from lessons.reader.glossary import Term, marked, without
from lessons.reader.library import Library
from lessons.reader.links import with_lessons
from lessons.reader.pictures import with_pictures
from lessons.reader.plan import Plan
from pages.shell import drafts
from pages.shell.options import wants

FOLDER = SHIPPED
KEPT = Path(__file__).parents[2] / ".cache" / "lessons"  # the last valid versions
COURSE = "course"  # its name in the address and in the session


_reading = Lock()


@cache
def _made() -> Library:
    return Library([FOLDER, *folders()[1:]], KEPT)


def _library() -> Library:
    with _reading:  # it is read once, however many sessions ask first
        return _made()


def read_anew() -> None:
    """Forget the library, so that the next one who asks reads the folders that are named then."""
    _made.cache_clear()


def body(lesson: Lesson, step: Step) -> str:
    """Return a step's text, in which the terms that the lesson uses for the first time are marked."""
    terms = without(library().terms_of(lesson.path, lesson.language), lesson.everyday)
    bodies = marked(tuple(each.body for each in lesson.pages), terms)
    return prose(lesson, bodies[lesson.pages.index(step)])


def prose(lesson: Lesson, text: str) -> str:
    """Return Markdown of a lesson as a page shows it: with its pictures, and with links that open other lessons."""
    return with_pictures(with_lessons(text, _address), lesson.pictures)


def _address(identifier: str) -> str | None:
    """Return the address of a lesson, as seen from any page of ours; None if there is none with this id."""
    lesson = library().lesson(identifier)
    return None if lesson is None else f"{lesson.stage}?{urlencode(carried(lesson=identifier))}"


def latest(within: float = 0.0) -> str:
    """Read the files that have changed, and return the token of the lessons that are served then.

    A broken file keeps its last valid version. Who looked less than `within` seconds ago does not look again: a look
    takes 3 ms, and many times that while a class opens pages.
    """
    _library().refresh(within)
    return _library().token


def library() -> Library:
    """Return the lessons, as of the page's last run; with the draft, in the studio's look at one."""
    draft = drafts.seen()
    return _library().with_draft(draft[1]) if draft else _library()


# ---- the course ------------------------------------------------------------------------------------------------------


def unknown_course() -> str:
    """Return the name of a course that the address asks for and that there is not, "" if all is well."""
    asked = st.query_params.get(COURSE, "")
    return "" if asked in ("", WHOLE, *library().courses) else asked


def course_name() -> str:
    """Return the name of the course that this session has open, as links have it; "" if it is none in particular."""
    if COURSE in st.query_params and not unknown_course():
        st.session_state[COURSE] = st.query_params[COURSE]
    return str(st.session_state.get(COURSE, ""))


def plan() -> Plan:
    """Return the lessons as this session meets them now; with the instructor's notes, those that open later as well."""
    return Plan(library().lessons, _course(), datetime.now().astimezone(), early=wants("instructor"))


def terms() -> tuple[Term, ...]:
    """Return the glossary: that of the course's folder, or all of them."""
    course = _course()
    return library().terms_of(course.path, course.keys.language) if course else library().terms


def carried(**values: str) -> dict[str, str]:
    """Return what a link to a page of ours says, with the course that is open."""
    name = course_name()
    return {**values, COURSE: name} if name else values


def _course() -> Course | None:
    courses, name = library().courses, course_name()
    return None if name == WHOLE else courses.get(name) or courses.get("")
