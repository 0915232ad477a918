"""Drafts: lessons that are being written, for the eyes of whoever has their key.

They stay in the server's memory. The studio puts them there, and the learner's view in it looks at them.
"""

from __future__ import annotations

import re
from collections import OrderedDict

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from lessons.reader import Lesson

DRAFT = "draft"  # its name in the address and in the session
MOST = 100  # drafts that are kept, last written last dropped

_KEY = re.compile(r"[\w-]{20,60}")  # it cannot be guessed
_drafts: OrderedDict[str, tuple[int, Lesson]] = OrderedDict()


def put(key: str, lesson: Lesson) -> int:
    """Keep a draft, and return its number, which is another one when the lesson is."""
    number, before = _drafts.pop(key, (0, None))
    _drafts[key] = (number + (lesson != before), lesson)
    while len(_drafts) > MOST:
        _drafts.popitem(last=False)
    return _drafts[key][0]


def seen() -> tuple[int, Lesson] | None:
    """Return the draft that this session looks at, with its number; None if it looks at none, as learners do."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return None
    asked = st.query_params.get(DRAFT, "")
    if _KEY.fullmatch(asked):
        st.session_state[DRAFT] = asked
    return _drafts.get(str(st.session_state.get(DRAFT, "")))
