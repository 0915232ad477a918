"""Words of a lesson on a page whose own words are English: in which language they are, and from which side they run.

Streamlit's elements take no attributes, so that the language is in the name of a container around the words, and
`store.js`, which is on every page, sets `lang` and `dir` by it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from lessons.reader import Lesson
from lessons.reader.language import ENGLISH, direction, isolated


def spoken(lesson: Lesson, name: str) -> AbstractContextManager[Any]:
    """Return a container for words of a lesson: under a name of its own on the page, and of the lesson's language.

    English is the page's own language, and needs none.
    """
    return (
        nullcontext()
        if lesson.language == ENGLISH
        else st.container(key=f"in_{lesson.language}_{direction(lesson.language)}_{name}")
    )


def aside(words: str, lesson: Lesson) -> str:
    """Return words in another language than the line around them: the app's in a lesson's, or its in ours."""
    return isolated(words, lesson.language)
