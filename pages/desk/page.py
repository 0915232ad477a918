"""The page of the studio."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import streamlit as st

from lessons.reader.folders import LESSONS
from lessons.reader.patch import put
from lessons.reader.saving import ChangedError, earlier, files, may_write, name_of, new_file, read, save, writable
from lessons.reader.template import STAGE, lesson_from
from lessons.stages import STAGES
from pages.desk import form, gate
from pages.desk.desk import Desk, desk
from pages.desk.editor import editor, view
from pages.desk.gate import FILE, STEP
from pages.shell.lessons import carried
from pages.shell.page import begin, plain
from pages.shell.state import arrive
from pages.shell.widgets import bound_choice
from pages.topics import topic_info


def show() -> None:
    """Draw the page."""
    begin()
    arrive("studio")
    here, known = desk(), files()
    with st.container(horizontal=True, vertical_alignment="center", key="desk"):
        st.title("Studio", anchor=False, width="content")
        if gate.is_open():
            _follow(here, known)
            _choose(here, known)
            _begin(here)
            _earlier(here)
        st.page_link("home.py", label="Course map", icon=":material/map:", query_params=carried())
    if not gate.is_open():
        gate.draw()
        return
    _work(here)
    with st.container(key="pass"):
        gate.give_pass()


def _work(here: Desk) -> None:
    """Draw the editor and the form on the left, the learner's view on the right."""
    if here.path is None:
        st.info(here.said or "Choose a lesson, or begin a new one.", icon=":material/edit_note:")
        return
    _conflict(here)
    reading = here.look()
    left, right = st.columns(2, gap="medium")
    with left:
        editor(here, name_of(here.path), reading, locked=not may_write(here.path))
        if reading.is_lesson:
            form.draw(here)
    with right, st.container(key="beside"):
        view(here, reading)


def _follow(here: Desk, known: dict[str, Path]) -> None:
    """Open the file that the address names, at the step that it names."""
    asked = st.query_params.get(FILE, "")
    if asked in known and known[asked] != here.path:
        here.open(known[asked])
        step = st.query_params.get(STEP, "")
        here.jump = next((section.line for section in here.pieces().sections if section.id == step), 0)
        here.line = here.jump or 1
    if STEP in st.query_params:
        del st.query_params[STEP]


def _open(here: Desk, path: Path) -> None:
    here.open(path)
    st.query_params[FILE] = name_of(path)


def _choose(here: Desk, known: dict[str, Path]) -> None:
    names = list(known)
    value = name_of(here.path) if here.path else None
    if value not in names:
        value = None
    look = bound_choice(here, "file", names, value, lambda name: _open(here, known[name])) if value else None
    if look:
        st.selectbox("Lesson", width=300, label_visibility="collapsed", **look)
    elif chosen := st.selectbox(
        "Lesson", names, index=None, width=300, placeholder="Choose a lesson", label_visibility="collapsed"
    ):
        _open(here, known[chosen])
        st.rerun()


def _begin(here: Desk) -> None:
    """Offer a new lesson, a copy of this one, and this one as a file."""
    folders = writable()
    with st.popover("New", icon=":material/add:", key="new"):
        if not folders:
            st.markdown(
                f"There is no folder to write to. Whoever runs this server names one in the environment: "
                f"`{LESSONS}=../mine`. The folder of the app itself counts only if it is named there as well."
            )
            return
        stage = st.selectbox(
            "Topic", list(STAGES), list(STAGES).index(STAGE), format_func=lambda one: topic_info(one).title
        )
        _make(here, folders, "Begin", lambda name: lesson_from(name, stage))
    if here.path is not None:
        with st.popover("Duplicate", icon=":material/content_copy:", key="duplicate"):
            _make(here, folders, "Duplicate", lambda name: _renamed(here.text, name))
        st.download_button(
            "Download",
            lambda: here.text,
            here.path.name,
            "text/markdown",
            icon=":material/download:",
            on_click="ignore",
        )


def _title(stage: str) -> str:
    return topic_info(stage).title


def _make(here: Desk, folders: list[Path], word: str, text: Callable[[str], str]) -> None:
    """Draw the fields of a new file, and write it."""
    name = st.text_input("Name of the file", placeholder="week-3", key=f"{word} name")
    folder = folders[0]
    if len(folders) > 1:
        folder = st.selectbox("Folder", folders, format_func=lambda one: one.name, key=f"{word} folder")
    if not st.button(word, type="primary", disabled=not name):
        return
    try:
        path = new_file(folder, name)
        save(path, text(path.stem), "")
    except (ValueError, ChangedError) as error:
        st.error(f"{plain(str(error)).capitalize()}.")
    except OSError as error:
        st.error(f"{path.name} cannot be written: {error.strerror}.")
    else:
        _open(here, path)
        st.rerun()


def _renamed(text: str, name: str) -> str:
    """Return a lesson with an id of its own, as its file is called."""
    start, end = text.find("\n") + 1, text.find("\n---")
    if not text.startswith("---") or end < start:
        return text
    return text[:start] + put(text[start:end], ("id",), name.replace("_", "-")) + text[end:]


def _earlier(here: Desk) -> None:
    if here.path is None or not (found := earlier(here.path)):
        return
    with st.popover("Earlier versions", icon=":material/history:", key="earlier"):
        for one in found[:10]:
            day, time = one.stem.rpartition(".")[2].split("-")[:2]
            label = f"{day[:4]}-{day[4:6]}-{day[6:]}, {time[:2]}:{time[2:4]}:{time[4:]}"
            st.button(label, on_click=lambda path=one: here.set(read(path)[0]), key=f"earlier {one.name}")


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
    now = "is no longer on the disk." if gone else "has changed on the disk** since your text began. Nothing is lost:"
    way = (
        "Your text is here still.**" if gone else "whichever you choose, the other stays among the *Earlier versions*."
    )
    st.warning(f"**{plain(here.path.name)} {now} {way}")
    with st.container(horizontal=True):
        st.button("Keep my text", on_click=here.keep_mine, type="primary")
        if not gone:
            st.button("Take the file’s", on_click=here.take_theirs)
