"""The open file's menu in the studio: another name, a copy, deletion, earlier versions, pictures beside it."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import streamlit as st

from lessons.course.saving import DATED, earlier, may_write, read_anyhow, save_picture
from pages.drawing.markdown import plain
from pages.studio.desk import Desk

SHOWN = 12  # earlier versions
MOST = 1  # MB of a picture, in whole numbers; lessons take half of it
TYPES = ["png", "jpg", "jpeg", "svg", "webp", "gif"]


def draw(here: Desk, duplicate: Callable[[], None]) -> None:
    """Draw the menus of the open file; `duplicate` draws the fields of a copy."""
    if (path := here.path) is None:
        return
    with st.popover("File", icon=":material/draft:", key=f"file menu {path}"):  # of another file, another popover
        st.download_button(
            "Download", lambda: here.text, path.name, "text/markdown", icon=":material/download:", on_click="ignore"
        )
        duplicate()
        if may_write(path) and path.is_file():
            _rename(here, path)
            if st.button("Delete", icon=":material/delete:") and safely(here.delete):
                st.rerun()
            st.caption("Learners lose it at once. You can bring it back.")
    if may_write(path) and path.suffix == ".md":
        with st.popover("Picture", icon=":material/image:", key=f"picture {path}"):
            _pictures(here, path)
    if path.is_file() and (versions := earlier(path)):
        with st.popover("Earlier versions", icon=":material/history:", key=f"earlier {here.number}", width="stretch"):
            _earlier(here, versions[:SHOWN])


def difference(here: Desk, other: str) -> None:
    """Draw what differs between another version and the text."""
    if changed := here.differences(other):
        st.code(changed, language="diff", wrap_lines=True)
    else:
        st.caption("Nothing differs.")


def _rename(here: Desk, path: Path) -> None:
    if path.name == "glossary.md" or path.suffix != ".md":  # their names say what they are
        return
    with st.form("rename", border=False):
        name = st.text_input("Another name of the file", value=path.stem)
        if st.form_submit_button("Rename") and name != path.stem and safely(lambda: here.rename(name)):
            st.rerun()


def safely(act: Callable[[], None]) -> bool:
    """Do something with files; if it fails, say why."""
    try:
        act()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        st.error(f"{plain(str(why)[:1].upper() + str(why)[1:])}.")
        return False
    return True


def _pictures(here: Desk, path: Path) -> None:
    """Take pictures, and put them into the text below the cursor."""
    key = f"put {here.number}"
    given = st.file_uploader("Drop pictures here", TYPES, accept_multiple_files=True, key=key, max_upload_size=MOST)

    def put() -> None:
        names = [save_picture(path.parent, one.name, one.getvalue()) for one in given]
        here.insert("\n\n".join(f"![Write here what it shows]({name})" for name in names))

    if given and safely(put):
        st.rerun()


def _earlier(here: Desk, versions: list[Path]) -> None:
    dated = {f"{datetime.strptime(one.stem.rpartition('.')[2], DATED):%Y-%m-%d, %H:%M:%S}": one for one in versions}
    text = read_anyhow(dated[st.selectbox("Version of", list(dated))])
    st.button("Put it into the editor", on_click=here.set, args=(text,), disabled=text == here.text)
    difference(here, text)
