"""Messages from a file, with or without labels."""

from dataclasses import replace

from lessons.data.messages import NO_LABEL, Messages, check_file, label_column, messages_of, text_column
from lessons.data.sheet import Sheet
from lessons.data.sheet_column import SheetColumn
from lessons.own.taking import Choice, ColumnError, Part, Taken, Taking


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    texts = _texts(sheet, choice)
    parts: dict[str, Part] = {texts.name: "text"}
    if labels := label_column(sheet, texts, choice.label):
        parts[labels.name] = "label"
    return parts


def _guess_texts(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    return {_texts(sheet, choice).name: "text"}


def _texts(sheet: Sheet, choice: Choice) -> SheetColumn:
    known = {NO_LABEL, *(name.casefold() for name in sheet.names)}
    for asked in filter(None, (choice.text, choice.label)):
        if asked.casefold() not in known:
            raise ColumnError(asked, sheet.names)
    return text_column(sheet, choice.text)


def _make(sheet: Sheet, choice: Choice) -> Taken[Messages]:
    _texts(sheet, choice)
    found = messages_of(sheet, text=choice.text, label=choice.label)
    return Taken(found, found.notes)


def _make_texts(sheet: Sheet, choice: Choice) -> Taken[Messages]:
    return _make(sheet, replace(choice, label=NO_LABEL))


WITH_LABELS = Taking(Messages, ("text", "label"), {"text": 1, "label": 1}, _guess, _make, True, check_file)
TEXTS = Taking(Messages, ("text",), {"text": 1}, _guess_texts, _make_texts, True, check_file)
