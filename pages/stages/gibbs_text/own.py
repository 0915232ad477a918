"""The learner's own messages: a file of one of three kinds. They stay in the session."""

from __future__ import annotations

import streamlit as st

from lessons.data.messages import Messages, MessagesError, check_file, read_messages
from pages.shell.page import plain
from pages.shell.uploads import read_once

KEY = "own messages"
MISSING = "**Your own messages:** upload a file on the left. It stays in this session; a link never carries data."
KINDS = (
    "One message a line; or a label, a tab and the message; or a table with columns named *text* and, if you like, "
    "*label*."
)


def own_messages() -> Messages | None:
    """Return this session's own messages, None if there are none."""
    messages: Messages | None = st.session_state.get(KEY)
    return messages


def upload() -> None:
    """Draw the upload, and keep the messages that come of it."""
    file = st.file_uploader("File of messages", type=["txt", "tsv", "csv"], key="own messages file", help=KINDS)
    if file is None:
        st.caption(KINDS if own_messages() is None else "The messages of your last file are still in use.")
        return
    try:
        st.session_state[KEY] = read_once(file, "own messages read", check_file, read_messages)
    except MessagesError as error:
        st.error("\n\n".join(plain(line) for line in str(error).split("\n")))
