"""Drafts: unsaved lessons, visible only to people who have their key.

They stay in the server's memory. The studio puts them there, and its learner's view shows them.
"""

import re
from collections import OrderedDict

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons.format.lesson import Lesson

DRAFT = "draft"  # its name in the address and in the session
MOST = 100  # drafts to keep; the least recently written goes first

_KEY = re.compile(r"[\w-]{20,60}")  # too long to guess
_drafts: OrderedDict[str, tuple[int, Lesson]] = OrderedDict()


def put(key: str, lesson: Lesson) -> int:
    """Store a draft, and return its number, which changes when the lesson does."""
    number, before = _drafts.pop(key, (0, None))
    _drafts[key] = (number + (lesson != before), lesson)
    while len(_drafts) > MOST:
        _drafts.popitem(last=False)
    return _drafts[key][0]


def seen() -> tuple[int, Lesson] | None:
    """Return the draft that this session shows, with its number; None for learners, who see no drafts."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    asked = st.query_params.get(DRAFT, "")
    if _KEY.fullmatch(asked):
        st.session_state[DRAFT] = asked
    return _drafts.get(str(st.session_state.get(DRAFT, "")))
