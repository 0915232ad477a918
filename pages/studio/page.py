"""The page of the studio."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import streamlit as st

from lessons.catalogue import topic_info
from lessons.course.saving import (
    course_parts,
    files,
    may_write,
    name_of,
    new_file,
    read_anyhow,
    writable,
)
from lessons.course.template import lesson_from
from lessons.format.folders import LESSONS
from lessons.format.patch import put
from lessons.topics import STAGES
from pages.drawing.markdown import plain
from pages.lesson import gate
from pages.lesson.gate import FILE, STEP
from pages.lesson.lessons import carried
from pages.lesson.page import begin
from pages.lesson.state import arrive, went_back
from pages.lesson.widgets import bound_choice
from pages.studio import data, form, seeds, start
from pages.studio import files as file_menus
from pages.studio.desk import Desk, desk
from pages.studio.editor import editor, view

PARTS = ("course.yaml", "glossary.md")

One = TypeVar("One")


def show() -> None:
    """Draw the page."""
    begin()
    gate.by_link()
    came = arrive("studio" if gate.is_open() else "gate")
    here, known = desk(), files()
    with st.container(horizontal=True, vertical_alignment="center", key="desk"):
        st.title("Studio", anchor=False, width="content")
        if gate.is_open():
            if came or went_back():
                _follow(here, known)
            if here.path:
                st.button("My lessons", icon=":material/apps:", on_click=here.close)
            _choose(here, known)
            with st.popover("New", icon=":material/add:", key=f"new {here.path}"):  # of another file, another popover
                _make(here, "Begin")
            file_menus.draw(here, lambda: _make(here, "Duplicate"))
            if here.path and here.path.suffix == ".md" and may_write(here.path):
                data.draw(here, here.path)
        st.page_link("home.py", label="Course map", icon=":material/map:", query_params=carried())
        if gate.is_open():
            st.button("Log out", type="tertiary", icon=":material/logout:", on_click=gate.log_out)
    if not gate.is_open():
        gate.draw()
        return
    if here.path is None and FILE in st.query_params:
        del st.query_params[FILE]
    _work(here)
    with st.container(key="pass"):
        gate.give_pass()
    if here.path and st.query_params.get(FILE) != name_of(here.path):
        st.query_params[FILE] = name_of(here.path)


def _work(here: Desk) -> None:
    """Draw the editor and the form on the left, the learner's view on the right."""
    if here.path is None:
        start.draw(here)
        return
    with st.container(key="conflict"):  # always there, so that what stands below stays the same in the browser
        _conflict(here)
    reading = here.look()
    left, right = st.columns(2, gap="medium")
    with left:
        editor(here, name_of(here.path), reading, locked=not may_write(here.path))
        if reading.is_lesson:
            form.draw(here)
            seeds.draw(here, reading)
    with right, st.container(key="beside"):
        view(here, reading)


def _follow(here: Desk, known: dict[str, Path]) -> None:
    """Open the file that the address names, at the step that it names."""
    asked, step = st.query_params.get(FILE, ""), st.query_params.get(STEP, "")
    if asked in known and known[asked] != here.path:
        here.open(known[asked])
    elif asked not in known and (path := _not_yet(asked)) and path != here.path:
        here.begin(path, lesson_from(path.stem) if path.name not in PARTS else start.begun(path))
    here.jump = next((section.line for section in here.pieces().sections if section.id == step), 0)
    here.line = here.jump or here.line
    if STEP in st.query_params:
        del st.query_params[STEP]


def _not_yet(asked: str) -> Path | None:
    """Return the path of a file that was begun and not saved, if it is one: the browser has kept its text."""
    folder, _, name = asked.partition("/")
    found = next((one for one in writable() if one.name == folder), None)
    if found is None:
        return None
    with suppress(ValueError):
        return next((path for path in course_parts(found).values() if path.name == name), None) or new_file(found, name)
    return None


def _choose(here: Desk, known: dict[str, Path]) -> None:
    name = name_of(here.path) if here.path else ""
    if here.path:
        known = known if name in known else {name: here.path, **known}
    look: dict[str, Any] = {"width": 300, "label_visibility": "collapsed"}
    if name in known:
        look |= bound_choice(here, "file", list(known), name, lambda chosen: here.open(known[chosen]))
        st.selectbox("Lesson", **look)
    elif chosen := st.selectbox("Lesson", list(known), index=None, placeholder="Choose a lesson", **look):
        here.open(known[chosen])
        st.rerun()


def _make(here: Desk, what: str) -> None:
    """Draw the fields of a new file, and begin it."""
    if not (folders := writable()):
        st.markdown(
            "There is no folder to write to. Name one in the server's environment: "
            f"`{LESSONS}=../mine`. The app’s own folder counts only if it is named there as well."
        )
        return
    with st.form(f"{what} form", border=False):
        stage = _one_of("Topic", STAGES, {one: topic_info(one).title for one in STAGES}) if what == "Begin" else ""
        name = st.text_input("Name of the file", placeholder="week-3")
        folder = _one_of("Folder", folders, {one: one.name for one in folders}) if len(folders) > 1 else folders[0]
        if not st.form_submit_button(what, type="primary"):
            return
    try:
        path = new_file(folder, name)
    except ValueError as error:
        st.error(f"{plain(str(error)[:1].upper() + str(error)[1:])}.")
    else:
        here.begin(path, lesson_from(path.stem, stage) if stage else _renamed(here.text, path.stem))
        st.rerun()


def _one_of(label: str, options: Iterable[One], names: Mapping[One, str]) -> One:
    return st.selectbox(label, list(options), format_func=names.__getitem__)


def _renamed(text: str, name: str) -> str:
    """Return a lesson with an id of its own, as its file is called."""
    start, end = text.find("\n") + 1, text.find("\n---")
    if not text.startswith("---") or end < start:
        return text
    return text[:start] + put(text[start:end], ("id",), re.sub("[_-]+", "-", name).strip("-")) + text[end:]


def _conflict(here: Desk) -> None:
    """Take in a file that has changed on the disk; if there is unsaved text as well, ask which is to stay."""
    assert here.path is not None
    if not here.elsewhere:
        return
    if here.clean and here.path.is_file():
        here.open(here.path)
        here.said = "The file has changed on the disk; this is its new version."
        return
    gone = not here.path.is_file()
    now = "is no longer on the disk." if gone else "has changed on the disk** since you began to edit. Nothing is lost:"
    way = (
        "Your text is still here.**"
        if gone
        else "whichever version you choose, you will find the other under *Earlier versions*."
    )
    st.warning(f"**{plain(here.path.name)} {now} {way}")
    with st.container(horizontal=True):
        st.button("Keep my text", on_click=here.keep_mine, type="primary")
        if not gone:
            st.button("Use the file on disk", on_click=here.take_theirs)
    if not gone:
        with st.expander("What differs"):
            file_menus.difference(here, read_anyhow(here.path))
