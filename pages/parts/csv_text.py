"""From the bytes of a CSV file to rows of cells, and from a cell to a number."""

from __future__ import annotations

import codecs
import csv
import io
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice

LARGEST_FILE = 20_000_000  # bytes
LARGEST_NUMBER = 1e30  # its pictures are drawn in 32 bits, which end at 3e38
HEAD = 20  # rows by which separator and header are told
LONGEST_HEAD = 1_000_000  # characters
SEPARATORS = (",", ";", "\t")
MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "missing", ".", "-", "?"}  # in lower case
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE)
SEPARATOR_LINE = re.compile(r'\A"?sep=.?"?\n')  # Excel's own hint, which is not needed
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
BYTE_ORDER_MARKS = {  # UTF-32's first: it begins with UTF-16's
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
OTHER_FILES = {
    b"PK\x03\x04": "a spreadsheet or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
}
SAVE_AS_CSV = "In the program that it comes from, save it as CSV (UTF-8) and load that file."

Record = tuple[int, list[str]]  # number of a row, its cells


class OwnDataError(ValueError):
    """The file or the choice of columns cannot be used; the message names cause, place and remedy."""


def decoded(raw: bytes) -> tuple[str, list[str]]:
    """Return the text of a file, its lines ended by newlines, and a note if its encoding had to be guessed.

    Raises
    ------
    OwnDataError
        If the file is too large, is of another kind, has damaged text or is empty.
    """
    if len(raw) > LARGEST_FILE:
        raise OwnDataError(
            f"The file has {len(raw) / 1e6:,.1f} MB; at most {LARGEST_FILE / 1e6:g} MB can be read. "
            "Keep the columns and rows that you need."
        )
    for beginning, kind in OTHER_FILES.items():
        if raw.startswith(beginning):
            raise OwnDataError(f"By its first bytes this is {kind}, not a CSV file. {SAVE_AS_CSV}")
    encoding, notes = _encoding(raw), []
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        place = f"byte 0x{raw[error.start]:02x} in row {_line(raw, error.start)}"
        if encoding != "UTF-8":
            raise OwnDataError(f"The text is damaged: {place} is not {encoding}. {SAVE_AS_CSV}") from None
        text = _windows_text(raw)
        notes.append(
            f"The file is not UTF-8 ({place}), so it was read as Windows-1252: "
            "look whether the accents in the column names are right."
        )
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if found := CONTROL_CHARACTER.search(text):
        row = text.count("\n", 0, found.start()) + 1
        raise OwnDataError(f"This is not a text file: row {row} has the character U+{ord(found[0]):04X}. {SAVE_AS_CSV}")
    text = SEPARATOR_LINE.sub("\n", text)
    if not text.strip('",;\t\n '):
        raise OwnDataError("The file is empty. Load one with a row of column names and rows of numbers below it.")
    return text, notes


def _encoding(raw: bytes) -> str:
    for mark, encoding in BYTE_ORDER_MARKS.items():
        if raw.startswith(mark):
            return encoding
    beginning = raw[:1000]  # without a mark, UTF-16 shows by zeros in every other byte
    for zeros, others, encoding in ((1, 0, "UTF-16-LE"), (0, 1, "UTF-16-BE")):
        if beginning[zeros::2].count(0) > 0.4 * len(beginning) and not beginning[others::2].count(0):
            return encoding
    return "UTF-8"


def _windows_text(raw: bytes) -> str:
    try:
        return raw.decode("Windows-1252")
    except UnicodeDecodeError as error:
        place = f"byte 0x{raw[error.start]:02x} in row {_line(raw, error.start)}"
        raise OwnDataError(f"The text is damaged: {place} is no letter in any known code. {SAVE_AS_CSV}") from None


def _line(raw: bytes, place: int) -> int:
    return raw[:place].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1


def separator_of(text: str) -> str:
    """Return what separates the cells: what gives most of the first rows the width of the very first.

    Where two do, what makes more of the cells numbers; then the comma. A single column has no separator, and is read as
    if it had semicolons: commas in it are decimal commas.
    """
    best, found = (0, 0.0), ";"
    text = text[:LONGEST_HEAD]
    for separator in SEPARATORS:
        head = _readable_head(text, separator)
        fitting = [cells for cells in head if len(cells) == len(head[0]) > 1]
        cells = list(chain.from_iterable(fitting))
        score = (len(fitting), sum(is_number(cell, separator) for cell in cells) / max(1, len(cells)))
        if score > best:
            best, found = score, separator
    return found


def _readable_head(text: str, separator: str) -> list[list[str]]:
    """Return the first rows, up to one that cannot be read."""
    head: list[list[str]] = []
    with suppress(OwnDataError):
        for _, cells in islice(records_of(text, separator), HEAD):
            head.append(cells)
    return head


def records_of(text: str, separator: str) -> Iterator[Record]:
    """Yield the rows that are not empty.

    Raises
    ------
    OwnDataError
        Where a row cannot be read.
    """
    row = 0
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=True)
    try:
        for row, cells in enumerate(reader, 1):
            if any(cells):
                yield row, cells
    except csv.Error as error:
        raise OwnDataError(
            f"Row {row + 1} cannot be read ({error}). Look there for a quotation mark that is not closed, or for a "
            f"cell of more than {csv.field_size_limit():,} characters."
        ) from None


def value_of(cell: str, separator: str) -> float | None:
    """Return the number in a cell: NaN if there is none or one out of all bounds, and None for any other text."""
    if "," in cell and separator != "," and DECIMAL_COMMA.fullmatch(cell):
        cell = cell.replace(",", ".")
    try:
        number = float(cell)
    except ValueError:
        return math.nan if cell.strip().lower() in MISSING else None
    if "_" in cell:  # 1_000 is a number in Python alone
        return None
    return number if abs(number) <= LARGEST_NUMBER else math.nan


def is_number(cell: str, separator: str) -> bool:
    """Tell whether a cell holds a finite number."""
    value = value_of(cell, separator)
    return value is not None and not math.isnan(value)
