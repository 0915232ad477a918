"""A learner's own file: its size is checked first, it is read once, and its content stays in the session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")


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
