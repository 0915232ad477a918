"""The app's lessons: one library for all sessions, and the course that a session has open."""

from datetime import datetime
from functools import cache
from threading import Lock
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from lessons.course.ahead import KEPT
from lessons.course.library import Library
from lessons.course.plan import Plan
from lessons.format.course_file import WHOLE, Course
from lessons.format.folders import SHIPPED, folders
from lessons.format.glossary import Term, marked, without
from lessons.format.lesson import Lesson, Step
from lessons.format.links import with_lessons
from lessons.format.pictures import with_pictures
from pages.lesson import drafts
from pages.lesson.address import parameters
from pages.lesson.options import wants

FOLDER = SHIPPED
COURSE = "course"  # its name in the address and in the session
SOON = 0.5  # seconds between two looks at the files for requests


_reading = Lock()


@cache
def _made() -> Library:
    return Library([FOLDER, *folders()[1:]], KEPT)


def _library() -> Library:
    with _reading:  # so that only one of several first sessions reads it
        return _made()


def read_anew() -> None:
    """Forget the library; the next call reads the folders that the environment then names."""
    _made.cache_clear()


def body(lesson: Lesson, step: Step) -> str:
    """Return a step's text, with each glossary term marked where the lesson first uses it."""
    terms = without(library().terms_of(lesson.path, lesson.language), lesson.everyday)
    bodies = marked(tuple(each.body for each in lesson.pages), terms)
    return prose(lesson, bodies[lesson.pages.index(step)])


def prose(lesson: Lesson, text: str) -> str:
    """Return a lesson's Markdown for a page, with its pictures and with working links to other lessons."""
    return with_pictures(with_lessons(text, address_of), lesson.pictures)


def titled(lesson: Lesson) -> str:
    """Return a lesson's title, with a word on a question that came back, or on a draft, which only instructors see."""
    if lesson.again_of:
        return f"Review · {lesson.title}"
    return f"{lesson.title} (draft)" if lesson.draft else lesson.title


def address_of(identifier: str) -> str | None:
    """Return the address of a lesson relative to any page of the app; None if no lesson has this id."""
    lesson = library().lesson(identifier)
    return None if lesson is None else f"{lesson.stage}?{urlencode(carried(lesson=identifier))}"


def latest(within: float = 0.0) -> str:
    """Read the files that have changed, and return the token of the lessons from then on.

    A broken file keeps its last valid version. If the last look was less than `within` seconds ago, there is no new
    one: a look takes 3 ms, and many times that while a class opens pages.
    """
    _library().refresh(within)
    return _library().token


def lessons_now() -> Library:
    """Return the lessons of the files as they are, for a request without a session, which sees no drafts."""
    latest(SOON)
    return _library()


def library() -> Library:
    """Return the lessons as of the page's last run; in the studio's learner view, with the draft."""
    draft = drafts.seen()
    return _library().with_draft(draft[1]) if draft else _library()


# ---- the course ------------------------------------------------------------------------------------------------------


def unknown_course() -> str:
    """Return the name of the course in the address if no course has it, else ""."""
    asked = parameters().get(COURSE, "")
    return "" if asked in ("", WHOLE, *library().courses) else asked


def course_name() -> str:
    """Return the name of this session's course for links; "" for the default course."""
    if (asked := parameters().get(COURSE)) is not None and not unknown_course():
        st.session_state[COURSE] = asked
    return str(st.session_state.get(COURSE, ""))


def plan() -> Plan:
    """Return this session's plan of lessons as of now; the instructor's notes open all of them early."""
    return Plan(library().lessons, _course(), datetime.now().astimezone(), early=wants("instructor"))


def terms() -> tuple[Term, ...]:
    """Return the glossary: the terms of the course's folder, or all terms."""
    course = _course()
    return library().terms_of(course.path, course.keys.language) if course else library().terms


def carried(**values: Any) -> dict[str, Any]:
    """Return the query parameters of a link within the app, with the open course."""
    name = course_name()
    return {**values, COURSE: name} if name else values


def _course() -> Course | None:
    courses, name = library().courses, course_name()
    return None if name == WHOLE else courses.get(name) or courses.get("")
