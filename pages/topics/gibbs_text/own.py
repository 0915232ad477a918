"""The learner's own messages: a file of any kind that has texts."""

from typing import Any

from lessons.own.messages import WITH_LABELS
from lessons.own.taking import Taking
from pages.contract.uploads import Upload

KINDS = (
    "One message per line; or a label, a tab and the message; or a table with a column of texts and, if you like, one "
    "of labels."
)


def of_messages(key: str, kinds: str, takes: Taking[Any] = WITH_LABELS) -> Upload:
    """Return the upload of messages with this key of its widget, and a sentence on the kinds of files."""
    return Upload(
        ("File of messages", key, kinds),
        takes,
        ask="**Your own messages:** drop a file here, or upload it among the controls.",
        earlier="The messages of an earlier file are in use.",
        idle=kinds,
        example="ham\tCall me tonight\nspam\tWin a prize",
    )


UPLOAD = of_messages("own messages file", KINDS)
