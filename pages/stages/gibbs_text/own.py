"""The learner's own messages: a file of one of three kinds."""

from lessons.data.messages import check_file, read_messages
from pages.shell.uploads import Upload

KINDS = (
    "One message per line; or a label, a tab and the message; or a table with columns named *text* and, if you like, "
    "*label*."
)


def of_messages(key: str, kinds: str) -> Upload:
    """Return the upload of messages with this key of its widget, and a sentence on the kinds of files."""
    return Upload(
        ("File of messages", key, kinds),
        (check_file, read_messages),
        lambda messages: ((), messages, ""),
        "**Your own messages:** upload a file among the controls.",
        "The messages of an earlier file are in use.",
        kinds,
    )


UPLOAD = of_messages("own messages file", KINDS)
