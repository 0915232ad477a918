"""A series from a column of a file, scaled to the means of the states."""

from dataclasses import dataclass

import numpy as np

from lessons.data.csv_table import Table, table_of
from lessons.data.csv_text import OwnDataError
from lessons.data.sheet import Sheet
from lessons.own.taking import Choice, Part, Taken, Taking, there
from samplers.data.hours import MOST_HOURS, centres

LOW, HIGH = 0.1, 0.9  # the quantiles that get the means of the first and the last state
STATES = 3
MOSTLY = 0.75  # of the steps from row to row: if these are alike, the column tells the time


@dataclass(frozen=True, eq=False)
class OwnSeries:
    """A series, scaled, shape (T,)."""

    values: np.ndarray


def series_of(table: Table, column: str) -> Taken[OwnSeries]:
    """Return a column as a series, its rows being steps in time.

    Raises
    ------
    OwnDataError
        As `Table.points`, or if nearly all values are the same.
    """
    found, _, notes = table.points([column], False, len(table.rows))
    values = found[:MOST_HOURS, 0]
    low, high = np.quantile(values, [LOW, HIGH]).tolist()
    if high <= low:
        raise OwnDataError(f"Nearly all values of {column} are the same. Choose a column that varies.")
    top = float(centres(STATES)[-1])
    series = OwnSeries(np.round((values - low) * top / (high - low), 4))
    first = [f"The first {MOST_HOURS} of {len(found):,} are used."] if len(found) > MOST_HOURS else []
    scaled = f"They are scaled: {low:.4g} becomes 0 and {high:.4g} becomes {top:g}."
    return Taken(series, (f"{len(values)} values.", *first, scaled, *table.notes, *notes))


def _likely(table: Table) -> str:
    """Return the first column that does not tell the time, as years and months do; else the least even one."""
    return min(table.likely, key=lambda name: _tells_time(table.rows[:, table.columns.index(name)]))


def _tells_time(values: np.ndarray) -> float:
    """Return the share of the steps that are alike, if this or that all go up speaks for a time; else 0."""
    steps = np.diff(values[np.isfinite(values)])
    alike = float(np.unique(np.round(steps, 9), return_counts=True)[1].max() / steps.size)
    return alike if alike >= MOSTLY or (steps > 0).all() else 0.0


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    table = table_of(sheet)
    there(choice.columns, table.columns, table.notes)
    if len(choice.columns) > 1:
        raise OwnDataError(f"A series is one column, and {len(choice.columns)} are named.")
    return {choice.columns[0] if choice.columns else _likely(table): "y"}


def _make(sheet: Sheet, choice: Choice) -> Taken[OwnSeries]:
    (column,) = _guess(sheet, choice)
    return series_of(table_of(sheet), column)


IN_TIME = Taking(OwnSeries, ("columns",), {"y": 1}, _guess, _make)
