"""The language and the text direction of a lesson's words, on a page whose own words are English.

Streamlit's elements take no attributes. So the name of a container around the words holds the language, and `store.js`,
which is on every page, sets `lang` and `dir` from it.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

from lessons.format.language import ENGLISH, direction, isolated
from lessons.format.lesson import Lesson


def spoken(lesson: Lesson, name: str) -> AbstractContextManager[Any]:
    """Return a container for words of a lesson, whose key holds the lesson's language and a name unique on the page.

    English is the page's own language and needs no container.
    """
    if lesson.language == ENGLISH:
        return nullcontext()
    return st.container(key=f"in_{lesson.language}_{direction(lesson.language)}_{name}")


def aside(words: str, lesson: Lesson) -> str:
    """Return words marked as another language than their line: ours in a lesson's line, or a lesson's in ours."""
    return isolated(words, lesson.language)
