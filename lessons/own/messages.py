"""Messages from a file, with or without labels."""

from lessons.data.messages import Messages, check_file, read_messages
from lessons.own.taking import Choice, Taken, Taking


def _take(content: bytes, name: str, choice: Choice) -> Taken[Messages]:
    found = read_messages(content, name, text=choice.text, label=choice.label)
    return Taken(found, found.notes)


def _columns(content: bytes, name: str) -> tuple[str, ...]:
    read_messages(content, name)
    return ()


WITH_LABELS = Taking(Messages, ("text", "label"), _take, _columns, check_file)
TEXTS = Taking(Messages, ("text",), _take, _columns, check_file)
