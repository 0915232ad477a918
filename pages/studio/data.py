"""The data of the open lesson in the studio: a file beside it, chosen or dropped, with its first lines."""

from pathlib import Path
from typing import Any

import streamlit as st

from lessons.course.saving import save_data
from lessons.data.decode import DamagedTextError, decode
from lessons.format.data_file import KEY, KINDS, data_files
from lessons.format.patch import put, remove
from lessons.own.taking import FileTaking
from lessons.topics import STAGES
from pages.drawing.markdown import plain
from pages.lesson.widgets import bound, bound_choice
from pages.studio.desk import Desk
from pages.studio.files import safely
from pages.studio.form import block_of, data_of

SHOWN = 6  # lines of a file
NONE = "The topic’s own data"


def draw(here: Desk, path: Path) -> None:
    """Draw the menu of data, if the lesson's topic takes any."""
    front = data_of(here.pieces(), None)
    stage = STAGES.get(str(front.get("stage")))
    if stage is None or stage.takes is None:
        return
    keys = front.get(KEY, {})
    keys = {"file": keys} if isinstance(keys, str) else dict(keys) if isinstance(keys, dict) else {}
    with st.popover("Data", icon=":material/table:", key=f"data {path}"):
        _drop(here, path.parent, stage.takes)
        _choose(here, path.parent, keys)
        if name := keys.get("file"):
            _use(here, path.parent / str(name), keys, stage.takes)


def _drop(here: Desk, folder: Path, takes: FileTaking) -> None:
    """Take a file that the topic can read, and name it in the lesson."""
    kinds = [kind.removeprefix(".") for kind in KINDS]
    given: Any = st.file_uploader("Drop a file of data here", kinds, key=f"drop data {here.number}")

    def put_it() -> None:
        takes.columns(given.getvalue(), given.name)  # what cannot be read is not kept
        _set(here, save_data(folder, given.name, given.getvalue()))

    if given and safely(put_it):
        st.rerun()


def _choose(here: Desk, folder: Path, keys: dict[str, Any]) -> None:
    known = data_files(folder)
    now = str(keys.get("file", NONE))
    options = list(dict.fromkeys([NONE, *known, now]))

    def choose(name: str) -> None:
        _set(here, None if name == NONE else name)

    if len(options) > 1:
        st.selectbox("The lesson runs on", **bound_choice(here, "data file", options, now, choose))


def _use(here: Desk, path: Path, keys: dict[str, Any], takes: FileTaking) -> None:
    """Draw which columns of a file are used, and its first lines."""
    try:
        content = path.read_bytes()
        columns = takes.columns(content, path.name)
        head = decode(content).text.split("\n", SHOWN)[:SHOWN]
    except (OSError, ValueError, DamagedTextError) as error:
        st.caption(plain(str(error)))
        return
    now = keys.get("columns", [])
    if columns and isinstance(now, list) and {*map(str, now)} <= {*columns}:

        def choose(names: list[str]) -> None:
            rest = {key: value for key, value in keys.items() if key != "columns"}
            _set(here, {**rest, **({"columns": names} if names else {})})

        look = bound(here, f"{path} columns", now, choose)
        st.multiselect("Columns", columns, default=look.pop("value"), placeholder="The first ones", **look)
    st.code("\n".join(line[:120] for line in head), language=None)
    st.caption("The notes below the text say what was read of it, changed and left out.")


def _set(here: Desk, value: str | dict[str, Any] | None) -> None:
    """Write which file the lesson runs on into its front matter."""
    block = block_of(here.pieces(), None, {})
    if block is None:
        here.said = "Not set: the front matter cannot be read. Correct it in the text."
        return
    text = block.text(here.text)
    try:
        text = remove(text, (KEY,)) if value is None else put(text, (KEY,), value)
    except ValueError as error:
        here.said = f"Not set: {error}. Correct it in the text."
    else:
        here.set(block.put(here.text, text))
