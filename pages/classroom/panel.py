"""The class on a page: a component that opens nothing until somebody joins a class or leads one.

All that is live goes past the scripts. A script hears of one thing alone: an answer of a round that is over, which it
takes in as if it had been given on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.classroom.kept_in import hours_kept
from pages.player.modules import loader
from pages.player.turns import session
from pages.shell import quiz
from pages.shell.answers import answered, checked, give, name_of
from pages.shell.lessons import library
from pages.shell.page import page_drawn
from pages.shell.state import Topic
from pages.web.paths import room_path

ROOM, TAKEN = "room", "answer of a class"  # the key of the component; the session's: the answer that was taken in last
LONGEST = 100  # characters of the name of an answer

_room = st.components.v2.component("samplescope_room", js=loader("classroom/room.js", file="classroom/door.js"))


def classroom() -> None:
    """Take in an answer of a round, and mount the component: no fragment, since the whole page goes on from there.

    It comes before the page, which is then drawn with the answer.
    """
    known = st.session_state.get(ROOM)
    told = known.get("given") if isinstance(known, Mapping) else None
    if isinstance(told, Mapping):
        _take(told)
    with st.container(key="class"):
        data = {
            "path": room_path(),
            "taken": st.session_state.get(TAKEN, ""),
            "page": page_drawn(),
            "session": session(),
            "hours": hours_kept(),
        }
        _room(key=ROOM, data=[data], default={"given": None}, on_given_change=_nothing)


def _nothing() -> None:
    """Take note of a report, which is read before the component is drawn."""


def _take(told: Mapping[str, Any]) -> None:
    """Take in an answer of the browser's, which is not trusted, once."""
    name = told.get("id")
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST or name == st.session_state.get(TAKEN):
        return
    st.session_state[TAKEN] = name
    lesson = library().lesson(str(told.get("lesson")))
    step = next((step for step in lesson.steps if step.id == told.get("step")), None) if lesson else None
    if lesson is None or step is None or not step.choices or answered(lesson, step) is not None:
        return
    keys = checked({name_of(lesson, step): told.get("keys")}).get(name_of(lesson, step))
    if keys is None or not step.can_have(keys):
        return
    place = st.session_state.get(f"topic {lesson.stage}")
    if isinstance(place, Topic) and (place.lesson, place.step) == (lesson.id, step.id):
        quiz.take(place, lesson, step, keys)
    else:
        give(lesson, step, keys)
