"""Uploads: a learner's file, checked for its size and read once; the link holds the digest of the data chosen in it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

from pages.contract.place import Place
from pages.player.kept import OWN_DATA
from pages.shell.page import plain

T = TypeVar("T")
KEEPING = (
    "The server keeps your data while this page is open, and for two hours after their last use. Anyone with the link "
    "can see them."
)
GONE = (
    "**These data are no longer here.** The server keeps data for two hours after their last use, or for less time if "
    "people upload a lot. Upload them again on the left."
)


def missing(settings: Any, kind: type, ask: str | None) -> str | None:
    """Return what a learner must do if their own data are gone, or `ask` if there were none; None if all is well."""
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
    """Draw the upload of a file, and the choice of data in it; or the reason why the file cannot be read.

    Parameters
    ----------
    place : Place
        Where the learner is.
    widget : (str, str, str or None)
        The label of the upload, its key, and its help.
    idle : str or None
        The caption while there is no file.
    reading : (callable, callable)
        As for `read_once`.
    choose : callable
        ``choose(place, read, file)`` draws the choice, and makes the chosen data the topic's own.
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
    """Make a learner's choice the topic's own data, once; later runs of the script keep what has changed since."""
    key = f"{place.stage} own choice"
    if st.session_state.get(key) != choice:
        st.session_state[key] = choice
        place.change(own=digest)


def read_once(file: Any, key: str, check_size: Callable[[int, str], None], read: Callable[[bytes, str], T]) -> T:
    """Return the content of an uploaded file.

    Parameters
    ----------
    file : UploadedFile
        Streamlit's object; only ``getvalue`` copies its bytes.
    key : str
        The session's key for the content, or for the error.
    check_size : callable
        ``check_size(bytes, name)`` raises a `ValueError` if the file is too large to be read.
    read : callable
        ``read(content, name)`` returns what the file holds, or raises a `ValueError`.

    Raises
    ------
    ValueError
        The error of the reader, also when the same file is read again.
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
