"""Read a learner's own CSV into columns of numbers; each column or row that is none is reported in a sentence.

Every message is plain text that may quote the file: escape it before it is shown as Markdown. Rows are numbered as a
spreadsheet shows them: from 1, with the header and with empty rows.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np

from lessons.data.columns import Column
from lessons.data.csv_text import (
    HEAD,
    LARGEST_NUMBER,
    OwnDataError,
    Record,
    check_size,
    decimal_mark,
    decoded,
    is_number,
    records_of,
    separator_of,
    value_of,
)
from lessons.data.phrases import NAMED, be, counted, have, quoted, rows_named, short

MOST_COLUMNS = 1_000
MOST_CELLS = 3_000_000
LEAST_POINTS = 3
NEARLY_ALL = 0.9  # of the cells of a column
MOST_WORDS = 10  # of a column that are kept
LEAST_SCALE = 1e-300  # of a column; what is smaller could vanish
BLOCK = 500  # rows that are held as text at a time: few, because what fits the cache is read four times as fast

Cell = tuple[int, str]  # number of its row, what it says


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a file that hold numbers.

    Attributes
    ----------
    columns : tuple of str
        Their names, no two alike: plain text of at most about 60 characters, whatever it looks like.
    rows : numpy.ndarray
        Shape (rows, columns), read-only: finite numbers, and NaN where the file has none.
    row_numbers : numpy.ndarray
        Number of each row in the file, shape (rows,), read-only.
    notes : tuple of str
        What was left out, or read in a way that might surprise, and why.
    """

    columns: tuple[str, ...]
    rows: np.ndarray
    row_numbers: np.ndarray
    notes: tuple[str, ...]

    def points(
        self, columns: Sequence[str], standardise: bool, most: int = 500, widest: int = 2
    ) -> tuple[np.ndarray, tuple[Column, ...], tuple[str, ...]]:
        """Return the points that some columns make.

        Parameters
        ----------
        columns : sequence of str
            Of `columns`, one at least.
        standardise : bool
            Whether each column is brought to mean 0 and standard deviation 1, over all rows that can be used.
        most : int, optional
            At least 3. Of more rows, this number is drawn at random, the same ones every time, in file order.
        widest : int, optional
            How many columns there may be.

        Returns
        -------
        points : numpy.ndarray
            Shape (points, columns), finite.
        columns : tuple of Column
            What they are called, and what brings the points back to their own units.
        notes : tuple of str
            What was left out, and why.

        Raises
        ------
        OwnDataError
            If the choice of columns is wrong, fewer than 3 rows can be used, or a column to be standardised is
            constant.
        """
        chosen = self.rows[:, self._places(columns, widest)]
        complete = np.isfinite(chosen).all(axis=1)
        points, missing = chosen[complete], self.row_numbers[~complete].tolist()
        if len(points) < LEAST_POINTS:
            raise OwnDataError(
                f"Only {counted(len(points), 'row')} can be used, and at least {LEAST_POINTS} are needed: "
                f"a number is missing in {rows_named(missing)}. Fill in the cells or choose another column."
            )
        notes = []
        if missing:
            notes.append(
                f"{counted(len(missing), 'row')} {be(len(missing))} left out, because a chosen column has no number "
                f"there, or one beyond ±{LARGEST_NUMBER:g}: {rows_named(missing)}."
            )
        named = tuple(map(Column, columns))
        if standardise:
            pairs = [_standardised(values, column) for values, column in zip(points.T, columns, strict=True)]
            points, named = np.column_stack([scores for scores, _ in pairs]), tuple(column for _, column in pairs)
        if len(points) > most:
            notes.append(
                f"{len(points):,} rows can be used; {most:,} of them are kept, drawn at random, the same every time."
            )
            points = points[np.sort(np.random.default_rng(0).choice(len(points), most, replace=False))]
        return points, named, tuple(notes)

    def _places(self, columns: Sequence[str], widest: int) -> list[int]:
        if not 1 <= len(columns) <= widest or len(set(columns)) < len(columns):
            many = "two" if widest == 2 else f"up to {widest}"
            raise OwnDataError(f"Choose one column, or {many} different ones; got {quoted(columns) or 'none'}.")
        for column in columns:
            if column not in self.columns:
                raise OwnDataError(
                    f"There is no column {quoted([column])} of numbers; there {be(len(self.columns))} "
                    f"{quoted(self.columns)}."
                )
        return [self.columns.index(column) for column in columns]


def read_csv(raw: bytes, name: str) -> Table:
    """Read the columns of numbers from a CSV file.

    Parameters
    ----------
    raw : bytes
        What the file holds: UTF-8, UTF-16 or UTF-32, else Windows-1252; separated by commas, semicolons or tabs; with
        a header or without.
    name : str
        What the file is called in messages.

    Returns
    -------
    Table
        With one column or more, and three rows or more.

    Raises
    ------
    OwnDataError
        If there is nothing to be used. Whatever the bytes are, nothing else is raised.
    """
    with naming(name):
        return _table(raw)


def check_file(size: int, name: str) -> None:
    """Raise an `OwnDataError` if a file of this size in bytes is too large to be read; `read_csv` does so too."""
    with naming(name):
        check_size(size)


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put a file's name before the message of an error."""
    try:
        yield
    except OwnDataError as error:
        raise OwnDataError(f"{short(name) or 'The file'}: {error}") from None


def _table(raw: bytes) -> Table:
    text, notes = decoded(raw)
    separator = separator_of(text)
    records = records_of(text, separator)
    head = list(islice(records, HEAD))
    width = len(head[0][1])
    if width > MOST_COLUMNS:
        raise OwnDataError(
            f"Row {head[0][0]} has {width:,} cells; at most {MOST_COLUMNS:,} columns can be read. Keep those that you "
            "need."
        )
    if (lines := text.count("\n")) * width > MOST_CELLS:  # before they are read, which would take seconds
        raise _too_many(f"With {lines:,} rows of {counted(width, 'cell')}")
    header = has_header([cells for _, cells in head], separator)
    names = names_of(head[0][1] if header else None, width, notes)
    if header and any(is_number(cell, separator) for cell in head[0][1]):
        notes.append(f"Row {head[0][0]} holds text as well as numbers, and was taken for column names.")
    columns = [_Column(separator) for _ in range(width)]
    row_numbers = _fill(columns, chain(head[header:], records), notes)
    if len(row_numbers) < LEAST_POINTS:
        place = "below the column names" if header else "in the file"
        raise OwnDataError(
            f"There {be(len(row_numbers))} {counted(len(row_numbers), 'row')} of numbers {place}, and at least "
            f"{LEAST_POINTS} are needed. Add rows."
        )
    usable = _usable(columns, names, notes)
    rows = np.column_stack([columns[place].numbers() for place in usable])
    rows.flags.writeable = row_numbers.flags.writeable = False
    return Table(tuple(names[place] for place in usable), rows, row_numbers, tuple(notes))


def has_header(head: list[list[str]], separator: str) -> bool:
    """Tell whether the first row names the columns: it holds no number, or has text where only numbers follow."""
    texts = [place for place, cell in enumerate(head[0]) if value_of(cell, separator) is None]
    if not any(is_number(cell, separator) for cell in head[0]):
        return bool(texts)
    below = [cells for cells in head[1:] if len(cells) == len(head[0])]
    columns = [[value_of(cells[place], separator) for cells in below] for place in texts]
    return any(None not in values and not np.isnan(np.array(values, float)).all() for values in columns)


def names_of(header: list[str] | None, width: int, notes: list[str]) -> list[str]:
    """Return a name for each column, no two alike."""
    if header is None:
        notes.append("The file has no column names; the columns are called column 1, column 2 and so on.")
    names: dict[str, None] = {}  # in order
    changed = []
    for place, cell in enumerate(header or [""] * width, 1):
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


class _Column:
    """One column while it is being read.

    Attributes
    ----------
    count : int
        How many numbers it has.
    texts : int
        How many cells that are neither a number nor missing.
    words : dict of str to Cell
        What they say, but for more than a few, each with its first cell.
    comma, point, percent, bare : tuple of int and str, or None
        Row and content of the first numbers with a decimal comma, with a decimal point, with a per cent sign, and
        without one.
    """

    def __init__(self, separator: str) -> None:
        self._separator = separator
        self._blocks: list[np.ndarray] = []
        self.count = self.texts = 0
        self.words: dict[str, Cell] = {}
        self.comma: Cell | None = None
        self.point: Cell | None = None
        self.percent: Cell | None = None
        self.bare: Cell | None = None

    def extend(self, rows: Sequence[int], cells: Sequence[str]) -> None:
        """Read the cells of further rows."""
        values = [value_of(cell, self._separator) for cell in cells]
        texts = [place for place, value in enumerate(values) if value is None]
        for place in texts:
            values[place] = math.nan
            if len(self.words) < MOST_WORDS:
                self.words.setdefault(cells[place].strip(), (rows[place], cells[place]))
        block = np.array(values, float)
        self._blocks.append(block)
        self.texts += len(texts)
        self.count += int(np.isfinite(block).sum())
        signs = {*"".join(cells)}  # most blocks have none of those that are looked for
        if self._separator != "," and "," in signs and not self.comma:
            self.comma = _first_number(rows, cells, block, lambda cell: decimal_mark(cell) == ",")
        if self._separator != "," and "." in signs and not self.point:
            self.point = _first_number(rows, cells, block, lambda cell: decimal_mark(cell) == ".")
        if "%" in signs and not self.percent:
            self.percent = _first_number(rows, cells, block, lambda cell: "%" in cell)
        self.bare = self.bare or _first_number(rows, cells, block, lambda cell: "%" not in cell)

    @property
    def text(self) -> Cell | None:
        """The first cell that is neither a number nor a gap; None if there is none."""
        gaps = self.gaps
        return next((cell for word, cell in self.words.items() if word not in gaps), None)

    @property
    def gaps(self) -> list[str]:
        """The words that stand for a missing number: those without a digit, where nearly all cells are numbers."""
        nearly_all = self.count > NEARLY_ALL * (self.count + self.texts) and len(self.words) < MOST_WORDS
        return [word for word in self.words if nearly_all and (word.startswith("#") or not re.search(r"\d", word))]

    def numbers(self) -> np.ndarray:
        """Return the numbers, NaN where there is none."""
        return np.concatenate(self._blocks)


def _first_number(
    rows: Sequence[int], cells: Sequence[str], values: np.ndarray, fits: Callable[[str], bool]
) -> Cell | None:
    found = zip(rows, cells, values, strict=True)
    return next(((row, cell) for row, cell, value in found if value == value and fits(cell)), None)


def _fill(columns: list[_Column], records: Iterator[Record], notes: list[str]) -> np.ndarray:
    """Read all rows of the right width into the columns and return their numbers."""
    width = len(columns)
    kept: list[int] = []
    ragged: list[int] = []
    while block := list(islice(records, BLOCK)):
        rows: list[int] = []
        fitting: list[list[str]] = []
        for row, cells in block:
            while len(cells) > width and not cells[-1]:
                cells.pop()
            if len(cells) == width:
                rows.append(row)
                fitting.append(cells)
            else:
                ragged.append(row)
        kept += rows
        if (len(kept) + len(ragged)) * width > MOST_CELLS:
            raise _too_many(f"Up to row {block[-1][0]}")
        if fitting:
            for column, across in zip(columns, zip(*fitting, strict=True), strict=True):
                column.extend(rows, across)
    if len(ragged) > len(kept):
        raise OwnDataError(
            f"{counted(len(ragged), 'row')} {have(len(ragged))} more or fewer cells than the {width} of the first "
            f"row: {rows_named(ragged)}. Delete the lines above the column names; where numbers have decimal commas, "
            "separate the cells by semicolons."
        )
    if ragged:
        notes.append(
            f"{counted(len(ragged), 'row')} {be(len(ragged))} left out for having more or fewer cells than the "
            f"{width} of the first row: {rows_named(ragged)}."
        )
    return np.array(kept, np.int64)


def _too_many(where: str) -> OwnDataError:
    return OwnDataError(
        f"{where} the file has more than {MOST_CELLS:,} cells, which is too much to read. Keep the columns and rows "
        "that you need."
    )


def _usable(columns: list[_Column], names: list[str], notes: list[str]) -> list[int]:
    """Return the places of the columns of numbers, and note why the others are none."""
    usable: list[int] = []
    texts: list[str] = []
    few: list[str] = []
    faults: list[str] = []
    example: Cell | None = None
    for place, (column, name) in enumerate(zip(columns, names, strict=True)):
        if column.texts > column.count:
            texts.append(name)
            example = example or column.text
        elif fault := _fault(column, name):
            faults.append(fault)
        elif column.count < LEAST_POINTS:
            few.append(name)
        else:
            usable.append(place)
    reasons = faults[:NAMED]
    if len(faults) > NAMED:
        reasons.append(f"The same is true of {counted(len(faults) - NAMED, 'more column')}.")
    if example:
        row, cell = example
        reasons.append(
            f"{quoted(texts)} {have(len(texts))} text in most rows, such as {quoted([cell])} in row {row}, and cannot "
            "be used."
        )
    if few:
        reasons.append(f"{quoted(few)} {have(len(few))} fewer than {LEAST_POINTS} numbers and cannot be used.")
    if not usable:
        raise OwnDataError(
            f"There is no column of numbers alone. {' '.join(reasons)} Separate the cells by commas, semicolons or "
            "tabs; write numbers as 1.5, or between semicolons or tabs as 1,5; leave cells without a number empty."
        )
    notes += reasons
    for place in usable:
        notes += _gaps_of(columns[place], names[place])
    if sign := next((columns[place].percent for place in usable if columns[place].percent), None):
        notes.append(f"Per cent signs were left out: {quoted([sign[1]])} in row {sign[0]}, for example.")
    if comma := next((columns[place].comma for place in usable if columns[place].comma), None):
        notes.append(f"Commas were read as decimal commas: {quoted([comma[1]])} in row {comma[0]}, for example.")
    return usable


def _fault(column: _Column, name: str) -> str:
    """Say what keeps a column from being one of numbers, with the place and what to do; nothing if nothing does."""
    if column.text:
        row, cell = column.text
        others = f", and {counted(column.texts - 1, 'other row')} likewise" if column.texts > 1 else ""
        return (
            f"{quoted([name])} cannot be used: row {row} says {quoted([cell])}, which is not a number{others}. "
            "Correct this or empty the cell, and load the file again."
        )
    if column.percent and column.bare:
        return (
            f"{quoted([name])} cannot be used: row {column.percent[0]} has a per cent sign "
            f"({quoted([column.percent[1]])}) and row {column.bare[0]} none ({quoted([column.bare[1]])}). Write all "
            "numbers in one way."
        )
    if column.comma and column.point:
        return (
            f"{quoted([name])} cannot be used: row {column.comma[0]} has a comma ({quoted([column.comma[1]])}) and "
            f"row {column.point[0]} a point ({quoted([column.point[1]])}). Write all numbers in one way, without a "
            "mark between thousands."
        )
    return ""


def _gaps_of(column: _Column, name: str) -> list[str]:
    """Say which words of a column of numbers were taken for missing numbers."""
    if not column.gaps:
        return []
    first = min(column.words[word][0] for word in column.gaps)
    return [
        f"{quoted(column.gaps)} in {quoted([name])} {be(len(column.gaps))} read as missing: "
        f"{counted(column.texts, 'cell')}, the first in row {first}."
    ]


def _standardised(values: np.ndarray, name: str) -> tuple[np.ndarray, Column]:
    """Bring a column to mean 0 and standard deviation 1, by way of [0, 1] so that nothing overflows or vanishes."""
    least = values.min()
    shifted = values - least
    if not shifted.any():
        raise OwnDataError(
            f"{quoted([name])} is {values[0]:g} in every row that can be used, so it cannot be standardised. "
            "Choose another column, or leave the columns as they are."
        )
    span = shifted.max()
    shifted /= span
    mean, deviation = shifted.mean(), shifted.std()
    scale = max(float(span * deviation), LEAST_SCALE)
    return (shifted - mean) / deviation, Column(name, float(least + span * mean), scale)
