"""Rows of numbers from a file, each drawn as a picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.data.csv_table import Table, table_of
from lessons.data.sheet import Sheet
from lessons.own.taking import Choice, Part, Taken, Taking, there
from samplers.data.features import MOST_ROWS

MOST_COLUMNS = 36


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of numbers, and how they are drawn."""

    data: np.ndarray  # shape (N, D)
    tile: tuple[int, int]  # rows and columns in which the D numbers of a row are drawn
    names: tuple[str, ...]  # of the rows
    # one, many: what a row is called
    one: str
    many: str
    columns: tuple[str, ...] = ()  # names of the D numbers; none of pixels

    @property
    def named(self) -> bool:
        """Whether rows or numbers have names, so that a picture of the numbers says little."""
        return bool(self.columns) or self.many == "tests"


def rows_of(table: Table, columns: Sequence[str], *, standardise: bool) -> Taken[Rows]:
    """Return columns as rows of numbers; see `Table.points` for what this raises."""
    data, _, notes = table.points(columns, standardise, MOST_ROWS, MOST_COLUMNS)
    return Taken(drawn(data, tuple(columns)), (f"{len(data)} rows.", *table.notes, *notes))


def drawn(data: np.ndarray, columns: tuple[str, ...]) -> Rows:
    """Return rows of a file as pictures, about as wide as they are high; one line, if there are few columns."""
    size = data.shape[1]
    wide = size if size <= 4 else math.ceil(math.sqrt(size))
    names = tuple(str(number + 1) for number in range(len(data)))
    return Rows(data, (math.ceil(size / wide), wide), names, "row", "rows", columns)


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    table = table_of(sheet)
    there(choice.columns, table.columns, table.notes)
    return dict.fromkeys(choice.columns or table.likely[:MOST_COLUMNS], "feature")


def _make(sheet: Sheet, choice: Choice) -> Taken[Rows]:
    table = table_of(sheet)
    return rows_of(table, tuple(_guess(sheet, choice)), standardise=choice.standardise)


IN_ROWS = Taking(Rows, ("columns", "standardise"), {"feature": MOST_COLUMNS}, _guess, _make)
