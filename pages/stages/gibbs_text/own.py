"""The learner's own messages: a file of one of three kinds."""

from __future__ import annotations

import sys

import streamlit as st

from lessons.data.messages import Messages, MessagesError, check_file, read_messages
from pages.contract.place import Place
from pages.player.kept import OWN_DATA
from pages.shell.page import plain
from pages.shell.uploads import KEEPING, read_once, use

ASK = "**Your own messages:** upload a file on the left."
KINDS = (
    "One message a line; or a label, a tab and the message; or a table with columns named *text* and, if you like, "
    "*label*."
)


def keep(messages: Messages) -> str:
    """Keep messages for those who have their digest, and return it."""
    OWN_DATA.keep(messages.digest, messages, sum(map(sys.getsizeof, messages.texts)))
    return messages.digest


def upload(place: Place) -> None:
    """Draw the upload, and keep the messages that come of it."""
    file = st.file_uploader("File of messages", type=["txt", "tsv", "csv"], key="own messages file", help=KINDS)
    st.caption(KEEPING)
    if file is None:
        known = OWN_DATA.get(place.settings.own, Messages)
        st.caption("The messages of an earlier file are in use." if known else KINDS)
        return
    try:
        use(place, file.file_id, keep(read_once(file, "own messages read", check_file, read_messages)))
    except MessagesError as error:
        st.error("\n\n".join(plain(line) for line in str(error).split("\n")))
