"""Read messages and their labels from a file; each line that cannot be used is reported in a sentence.

Three kinds of file are told apart by their first lines: a table whose header names a column of texts, lines of a label,
a tab and a text, as the public collections of short messages have them, and one message a line.
"""

import csv
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import NamedTuple, NoReturn

import numpy as np

from lessons.data.decode import DamagedTextError, decode, other_kind
from samplers.mixtures.labels import HIDDEN

DATA = Path(__file__).resolve().parent
LARGEST_FILE = 10_000_000  # bytes
MOST_MESSAGES = 20_000
MOST_WORDS = 20_000  # of one message
MOST_CLASSES = 8
MOST_PROBLEMS = 5  # reading stops there
LONGEST_LABEL = 30  # characters
LONGEST_HEADER = 10_000  # characters
LONGEST_NAME = 30  # of a column, in characters, where it might be a part of a sentence
HEAD = 100  # lines by which the kinds of file are told apart
MOST_CONTROLS = 0.1  # of all characters: no text has more
TEXT_COLUMNS = ("text", "message", "sms", "body", "v2")
LABEL_COLUMNS = ("label", "class", "category", "type", "v1")
HIDDEN_LABELS = {"", "?", "unknown"}
USUAL_ORDER = ("ham", "spam")

_SAVE_AS_TEXT = "save it as CSV or plain text in UTF-8"
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")  # some turn the text around
_CHARACTER_CODE = re.compile(r"&(?:#\d{1,6}|[A-Za-z]{2,8});")
_QUOTE = re.compile(r' *"')
_QUOTED = re.compile(r' *"([^"]*+(?:""[^"]*+)*+)"[^\S\n]*')


class MessagesError(ValueError):
    """The file cannot be used; the message has a line ``file:line:column: cause; remedy`` for each problem."""


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


class _Columns(NamedTuple):
    """The reading of a file's rows: the columns of text and label."""

    separator: str
    width: int
    text: int  # number of the column of texts
    label: int | None
    header_line: int = 0  # 0 if there is no header
    quotes: bool = False  # whether they have a meaning

    def plain(self, read: int) -> re.Pattern[str]:
        """Return the pattern of an unquoted cell after `read` cells; the last may run to the end of the line."""
        last = read == self.text == self.width - 1 and (self.width == 1 or not self.quotes)
        return re.compile(r"[^\n]*" if last else rf"[^\n{self.separator}]*")

    @property
    def content(self) -> str:
        """The pattern of a character that is neither white space nor a separator."""
        return rf"[^\s{self.separator}]"


class _Row(NamedTuple):
    """A label and a text as the file has them, and the place of the label."""

    line: int
    column: int
    label: str
    text: str


class _Report:
    """The problems of a file, and counts of all that was left out."""

    def __init__(self, name: str) -> None:
        self.tally: Counter[str] = Counter()
        self._name = " ".join(name.split())[:60] or "file"
        self._problems: list[str] = []

    def add(self, line: int, column: int, message: str) -> None:
        """Note a problem; after the fifth, reading stops."""
        self._problems.append(f"{self._name}:{line}:{column}: {message}")
        if len(self._problems) == MOST_PROBLEMS:
            self.refuse("reading stopped here; there may be more problems", line, column)

    def refuse(self, message: str, line: int = 1, column: int = 1) -> NoReturn:
        """Note a problem and read no further."""
        self._problems.append(f"{self._name}:{line}:{column}: {message}")
        raise MessagesError("\n".join(self._problems))

    def check(self) -> None:
        """Read no further if there is any problem."""
        if self._problems:
            raise MessagesError("\n".join(self._problems))


def read_messages(content: bytes, name: str, *, text: str = "", label: str = "") -> Messages:
    r"""Read messages from a file.

    Parameters
    ----------
    content : bytes
        What the file holds: UTF-8, UTF-16 or UTF-32, or else Windows-1252. One of three kinds.

        * A table with a header that names a column text, message, sms, body or v2, and perhaps one of labels, called
          label, class, category, type or v1; separated by commas or semicolons, with texts in quotes where they have
          these or a line break; or by tabs, without quotes.
        * Lines of a label, a tab and a text. Quotes and further tabs belong to the text.
        * One message a line, without labels.

        Upper and lower case of a label are the same. It is hidden if it is empty, ``?`` or ``unknown``.
    name : str
        What the file is called in messages.
    text, label : str, optional
        The names of the columns of texts and of labels, where a header has others.

    Returns
    -------
    Messages
        One or more, and 20,000 at most: their classes in the order in which they occur, but ham before spam. Texts are
        without control characters, in Unicode's composed form (NFC), and codes such as ``&amp;`` are resolved.

    Raises
    ------
    MessagesError
        If there is nothing to be used, or if a row cannot be read. Whatever the bytes are, nothing else is raised.
    """
    report = _Report(name)
    held, notes = _decoded(content, report)
    columns = _columns(held, report, text.casefold(), label.casefold())
    notes.append(_kind(columns))
    texts, labels = _collected(_rows(held, columns, report), report)
    report.check()
    if not texts:
        report.refuse("no row has a text; write one message a line, or a label, a tab and the message")
    classes = tuple(dict.fromkeys(label for label in labels if label not in HIDDEN_LABELS))
    if set(classes) == set(USUAL_ORDER):
        classes = USUAL_ORDER
    number_of = {name: number for number, name in enumerate(classes)}
    numbers = np.array([number_of.get(label, HIDDEN) for label in labels])
    return Messages(tuple(texts), numbers, classes, (*notes, *_summary(numbers, classes), *_losses(report.tally)))


@cache
def toy_messages() -> Messages:
    """Return the messages that come with the lessons, written for them, ham and spam."""
    return read_messages((DATA / "messages.tsv").read_bytes(), "messages.tsv")


@cache
def six_messages() -> Messages:
    """Return six messages, few enough to list all 64 labellings: three of spam, then three of ham."""
    return read_messages((DATA / "six_messages.tsv").read_bytes(), "six_messages.tsv")


def check_file(size: int, name: str) -> None:
    """Raise a `MessagesError` if a file of this size in bytes is too large to be read; `read_messages` does so too."""
    _check_size(size, _Report(name))


def _check_size(size: int, report: _Report) -> None:
    if size > LARGEST_FILE:
        cause = f"the file has {size / 1e6:,.1f} MB, and at most {LARGEST_FILE / 1e6:g} MB can be read"
        report.refuse(f"{cause}; keep the messages that you need")


def _decoded(content: bytes, report: _Report) -> tuple[str, list[str]]:
    """Return the text, each line ended by a newline, and a note if its encoding had to be guessed."""
    _check_size(len(content), report)
    if kind := other_kind(content):
        report.refuse(f"by its first bytes this is {kind}; {_SAVE_AS_TEXT}")
    try:
        text, encoding, guess = decode(content)
    except DamagedTextError as damage:
        report.refuse(f"the text is damaged, {damage}; {_SAVE_AS_TEXT}")
    notes = []
    if guess:
        notes.append(
            f"The file is not UTF-8 ({guess}), so it was read as {encoding}: "
            "look whether accents and money signs are right."
        )
    controls = len(_CONTROL.findall(text))
    if "\0" in text or controls > MOST_CONTROLS * len(text) + 1:
        report.refuse(f"this is not a text file: {_were(controls, 'control character')} found; {_SAVE_AS_TEXT}")
    if not text.strip():
        report.refuse("the file is empty; write one message a line, or a label, a tab and the message")
    return text.removesuffix("\n") + "\n", notes


def _columns(text: str, report: _Report, texts: str = "", labels: str = "") -> _Columns:
    """Tell by the first lines which of the three kinds of file this is; a table, if columns are named."""
    text_columns, label_columns = (texts,) if texts else TEXT_COLUMNS, (labels,) if labels else LABEL_COLUMNS
    start = text.index(text.lstrip()[0])
    line = text.count("\n", 0, start) + 1
    first = text[text.rfind("\n", 0, start) + 1 : text.index("\n", start)]
    separators = () if len(first) > LONGEST_HEADER else ("\t",) if "\t" in first else (",", ";")
    for separator in separators:
        cells = next(csv.reader([first], delimiter=separator, skipinitialspace=True))
        names = [name.strip().casefold() for name in cells]
        column = next((names.index(name) for name in text_columns if name in names), None)
        label = next((names.index(name) for name in label_columns if name in names), None)
        if (column is None and texts) or (label is None and labels):
            continue
        short = max(map(len, names)) <= LONGEST_NAME
        if column is not None and (short or label is not None):
            return _Columns(separator, len(names), column, label, line, separator != "\t")
        if column is None and label is not None and len(names) > 1 and not any(" " in name for name in names):
            message = f"the header has a column {names[label]} but none for texts"
            report.refuse(f"{message}; call that {', '.join(TEXT_COLUMNS[:-1])} or {TEXT_COLUMNS[-1]}", line)
    if named := " and ".join(filter(None, (texts, labels))):
        report.refuse(f"the first line has no column {named}; it says {first.strip()[:60]}", line)
    head = list(islice((line for line in text.split("\n") if line.strip()), HEAD))
    if 2 * sum("\t" in line for line in head) >= len(head):
        return _Columns("\t", 2, 1, 0)
    return _Columns("\t", 1, 0, None)


def _kind(columns: _Columns) -> str:
    if columns.header_line:
        labels = "no column has labels" if columns.label is None else f"labels in column {columns.label + 1}"
        place = f"Line {columns.header_line} was read as names of columns"
        return f"{place}: texts are in column {columns.text + 1}, {labels}."
    if columns.label is not None:
        return "Each line was read as a label, a tab and a message."
    return (
        "Each line was read as a message without a label. To give labels, write each before its message and a tab "
        "between, or name the columns in the first line: label, text."
    )


def _rows(text: str, columns: _Columns, report: _Report) -> Iterator[_Row]:
    """Yield the rows below the header that hold more than separators, and report those that cannot be read."""
    content = re.compile(columns.content)
    place, line = 0, 1
    while True:
        found = content.search(text, place)
        start = max(place, text.rfind("\n", place, found.start()) + 1) if found else len(text)
        blank = text.count("\n", place, start)
        report.tally["blank"] += blank
        line += blank
        if start == len(text):
            return
        cells, place, problem = _cells(text, start, columns)
        if problem:
            report.add(*_location(text, start, line, place), problem)
        elif line != columns.header_line:
            cells += [(start, "")] * (columns.width - len(cells))
            label_place, label = (start, "") if columns.label is None else cells[columns.label]
            yield _Row(*_location(text, start, line, label_place), label, cells[columns.text][1])
        place = text.index("\n", place) + 1
        line += text.count("\n", start, place)


def _cells(text: str, start: int, columns: _Columns) -> tuple[list[tuple[int, str]], int, str]:
    """Return place and content of each cell of a row, and where reading ended; or else a problem, and its place."""
    cells: list[tuple[int, str]] = []
    place = start
    while True:
        if columns.quotes and _QUOTE.match(text, place):
            quoted = _QUOTED.match(text, place)
            if quoted is None or text[quoted.end()] not in ("\n", columns.separator):
                return [], place, "this quote is not closed where the text ends; close it, and double each quote inside"
            cell, end = quoted[1].replace('""', '"'), quoted.end()
        else:
            end = _end(columns.plain(len(cells)), text, place)
            cell = text[place:end]
        cells.append((place, cell))
        if text[end] == "\n":
            break
        place = end + 1
        if len(cells) == columns.width:
            end = next(re.compile(rf"\n|{columns.content}").finditer(text, place)).start()
            if text[end] == "\n":
                break
            return [], end, f"this row has more cells than the header, which has {columns.width}; put texts in quotes"
    if len(cells) < columns.width and not columns.header_line:
        return [], start, "this line has no tab; write a label, a tab and the message"
    return cells, end, ""


def _location(text: str, start: int, line: int, place: int) -> tuple[int, int]:
    """Return line and column of a place, in a row that starts at another place in a line."""
    return line + text.count("\n", start, place), place - max(start, text.rfind("\n", start, place) + 1) + 1


def _end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place


def _collected(rows: Iterator[_Row], report: _Report) -> tuple[list[str], list[str]]:
    """Return the texts that can be used and their labels."""
    texts: list[str] = []
    labels: list[str] = []
    known = set(HIDDEN_LABELS)
    for row in rows:
        text, label = _cleaned(row.text, report), _cleaned(row.label, report).casefold()
        if not text:
            report.tally["empty"] += 1
        elif len(texts) == MOST_MESSAGES:
            report.tally["beyond"] += 1
            break
        elif len(label) > LONGEST_LABEL:
            message = f"this label has {len(label):,} characters, at most {LONGEST_LABEL} are allowed"
            report.add(row.line, row.column, f"{message}; write a short label, and the message after it")
        elif label not in known and len(known) == len(HIDDEN_LABELS) + MOST_CLASSES:
            message = f"'{label}' is one class too many, at most {MOST_CLASSES} can be told apart"
            report.refuse(f"{message}; join some classes, or leave out the labels", row.line, row.column)
        else:
            known.add(label)
            texts.append(text)
            labels.append(label)
    return texts, labels


def _cleaned(text: str, report: _Report) -> str:
    """Return a text without control characters and character codes, and count those."""
    if "&" in text:
        resolved = _CHARACTER_CODE.sub(lambda code: html.unescape(code[0]), text)
        report.tally["codes"] += resolved != text
        text = resolved
    text, removed = _CONTROL.subn("", text)
    report.tally["controls"] += removed
    text = unicodedata.normalize("NFC", text).strip()
    pieces = text.split(None, MOST_WORDS) if len(text) > 2 * MOST_WORDS else []
    if len(pieces) > MOST_WORDS:
        report.tally["long"] += 1
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
        "blank": f"{_were(tally['blank'], 'blank line')} skipped.",
        "empty": f"{_were(tally['empty'], 'row')} left out, without a text.",
        "long": f"{_were(tally['long'], 'message')} cut after {MOST_WORDS:,} words.",
        "controls": f"{_were(tally['controls'], 'control character')} removed.",
        "codes": f"{_were(tally['codes'], 'message')} cleared of codes such as &amp;.",
    }
    return [sentence for kind, sentence in sentences.items() if tally[kind]]


def _were(number: int, noun: str) -> str:
    return f"{number:,} {noun} was" if number == 1 else f"{number:,} {noun}s were"
