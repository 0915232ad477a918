"""Read any table: bytes to columns with their types, each with the reason why, and a list of what was left out.

All topics read files with this. Every message is plain text that may quote the file: escape it before it is shown as
Markdown. Rows are numbered as a spreadsheet shows them: from 1, with the header and with empty rows.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from lessons.data.csv_text import LARGEST_FILE, MOST_CELLS, OwnDataError, check_size, decoded, is_number, missing
from lessons.data.gathered import Gathered
from lessons.data.judged import Judged, file_mark, judge
from lessons.data.layout import AS_GUESSED, How, Layout
from lessons.data.numbers import Mark
from lessons.data.parquet import PARQUET, as_csv
from lessons.data.phrases import NAMED, be, counted, have, quoted, rows_named, short
from lessons.data.rows import laid_out, records_for
from lessons.data.said_of_rows import said_of_rows, said_of_sums
from lessons.data.sheet_column import KINDS, Kind, SheetColumn
from lessons.data.workbook import is_workbook, read_workbook

MOST_COLUMNS = 1_000
FEW = 5  # different numbers: up to this many may be categories
MOST_CATEGORIES = 20  # different words of a category
LONG = 25  # characters of a text, on average; a category's words are shorter
CHOSEN = "chosen"  # the reason of a type that was
PREVIEW = 6  # rows
UNPACKING = 0.7  # of the time that a workbook takes
BLOCK = 500  # rows that are held as text at a time: few, because what fits the cache is read four times as fast
Told = Callable[[float], object]
_ENDS_IN_ID = re.compile(r"(_id|[ _]ID|[a-z]I[dD]| id)$")
_ROW_NAMES = re.compile(r"|id|nr\.?|no\.?|#|index|row|row names?|rownames?|unnamed: \d+|x\.1|obs\.?|case")


def unheard(share: float) -> None:
    """Take the share that has been read where it is not shown."""


class LeftOut(NamedTuple):
    """Rows that were left out, and why."""

    rows: tuple[int, ...]
    why: str


@dataclass(frozen=True, eq=False)
class Sheet:
    """A table as it was read."""

    name: str  # what the file is called in messages
    columns: tuple[SheetColumn, ...]  # no two have the same name
    row_numbers: np.ndarray  # number of each row in the file, shape (rows,), read-only
    left_out: tuple[LeftOut, ...]  # the other rows, and why
    notes: tuple[str, ...]  # what was read in a way that might surprise, and what was left out, in sentences
    how: How  # how it was read: nothing in it is left open, but the types of columns
    tables: tuple[str, ...] = ()  # the names of a workbook's sheets; none of other files

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(column.name for column in self.columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.row_numbers)

    def column(self, name: str) -> SheetColumn:
        """Return the column of a name."""
        return self.columns[self.names.index(name)]

    def retyped(self, kinds: Mapping[str, Kind]) -> "Sheet":
        """Return the same with some columns of other types, as somebody chose them."""
        columns = tuple(
            replace(each, kind=kinds[each.name], why=CHOSEN) if each.name in kinds else each for each in self.columns
        )
        return replace(self, columns=columns)

    def preview(self, rows: int = PREVIEW) -> list[list[str]]:
        """Return the texts of the cells of the first rows."""
        return [[column.cell(row) for column in self.columns] for row in range(min(rows, self.rows))]


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put a file's name before the message of an error."""
    try:
        yield
    except OwnDataError as error:
        raise type(error)(f"{short(name) or 'The file'}: {error}") from None


def check_file(size: int, name: str, most: int = LARGEST_FILE, what: str = "columns and rows") -> None:
    """Raise an `OwnDataError` if a file of this size in bytes is too large to be read; `read_sheet` does so too."""
    with naming(name):
        check_size(size, most, what)


def read_sheet(raw: bytes, name: str, how: How = AS_GUESSED, *, texts: bool = False, told: Told = unheard) -> Sheet:
    """Read a table, or texts.

    Parameters
    ----------
    raw : bytes
        What the file holds: a workbook, Parquet, or text in UTF-8, UTF-16 or UTF-32, else Windows-1252; its cells
        separated by commas, semicolons, tabs, bars or spaces; with names of columns or without, perhaps with lines
        above them.
    name : str
        What the file is called in messages.
    how : How, optional
        What is not to be guessed.
    texts : bool, optional
        Whether texts are looked for: then each line may be one, or a label, a tab and one; JSON, or as for fastText.
    told : callable, optional
        Called again and again with the share of the rows that has been read, from 0 to 1; where cells have several
        lines the share is too small.

    Returns
    -------
    Sheet
        With one column or more.

    Raises
    ------
    OwnDataError
        If there is no table. Whatever the bytes are, nothing else is raised.
    """
    with naming(name):
        return _sheet(raw, name, how, texts, told)


def _sheet(raw: bytes, name: str, how: How, texts: bool, told: Told) -> Sheet:
    raw, how, tables = _unpacked(raw, how, told)
    text, encoding, notes = decoded(raw, how.encoding, texts=texts)
    if len(tables) > 1:
        notes.insert(0, f"Of the workbook’s {len(tables)} sheets {quoted([how.sheet])} was read.")
    text, layout = laid_out(text, how, texts=texts)
    width = layout.width
    if width > MOST_COLUMNS:
        raise OwnDataError(
            f"Row {layout.first} has {width:,} cells; at most {MOST_COLUMNS:,} columns can be read. Keep those that "
            "you need."
        )
    if (lines := text.count("\n")) * width > MOST_CELLS:  # before they are read, which would take seconds
        raise too_many(f"With {lines:,} rows of {counted(width, 'cell')}")
    names = _names_of(layout, notes)
    notes += layout.notes
    if layout.header and any(map(is_number, layout.header)):
        notes.append(f"Row {layout.header_row} holds text as well as numbers, and was taken for column names.")
    gathered = [Gathered() for _ in range(width)]
    left_out = [LeftOut((row,), "above the table") for row in layout.above]
    begun = UNPACKING if tables else 0.0
    rest = (1 - begun) / (lines + 1)
    row_numbers, ragged = _fill(gathered, text, layout, texts, lambda row: told(min(1.0, begun + rest * row)))
    notes += said_of_rows(layout, ragged)
    if ragged:
        left_out.append(LeftOut(tuple(ragged), f"more or fewer cells than {width}"))
    doubt = layout.separator == ";" and width > 1
    mark = how.decimal or file_mark(gathered, layout.separator)
    unnamed = {label for label, cell in zip(names, layout.header or names, strict=True) if _counts_rows(cell)}
    columns = tuple(
        _column(one, label, label in unnamed, how, mark, row_numbers, doubt)
        for one, label in zip(gathered, names, strict=True)
    )
    notes += said_of_sums(gathered, row_numbers)
    row_numbers.flags.writeable = False
    known = How(
        "" if tables else encoding, layout.separator, mark, layout.header is not None, how.kinds, sheet=how.sheet
    )
    return Sheet(name, columns, row_numbers, tuple(left_out), tuple(notes), known, tables)


def _unpacked(raw: bytes, how: How, told: Told) -> tuple[bytes, How, tuple[str, ...]]:
    """Return a workbook or a Parquet file as CSV, how that is read, and the workbook's sheets; text as it is."""
    if raw.startswith(PARQUET):
        return as_csv(raw), replace(how.told(",", True), encoding=""), ()
    if is_workbook(raw):
        found = read_workbook(raw, how.sheet, lambda share: told(UNPACKING * share))
        return found.csv, replace(how.told(","), encoding="", sheet=found.name), found.names
    return raw, how, ()


def signs_of(columns: Sequence[SheetColumn], sheet: Sheet) -> list[str]:
    """Say which signs in columns of numbers were left out or read in a way that might surprise."""
    said = {
        "percent": "Per cent signs were left out",
        "comma": "Commas were read as decimal commas",
        "thousands": "Marks between thousands were left out",
        "zeros": "Zeros in front were left out",
    }
    notes = []
    for key, what in said.items():
        found = next((column.judged.signs[key] for column in columns if key in column.judged.signs), None)
        if found:
            notes.append(f"{what}: {quoted([found[1]])} in row {sheet.row_numbers[found[0]]}, for example.")
    return notes


def too_many(where: str) -> OwnDataError:
    """Return the error of a file with too many cells."""
    return OwnDataError(
        f"{where} the file has more than {MOST_CELLS:,} cells, which is too much to read. Keep the columns and rows "
        "that you need."
    )


def _names_of(layout: Layout, notes: list[str]) -> list[str]:
    """Return a name for each column, no two alike."""
    if layout.header is None and layout.form == "table":
        notes.append("The file has no column names; the columns are called column 1, column 2 and so on.")
    names: dict[str, None] = {}  # in order
    changed = []
    for place, cell in enumerate(layout.header or [""] * layout.width, 1):
        name = plain = short(cell) or f"column {place}"
        again = 1
        while name in names:
            again += 1
            name = f"{plain} ({again})"
        names[name] = None
        if name != plain:
            changed.append(name)
    if changed:
        notes.append(f"Several columns have the same name; the later ones are called {quoted(changed)}.")
    return list(names)


def _fill(
    columns: list[Gathered], text: str, layout: Layout, texts: bool, reached: Callable[[int], object]
) -> tuple[np.ndarray, list[int]]:
    """Read all rows of the right width into the columns; return their numbers, and those of the others."""
    width = layout.width
    records = records_for(text, layout)
    kept: list[int] = []
    ragged: list[int] = []
    while block := list(islice(records, BLOCK)):
        reached(block[-1][0])
        fitting: list[list[str]] = []
        for row, cells in block:
            if row < layout.first:
                continue
            while len(cells) > width and not cells[-1].strip():
                cells.pop()
            if texts:
                cells += [""] * (width - len(cells))
                _check_texts(row, cells, width)
            if len(cells) == width:
                kept.append(row)
                fitting.append(cells)
            else:
                ragged.append(row)
        if (len(kept) + len(ragged)) * width > MOST_CELLS:
            raise too_many(f"Up to row {block[-1][0]}")
        if fitting:
            for column, across in zip(columns, zip(*fitting, strict=True), strict=True):
                column.extend(across)
    if len(ragged) > len(kept):
        raise OwnDataError(
            f"{counted(len(ragged), 'row')} {have(len(ragged))} more or fewer cells than the {width} of the others: "
            f"{rows_named(ragged)}. Delete the lines above the column names; where numbers have decimal commas, "
            "separate the cells by semicolons."
        )
    return np.array(kept, np.int64), ragged


def _check_texts(row: int, cells: list[str], width: int) -> None:
    if len(cells) > width:
        raise OwnDataError(
            f"Row {row} has {len(cells)} cells, and the first one {width}. Put texts with separators in quotes."
        )


def _counts_rows(name: str) -> bool:
    """Tell whether a name, or none, is one of a column that only counts the rows."""
    return bool(_ROW_NAMES.fullmatch(name.strip().lower()) or _ENDS_IN_ID.search(name.strip()))


def _column(one: Gathered, name: str, counts: bool, how: How, mark: Mark, rows: np.ndarray, doubt: bool) -> SheetColumn:
    if not one.size:
        empty = np.empty(0)
        return SheetColumn(name, "empty", "there is no row", empty, Judged(), empty.astype(np.int32), ())
    judged = judge(one, name, how.decimal, mark, rows, doubt=doubt)
    values = one.numbers(judged.mark)
    values.flags.writeable = False
    kind, why = _kind(one, counts, judged, values)
    asked = dict(how.kinds).get(name)
    if asked in KINDS:
        kind, why = asked, CHOSEN
    return SheetColumn(name, kind, why, values, judged, one.codes(), one.words)


def _kind(one: Gathered, counts: bool, judged: Judged, values: np.ndarray) -> tuple[Kind, str]:
    """Tell the type of a column, and why it is that."""
    if not one.count and not one.other:
        return "empty", "no cell says anything"
    numeric = one.count >= one.other and not judged.fault
    if numeric and counts and len(values) > 2 and bool((np.diff(values) == 1).all()):
        return "running number", f"{values[0]:g} to {values[-1]:g}, one up in each row"
    if numeric and not judged.code:
        return "number", f"{counted(one.count, 'cell')} of {one.size:,} {be(one.count)} a number"
    words = list(islice((word for word in one.words if not missing(word)), MOST_CATEGORIES + 1))
    if judged.fault and one.count >= one.other:
        return "text", judged.fault
    length = sum(map(len, words)) / len(words)
    if len(words) <= MOST_CATEGORIES and length <= LONG and len(words) < max(one.size - one.gaps, 3):
        return (
            "category",
            judged.code or f"{counted(len(words), 'different word')}, such as {quoted(words[: NAMED - 1])}",
        )
    more = f"more than {MOST_CATEGORIES} different texts"
    return "text", judged.code or (more if len(words) > MOST_CATEGORIES else counted(len(words), "different text"))
