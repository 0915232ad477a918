"""A learner's own file: its size is checked first, it is read once, and the link holds what is chosen of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.contract.place import Place
from pages.player.kept import OWN_DATA
from pages.shell.page import plain

T = TypeVar("T")
KEEPING = (
    "The server keeps your data while this page is open, and until two hours after their last use. Whoever has the "
    "link can see them."
)
GONE = (
    "**These data are no longer here.** The server keeps data until two hours after their last use, or for less if "
    "many are uploaded. Upload them again on the left."
)


def missing(settings: Any, kind: type, ask: str | None) -> str | None:
    """Return what a learner must do whose own data of this kind are gone; and `ask`, if there have been none."""
    if settings.data != "own" or OWN_DATA.get(settings.own, kind) is not None:
        return None
    return GONE if settings.own else ask


def panel(
    place: Place,
    widget: tuple[str, str, str | None],
    idle: str | None,
    reading: tuple[Callable[[int, str], None], Callable[[bytes, str], T]],
    choose: Callable[[Place, T, str], None],
) -> None:
    """Draw the upload of a file, and what is chosen of it; a file that cannot be read says why.

    Parameters
    ----------
    place : Place
        Where the learner is.
    widget : (str, str, str or None)
        What the upload is called, its key, and its help.
    idle : str or None
        What is said while there is no file.
    reading : (callable, callable)
        As for `read_once`.
    choose : callable
        ``choose(place, read, file)`` draws the choice, and makes what is chosen the topic's own data.
    """
    label, key, more = widget
    file = st.file_uploader(label, type=["csv", "tsv", "txt"], key=key, help=more)
    st.caption(KEEPING)
    if file is None:
        if idle:
            st.caption(idle)
        return
    try:
        choose(place, read_once(file, f"{key} read", *reading), file.file_id)
    except ValueError as error:
        st.error("\n\n".join(plain(line) for line in str(error).split("\n")))


def use(place: Place, choice: object, digest: str) -> None:
    """Make what a learner has chosen the topic's own data; later runs leave what was changed or opened since."""
    key = f"{place.stage} own choice"
    if st.session_state.get(key) != choice:
        st.session_state[key] = choice
        place.change(own=digest)


def read_once(file: Any, key: str, check_size: Callable[[int, str], None], read: Callable[[bytes, str], T]) -> T:
    """Return the content of an uploaded file.

    Parameters
    ----------
    file : UploadedFile
        As Streamlit gives it: its bytes are copied by ``getvalue`` alone.
    key : str
        Under which the session keeps what was read, or why it could not be.
    check_size : callable
        ``check_size(bytes, name)`` raises a `ValueError` if the file is too large to be read.
    read : callable
        ``read(content, name)`` returns what the file holds, or raises a `ValueError`.

    Raises
    ------
    ValueError
        The reader's own, also when the same file is asked for again.
    """
    kept: Any = st.session_state.get(key)
    if kept is None or kept[0] != file.file_id:
        try:
            check_size(file.size, file.name)
            with st.spinner("Reading the file …"):
                kept = file.file_id, read(file.getvalue(), file.name), None
        except ValueError as error:
            kept = file.file_id, None, error
        st.session_state[key] = kept
    if kept[2] is not None:
        raise kept[2]
    found: T = kept[1]
    return found
