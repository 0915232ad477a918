"""From the bytes of a CSV file to rows of cells, and from a cell to a number."""

import csv
import io
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, islice

from lessons.data.decode import DamagedTextError, decode, other_kind

LARGEST_FILE = 20_000_000  # bytes
LARGEST_NUMBER = 1e30  # its pictures are drawn in 32 bits, which end at 3e38
HEAD = 20  # rows by which separator and header are told
LONGEST_HEAD = 1_000_000  # characters
SEPARATORS = (",", ";", "\t")
MISSING = {"", "na", "n/a", "#n/a", "nan", "null", "none", "missing", ".", "-", "?"}  # in lower case
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(e[+-]?\d+)?\s*", re.ASCII | re.IGNORECASE)
PLAIN = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)
THOUSANDS = re.compile(  # 1.234,50 or 1,234.50; 1 234 and 1'234; 1.234.567: what is between thousands is certain
    r"(?P<whole>[+-]?\d{1,3}(?P<mark>[.,'’ \u00a0\u202f])\d{3}(?P<more>(?:(?P=mark)\d{3})*))"
    r"(?:(?!(?P=mark))(?P<point>[.,])(?P<rest>\d+))?",
    re.ASCII,
)
SEPARATOR_LINE = re.compile(r'\A"?sep=.?"?\n')  # Excel's own hint, which is not needed
CONTROL_CHARACTER = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
SAVE_AS_CSV = "In the program that it comes from, save it as CSV (UTF-8) and load that file."

Record = tuple[int, list[str]]  # number of a row, its cells


class OwnDataError(ValueError):
    """The file or the choice of columns cannot be used; the message names cause, place and remedy."""


def check_size(size: int) -> None:
    """Raise an `OwnDataError` if a file of this size in bytes is too large."""
    if size > LARGEST_FILE:
        raise OwnDataError(
            f"The file has {size / 1e6:,.1f} MB; at most {LARGEST_FILE / 1e6:g} MB can be read. "
            "Keep the columns and rows that you need."
        )


def decoded(raw: bytes) -> tuple[str, list[str]]:
    """Return the text of a file, its lines ended by newlines, and a note if its encoding had to be guessed.

    Raises
    ------
    OwnDataError
        If the file is too large, is of another kind, has damaged text or is empty.
    """
    check_size(len(raw))
    if kind := other_kind(raw):
        raise OwnDataError(f"By its first bytes this is {kind}, not a CSV file. {SAVE_AS_CSV}")
    try:
        text, encoding, guess = decode(raw, "row")
    except DamagedTextError as damage:
        raise OwnDataError(f"The text is damaged: {damage}. {SAVE_AS_CSV}") from None
    notes = []
    if guess:
        if odd := re.search("[\x80-\x9f]", text):
            place = f"byte 0x{ord(odd[0]):02x} in row {_row(text, odd)}"
            raise OwnDataError(f"The text is damaged: {place} is not a letter in any known encoding. {SAVE_AS_CSV}")
        notes.append(
            f"The file is not UTF-8 ({guess}), so it was read as {encoding}: check the accents in the column names."
        )
    if found := CONTROL_CHARACTER.search(text):
        character = f"U+{ord(found[0]):04X}"
        raise OwnDataError(
            f"This is not a text file: row {_row(text, found)} has the character {character}. {SAVE_AS_CSV}"
        )
    text = SEPARATOR_LINE.sub("\n", text)
    if not text.strip('",;\t\n '):
        raise OwnDataError("The file is empty. Load one with a row of column names and rows of numbers below it.")
    return text, notes


def _row(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1


def separator_of(text: str) -> str:
    """Return the separator of the cells: the one by which most of the first rows are as wide as the very first.

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
    if separator != "," and "," in cell and DECIMAL_COMMA.fullmatch(cell):  # first, as there may be millions
        cell = cell.replace(",", ".")
    try:
        number = float(cell)
    except ValueError:
        text = cell.strip()
        if text.lower() in MISSING:
            return math.nan
        written = _written(text.removesuffix("%").rstrip(), separator)
        if written is None:
            return None
        number = float(written)
    if "_" in cell:  # 1_000 is a number in Python alone
        return None
    return number if abs(number) <= LARGEST_NUMBER else math.nan


def _written(text: str, separator: str) -> str | None:
    """Return a number with a decimal point and without marks between thousands; None for any other text."""
    if found := THOUSANDS.fullmatch(text):
        whole, mark, more, point, rest = found.group("whole", "mark", "more", "point", "rest")
        certain = point or more or mark not in ".,"
        if certain and not (separator == "," and point == ","):
            return f"{whole.replace(mark, '')}.{rest or '0'}"
    if separator != "," and DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    return text if PLAIN.fullmatch(text) else None


def decimal_mark(cell: str) -> str:
    """Return the sign before the decimals of a number, a comma or a point; "" if it has none."""
    marks = [mark for mark in cell if mark in ".,"]
    return "" if not marks or (len(marks) > 1 and len({*marks}) == 1) else marks[-1]


def is_number(cell: str, separator: str) -> bool:
    """Tell whether a cell holds a finite number."""
    value = value_of(cell, separator)
    return value is not None and not math.isnan(value)
