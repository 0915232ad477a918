"""Read a learner's own CSV into columns of numbers; each column or row that is none is reported in a sentence.

Every message is plain text that may quote the file: escape it before it is shown as Markdown. Rows are numbered as a
spreadsheet shows them: from 1, with the header and with empty rows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.data.columns import Column
from lessons.data.csv_text import OwnDataError
from lessons.data.layout import AS_GUESSED, How
from lessons.data.numbers import LARGEST_NUMBER
from lessons.data.phrases import NAMED, be, counted, have, quoted, rows_named
from lessons.data.sheet import Sheet, naming, read_sheet, signs_of
from lessons.data.sheet_column import SheetColumn

LEAST_POINTS = 3
LEAST_SCALE = 1e-300  # of a column; what is smaller could vanish


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of a file that hold numbers."""

    # their names, no two alike: plain text of at most about 60 characters, whatever it looks like
    columns: tuple[str, ...]
    rows: np.ndarray  # shape (rows, columns), read-only: finite numbers, and NaN where the file has none
    row_numbers: np.ndarray  # number of each row in the file, shape (rows,), read-only
    notes: tuple[str, ...]  # what was left out, or read in a way that might surprise, and why
    idle: tuple[str, ...] = ()  # the columns that only count the rows, or never change

    @property
    def likely(self) -> tuple[str, ...]:
        """The columns to begin with: those that are not idle, if there are any."""
        return tuple(name for name in self.columns if name not in self.idle) or self.columns

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


def read_csv(raw: bytes, name: str, how: How = AS_GUESSED) -> Table:
    """Read the columns of numbers from a file; arguments and errors as for `lessons.data.sheet.read_sheet`.

    Returns
    -------
    Table
        With one column or more, and three rows or more.
    """
    return table_of(read_sheet(raw, name, how))


def table_of(sheet: Sheet) -> Table:
    """Return the columns of numbers of a sheet.

    Raises
    ------
    OwnDataError
        If there are none, or fewer than three rows.
    """
    with naming(sheet.name):
        if sheet.rows < LEAST_POINTS:
            place = "below the column names" if sheet.how.header else "in the file"
            raise OwnDataError(
                f"There {be(sheet.rows)} {counted(sheet.rows, 'row')} of numbers {place}, and at least {LEAST_POINTS} "
                "are needed. Add rows."
            )
        notes = list(sheet.notes)
        usable = _usable(sheet, notes)
        rows = np.column_stack([column.values for column in usable])
    rows.flags.writeable = False
    return Table(tuple(column.name for column in usable), rows, sheet.row_numbers, tuple(notes), _idle(usable))


def _usable(sheet: Sheet, notes: list[str]) -> list[SheetColumn]:
    """Return the columns of numbers, and note why the others are none."""
    usable: list[SheetColumn] = []
    texts: list[SheetColumn] = []
    few: list[str] = []
    faults: list[str] = []
    for column in sheet.columns:
        if column.judged.unclear or column.why == column.judged.fault:
            faults.append(column.judged.fault)
        elif column.judged.code and column.why == column.judged.code:
            faults.append(
                f"{quoted([column.name])} is not used as numbers: {column.judged.code}. If they are amounts, choose "
                "“number” as its type."
            )
        elif column.kind in ("category", "text"):
            texts.append(column)
        elif int(np.isfinite(column.values).sum()) < LEAST_POINTS:
            few += [column.name] * (column.kind != "empty")
        else:
            usable.append(column)
    reasons = faults[:NAMED]
    if len(faults) > NAMED:
        reasons.append(f"The same is true of {counted(len(faults) - NAMED, 'more column')}.")
    reasons += _of_texts(sheet, texts)
    if few:
        reasons.append(f"{quoted(few)} {have(len(few))} fewer than {LEAST_POINTS} numbers and cannot be used.")
    if not usable:
        raise OwnDataError(
            f"There is no column of numbers alone. {' '.join(reasons)} Separate the cells by commas, semicolons or "
            "tabs; write numbers as 1.5, or between semicolons or tabs as 1,5; leave cells without a number empty."
        )
    notes += reasons
    for column in usable:
        notes += column.judged.notes
    notes += signs_of(usable, sheet)
    if (idle := _idle(usable)) and len(idle) < len(usable):
        says = "says" if len(idle) == 1 else "say"
        notes.append(
            f"{quoted(idle)} {says} nothing but the number of the row, or the same in each: not used at first."
        )
    return usable


def _idle(columns: Sequence[SheetColumn]) -> tuple[str, ...]:
    """Return the columns that only count the rows, or never change."""
    constant = [each.name for each in columns if np.nanmin(each.values) == np.nanmax(each.values)]
    return tuple(each.name for each in columns if each.kind == "running number" or each.name in constant)


def _of_texts(sheet: Sheet, texts: list[SheetColumn]) -> list[str]:
    """Say which columns have text, with an example."""
    found = [column.judged.text for column in texts if column.judged.text]
    if not found:
        return []
    example = next((cell for cell in found if re.search(r"\d", cell[1])), found[0])  # it was meant as a number, perhaps
    row, cell = sheet.row_numbers[example[0]], example[1]
    names = [column.name for column in texts]
    said = f"{quoted(names)} {have(len(names))} text in most rows, such as {quoted([cell])} in row {row}"
    remedy = " Numbers are written as 1150.5, without other signs." if re.search(r"\d", cell) else ""
    return [f"{said}, and cannot be used.{remedy}"]


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
