"""The class on a page: a component that opens no connection until someone joins a class or leads one.

Live messages do not go through Streamlit's script. The script gets one thing from a class: the learner's answer to a
question that is over, which then counts as if it had been given on the page.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from lessons.flow import name_of
from pages.classroom.kept_in import hours_kept, teachers_key
from pages.http.paths import room_path
from pages.lesson import quiz
from pages.lesson.answers import answered, checked, give
from pages.lesson.lessons import library
from pages.lesson.page import page_drawn
from pages.lesson.state import Visit
from pages.player.modules import loader
from pages.player.turns import session

ROOM, TAKEN = "room", "answer of a class"  # the key of the component; the session's: the answer that was taken in last
LONGEST = 100  # characters of the name of an answer

_room = st.components.v2.component("samplescope_room", js=loader("classroom/room.js", file="classroom/door.js"))


def classroom() -> None:
    """Take in an answer to a question that is over, and mount the component.

    It is no fragment, since the whole page goes on from the answer; and it comes before the page, which shows it.
    """
    known = st.session_state.get(ROOM)
    given = known.get("given") if isinstance(known, Mapping) else None
    if isinstance(given, Mapping):
        _take(given)
    with st.container(key="class"):
        data = {
            "path": room_path(),
            "taken": st.session_state.get(TAKEN, ""),
            "page": page_drawn(),
            "session": session(),
            "hours": hours_kept(),
            "key": bool(teachers_key()),
        }
        _room(key=ROOM, data=[data], default={"given": None}, on_given_change=_nothing)


def _nothing() -> None:
    """Do nothing: the report is read before the component is drawn."""


def _take(given: Mapping[str, Any]) -> None:
    """Take in an answer once. It comes from the browser, so it is checked."""
    name = given.get("id")
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST or name == st.session_state.get(TAKEN):
        return
    st.session_state[TAKEN] = name
    lesson = library().lesson(str(given.get("lesson")))
    step = next((step for step in lesson.steps if step.id == given.get("step")), None) if lesson else None
    if lesson is None or step is None or not step.choices or answered(lesson, step) is not None:
        return
    keys = checked({name_of(lesson, step): given.get("keys")}).get(name_of(lesson, step))
    if keys is None or not step.can_have(keys):
        return
    place = st.session_state.get(f"topic {lesson.stage}")
    quiz.tell(lesson, step)  # it is over for all, and its answer may be on every screen
    if isinstance(place, Visit):
        quiz.take(place, lesson, step, keys)
    else:
        give(lesson, step, keys)
