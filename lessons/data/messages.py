"""Messages and their labels from a file, whatever its layout; what cannot be used is said in sentences."""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from lessons.data.csv_text import OwnDataError, missing
from lessons.data.layout import AS_GUESSED, How
from lessons.data.phrases import NAMED, listed, quoted, rows_named
from lessons.data.sheet import Sheet, naming, read_sheet
from lessons.data.sheet import check_file as check_sheet
from lessons.data.sheet_column import SheetColumn
from lessons.data.text_layout import LABEL_COLUMNS, TEXT_COLUMNS
from samplers.mixtures.labels import HIDDEN

DATA = Path(__file__).resolve().parent
LARGEST_FILE = 10_000_000  # bytes
MOST_MESSAGES = 20_000
MOST_WORDS = 20_000  # of one message
MOST_CLASSES = 8
LONGEST_LABEL = 30  # characters
AGAIN = 2  # how often the values of a column occur on average, if it is one of labels
NO_LABEL = "-"  # asked for: no column is one of labels
HIDDEN_LABELS = {"?", "unknown", "unlabeled", "unlabelled"}
USUAL_ORDER = ("ham", "spam")

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")  # some turn the text around
_LINE_BREAK = re.compile(r"<br ?/?>", re.IGNORECASE)
_CHARACTER_CODE = re.compile(r"&(?:#\d{1,6}|[A-Za-z]{2,8});")


@dataclass(frozen=True, eq=False)
class Messages:
    """Messages, and the class of each as far as it is known.

    Parameters
    ----------
    texts : tuple of str
        M messages, none of them empty.
    labels : array_like of int
        Class of each, numbered from 0, and -1 where it is not known; shape (M,), kept as a read-only copy.
    classes : tuple of str
        Names of the classes that occur: none if no label is known, and perhaps a single one.
    notes : tuple of str
        What was read, and what was left out, in sentences. They may quote the file.

    Raises
    ------
    ValueError
        If there is not one label for each text, or if one is neither -1 nor a class.
    """

    texts: tuple[str, ...]
    labels: np.ndarray
    classes: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the labels and take a copy."""
        labels = np.array(self.labels, np.int64)
        if labels.shape != (len(self.texts),) or ((labels < HIDDEN) | (labels >= len(self.classes))).any():
            raise ValueError(f"labels must be {len(self.texts)} integers, each -1 or below {len(self.classes)}")
        labels.flags.writeable = False
        object.__setattr__(self, "labels", labels)


def read_messages(content: bytes, name: str, *, text: str = "", label: str = "", how: How = AS_GUESSED) -> Messages:
    r"""Read messages from a file; of the bytes, the name and errors as for `lessons.data.sheet.read_sheet`.

    Parameters
    ----------
    content, name, how : bytes, str and How
        A table with a column of texts and perhaps one of labels; lines of a label, a tab and a text, in which quotes
        and further tabs belong to the text; one message a line; or lines of JSON, or as for fastText.
    text, label : str, optional
        The names of the columns of texts and of labels, where these are not to be guessed.

    Returns
    -------
    Messages
        One or more, and 20,000 at most.
    """
    check_file(len(content), name)
    how = replace(how, names=tuple(each for each in (text, label) if each not in ("", NO_LABEL)))
    return messages_of(read_sheet(content, name, how, texts=True), text=text, label=label)


def messages_of(sheet: Sheet, *, text: str = "", label: str = "") -> Messages:
    """Return the messages of a sheet.

    Upper and lower case of a label are the same. It is hidden if it is missing, ``?`` or ``unknown``.

    Parameters
    ----------
    sheet : Sheet
        With texts.
    text, label : str, optional
        The names of the columns of texts and of labels, where these are not to be guessed; a label of ``-`` is none.

    Returns
    -------
    Messages
        Their classes in the order in which they occur, but ham before spam. Texts are without control characters, in
        Unicode's composed form (NFC), and codes such as ``&amp;`` are resolved.

    Raises
    ------
    OwnDataError
        If there is nothing to be used.
    """
    with naming(sheet.name):
        texts_in = text_column(sheet, text)
        labels_in = label_column(sheet, texts_in, label)
        notes = [*sheet.notes, _kind(sheet, texts_in, labels_in)]
        tally: Counter[str] = Counter()
        texts, labels = _collected(sheet, texts_in, labels_in, tally)
        if not texts:
            raise OwnDataError("No row has a text. Write one message a line, or a label, a tab and the message.")
    classes = tuple(dict.fromkeys(filter(None, labels)))
    if set(classes) == set(USUAL_ORDER):
        classes = USUAL_ORDER
    number_of = {name: number for number, name in enumerate(classes)}
    numbers = np.array([number_of.get(label, HIDDEN) for label in labels])
    return Messages(tuple(texts), numbers, classes, (*notes, *_summary(numbers, classes), *_losses(tally)))


def check_file(size: int, name: str) -> None:
    """Raise an `OwnDataError` if a file of this size in bytes is too large to be read; `read_messages` does so too."""
    check_sheet(size, name, LARGEST_FILE, "messages")


def text_column(sheet: Sheet, asked: str = "") -> SheetColumn:
    """Return the column of the texts: the one asked for, or called so, or that with the longest texts."""
    if asked:
        return _named(sheet, asked)
    by_name = _by_name(sheet.columns)
    found = next((by_name[name] for name in TEXT_COLUMNS if name in by_name), None)
    if found or len(sheet.columns) == 1:
        return found or sheet.columns[0]
    texts = [column for column in sheet.columns if column.kind == "text"]
    if not sheet.how.header and len(sheet.columns) == 2 and (not texts or sheet.how.separator in ("\t", ":")):
        first, second = sheet.columns
        return first if _may_be_labels(second) and not _may_be_labels(first) and _has_words(first) else second
    if not texts:
        raise OwnDataError(
            f"There is no column of texts among {quoted(sheet.names)}. Call it {', '.join(TEXT_COLUMNS[:-1])} or "
            f"{TEXT_COLUMNS[-1]}, or choose it."
        )
    return max(texts, key=lambda column: sum(map(len, column.cells)))


def label_column(sheet: Sheet, texts: SheetColumn, asked: str = "") -> SheetColumn | None:
    """Return the column of the labels: the one asked for, or called so, or the last whose few values occur again."""
    if asked:
        return None if asked == NO_LABEL else _named(sheet, asked)
    others = [column for column in sheet.columns if column is not texts]
    by_name = _by_name(others)
    found = next((by_name[name] for name in LABEL_COLUMNS if name in by_name), None)
    if found or not others:
        return found
    if not sheet.how.header and len(sheet.columns) == 2:
        return others[0]
    return next((column for column in reversed(others) if _may_be_labels(column)), None)


def _by_name(columns: Sequence[SheetColumn]) -> dict[str, SheetColumn]:
    """Return columns by their names, the first by each; of JSON's ``meta.label`` the last part counts too."""
    ends = {column.name.casefold().rpartition(".")[2]: column for column in reversed(columns)}
    return ends | {column.name.casefold(): column for column in reversed(columns)}


def _may_be_labels(column: SheetColumn) -> bool:
    if column.kind in ("empty", "running number"):
        return False
    different = column.varied(MOST_CLASSES)
    return 2 <= different <= MOST_CLASSES and AGAIN * different <= sum(map(bool, column.cells))


def _has_words(column: SheetColumn) -> bool:
    """Tell whether most cells have several words."""
    return 2 * sum(" " in cell for cell in column.cells) > len(column.cells)


def _named(sheet: Sheet, asked: str) -> SheetColumn:
    found = next((column for column in sheet.columns if column.name.casefold() == asked.casefold()), None)
    if found is None:
        raise OwnDataError(f"There is no column {quoted([asked])}; there are {quoted(sheet.names)}.")
    return found


def _kind(sheet: Sheet, texts: SheetColumn, labels: SheetColumn | None) -> str:
    if sheet.how.header:
        said = f"labels in {quoted([labels.name])}" if labels else "no column has labels"
        return f"Texts are in {quoted([texts.name])}, {said}."
    if labels is not None:
        return f"Each row was read as a label ({quoted(labels.levels[: NAMED - 1])}) and a message."
    return (
        "Each line was read as a message without a label. To give labels, write each before its message and a tab "
        "between, or name the columns in the first line: label, text."
    )


@cache
def toy_messages() -> Messages:
    """Return the messages that come with the lessons, written for them, ham and spam."""
    return read_messages((DATA / "messages.tsv").read_bytes(), "messages.tsv")


@cache
def six_messages() -> Messages:
    """Return six messages, few enough to list all 64 labellings: three of spam, then three of ham."""
    return read_messages((DATA / "six_messages.tsv").read_bytes(), "six_messages.tsv")


def _collected(
    sheet: Sheet, texts_in: SheetColumn, labels_in: SheetColumn | None, tally: Counter[str]
) -> tuple[list[str], list[str]]:
    """Return the texts that can be used and their labels."""
    texts: list[str] = []
    labels: list[str] = []
    known: dict[str, int] = {}
    long: list[int] = []
    for place, row in enumerate(sheet.row_numbers.tolist()):
        text = _cleaned(texts_in.cell(place), tally)
        label = _label(labels_in.level(place), tally) if labels_in else ""
        if not text:
            tally["empty"] += 1
        elif len(texts) == MOST_MESSAGES:
            tally["beyond"] += 1
            break
        elif len(label) > LONGEST_LABEL:
            long.append(row)
        else:
            known.setdefault(label, row)
            texts.append(text)
            labels.append(label)
    if long:
        raise OwnDataError(
            f"The labels in {rows_named(long)} have more than {LONGEST_LABEL} characters. Write a short label, and the "
            "message after it; or choose another column."
        )
    classes = [label for label in known if label]
    if len(classes) > MOST_CLASSES:
        raise OwnDataError(
            f"There are {len(classes):,} classes, {listed(classes)}, and at most {MOST_CLASSES} can be told apart: row "
            f"{known[classes[MOST_CLASSES]]} has one too many. Join some classes, or choose no column of labels."
        )
    return texts, labels


def _label(cell: str, tally: Counter[str]) -> str:
    label = " ".join(_cleaned(cell, tally).split()).casefold()
    return "" if missing(label) or label in HIDDEN_LABELS else label


def _cleaned(text: str, tally: Counter[str]) -> str:
    """Return a text without control characters and character codes, and count those."""
    if "&" in text:
        resolved = _CHARACTER_CODE.sub(lambda code: html.unescape(code[0]), text)
        tally["codes"] += resolved != text
        text = resolved
    if "<" in text:
        text, breaks = _LINE_BREAK.subn("\n", text)
        tally["breaks"] += breaks > 0
    text, removed = _CONTROL.subn("", text)
    tally["controls"] += removed
    text = unicodedata.normalize("NFC", text).strip()
    pieces = text.split(None, MOST_WORDS) if len(text) > 2 * MOST_WORDS else []
    if len(pieces) > MOST_WORDS:
        tally["long"] += 1
        text = text[: -len(pieces[-1])].rstrip()
    return text


def _summary(labels: np.ndarray, classes: tuple[str, ...]) -> list[str]:
    parts = [f"{(labels == number).sum():,} {name}" for number, name in enumerate(classes)]
    if hidden := int((labels == HIDDEN).sum()):
        parts.append(f"{hidden:,} without a label")
    notes = [f"{_were(len(labels), 'message')} read: {', '.join(parts)}."]
    if len(classes) == 1:
        notes.append(f"Only one class has labels, {classes[0]}; add messages of another one to compare it with.")
    if len(labels) == 1:
        notes.append("There is only one message; add others to compare it with.")
    return notes


def _losses(tally: Counter[str]) -> list[str]:
    sentences = {
        "beyond": f"The file has more than {MOST_MESSAGES:,} messages; the first {MOST_MESSAGES:,} were read.",
        "empty": f"{_were(tally['empty'], 'row')} left out, without a text.",
        "long": f"{_were(tally['long'], 'message')} cut after {MOST_WORDS:,} words.",
        "controls": f"{_were(tally['controls'], 'control character')} removed.",
        "breaks": f"{_were(tally['breaks'], 'message')} cleared of <br>, which begins a line.",
        "codes": f"{_were(tally['codes'], 'message')} cleared of codes such as &amp;.",
    }
    return [sentence for kind, sentence in sentences.items() if tally[kind]]


def _were(number: int, noun: str) -> str:
    return f"{number:,} {noun} was" if number == 1 else f"{number:,} {noun}s were"
