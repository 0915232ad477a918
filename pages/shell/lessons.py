"""The course as the app sees it: one library for all sessions."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from lessons.reader import Lesson, Step
from lessons.reader.glossary import marked
from lessons.reader.library import Library

FOLDER = Path(__file__).parents[2] / "lessons"
KEPT = Path(__file__).parents[2] / ".cache" / "lessons"  # the last valid versions


@st.cache_resource(show_spinner=False)
def _library() -> Library:
    return Library(FOLDER, KEPT)


def body(lesson: Lesson, step: Step) -> str:
    """Return a step's text, in which the terms that the lesson uses for the first time are marked."""
    bodies = marked(tuple(each.body for each in lesson.pages), library().terms)
    return bodies[lesson.pages.index(step)]


def refresh() -> None:
    """Read the files that have changed; a broken one keeps its last valid version."""
    _library().refresh()


def library() -> Library:
    """Return the lessons, as of the page's last run."""
    return _library()
