"""The learner's own messages: a file of one of three kinds."""

from __future__ import annotations

import sys

from lessons.data.messages import Messages, check_file, read_messages
from pages.contract.place import Place
from pages.player.kept import OWN_DATA
from pages.shell.uploads import panel, use

ASK = "**Your own messages:** upload a file on the left."
KINDS = (
    "One message per line; or a label, a tab and the message; or a table with columns named *text* and, if you like, "
    "*label*."
)


def keep(messages: Messages) -> str:
    """Keep messages for those who have their digest, and return it."""
    OWN_DATA.keep(messages.digest, messages, sum(map(sys.getsizeof, messages.texts)))
    return messages.digest


def upload(place: Place) -> None:
    """Draw the upload, and keep the messages that come of it."""
    known = OWN_DATA.get(place.settings.own, Messages)
    idle = "The messages of an earlier file are in use." if known else KINDS
    panel(place, ("File of messages", "own messages file", KINDS), idle, (check_file, read_messages), _use)


def _use(place: Place, messages: Messages, file: str) -> None:
    use(place, file, keep(messages))
