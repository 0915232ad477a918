"""The editor and the learner's view: what Python sends their code in the browser, and what it hears."""

import hashlib
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from lessons.check.files import Reading
from pages.lesson import drafts, gate
from pages.studio.desk import Desk

EDITOR, VIEW = "studio editor", "studio view"

_HERE = Path(__file__).parent
_CSS = (_HERE / "desk.css").read_text()
_editor = st.components.v2.component("samplescope_editor", js=(_HERE / "editor.js").read_text(), css=_CSS)
_view = st.components.v2.component("samplescope_view", js=(_HERE / "view.js").read_text(), css=_CSS)


def editor(here: Desk, name: str, reading: Reading, *, locked: bool) -> None:
    """Draw the editor with the problems of its text.

    Parameters
    ----------
    here : Desk
        Whose text it is; what is typed comes back to it.
    name : str
        The file's, by which the browser keeps what is not saved.
    reading : Reading
        With the problems.
    locked : bool
        Whether the file is none that may be written.
    """
    found = [*reading.problems, *reading.warnings, *reading.notes]
    data = {
        "file": name,
        "version": here.version,
        "fresh": here.fresh,
        "text": here.text,
        "base": here.base,
        "seen": here.seen,
        "said": here.said,
        "heard": here.heard,
        "saves": here.saves,
        "locked": locked,
        "jump": here.jump,
        "problems": [[one.line, one.column, one.message, one.kind] for one in found],
    }
    _editor(key=EDITOR, data=[data], on_told_change=lambda: _hear(here))


def _hear(here: Desk) -> None:
    if gate.is_open():
        here.hear(st.session_state[EDITOR].told)


def view(here: Desk, reading: Reading) -> None:
    """Draw the learner's view of the last valid text, at the step in which the cursor is."""
    data: dict[str, Any] = {
        "address": "",
        "place": "",
        "number": 0,
        "stale": reading.lesson is None and reading.is_lesson,
    }
    if (lesson := here.shown) is not None:
        section = here.section(here.pieces())
        step = next((step for step in lesson.steps if section and step.id == section.id), lesson.steps[0])
        data["number"] = drafts.put(here.key, lesson)
        where = {"lesson": lesson.id, "step": step.id, drafts.DRAFT: here.key}
        data["address"] = f"{lesson.stage}?{urlencode(where)}"
        opening = [lesson.settings_for(step), lesson.seed_for(step), step.at, step.open, step.kind, lesson.stage, where]
        data["place"] = hashlib.sha256(repr(opening).encode()).hexdigest()
    _view(key=VIEW, data=[data])
