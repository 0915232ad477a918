"""Sentences on the rows of a file: those that were left out, and those that sum the others up."""

import re
from collections.abc import Sequence

import numpy as np

from lessons.data.gathered import Gathered
from lessons.data.layout import Layout
from lessons.data.phrases import be, counted, quoted, rows_named

_SUM = re.compile(r"(grand |sub)?totals?|sum|all|mean|average|insgesamt|gesamt|summe|ensemble|overall", re.IGNORECASE)


def said_of_rows(layout: Layout, ragged: Sequence[int]) -> list[str]:
    """Say which rows were left out, above the table or for their number of cells."""
    notes = []
    if layout.above:
        notes.append(f"{rows_named(layout.above).capitalize()} above the table {be(len(layout.above))} left out.")
    if ragged:
        first = "first row" if layout.header is None else "column names"
        notes.append(
            f"{counted(len(ragged), 'row')} {be(len(ragged))} left out for having more or fewer cells than the "
            f"{layout.width} of the {first}: {rows_named(ragged)}."
        )
    return notes


def said_of_sums(columns: Sequence[Gathered], rows: np.ndarray) -> list[str]:
    """Say which of the last rows are named as a sum of the others."""
    for column in columns:
        if column.other > column.count and (sums := [word for word in column.last if _SUM.fullmatch(word)]):
            row = rows[column.last.index(sums[0]) - len(column.last)]
            return [f"{quoted(sums)} in row {row} is read as any other row: leave it out if it sums the others up."]
    return []
