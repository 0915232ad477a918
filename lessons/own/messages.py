"""Messages from a file, with or without labels."""

from lessons.data.messages import Messages, check_file, label_column, messages_of, text_column
from lessons.data.sheet import Sheet
from lessons.own.taking import Choice, Part, Taken, Taking


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    texts = text_column(sheet, choice.text)
    labels = label_column(sheet, texts, choice.label)
    return {texts.name: "text"} | ({labels.name: "label"} if labels else {})


def _guess_texts(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    return {text_column(sheet, choice.text).name: "text"}


def _make(sheet: Sheet, choice: Choice) -> Taken[Messages]:
    found = messages_of(sheet, text=choice.text, label=choice.label)
    return Taken(found, found.notes)


WITH_LABELS = Taking(Messages, ("text", "label"), {"text": 1, "label": 1}, _guess, _make, True, check_file)
TEXTS = Taking(Messages, ("text",), {"text": 1}, _guess_texts, _make, True, check_file)
