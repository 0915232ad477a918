"""Points from one or two columns of a file, standardised or not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.data.columns import Column
from lessons.data.csv_table import Table, table_of
from lessons.data.csv_text import OwnDataError
from lessons.data.sheet import Sheet
from lessons.own.taking import Choice, Part, Taken, Taking, there

MOST_POINTS = 500
PLANE = 2  # columns


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """Points, and the columns that they come from."""

    data: np.ndarray  # shape (N, 1) or (N, 2)
    columns: tuple[Column, ...]  # their names, and what brings the points back to the file's own units


def points_of(table: Table, columns: Sequence[str], *, standardise: bool) -> Taken[OwnPoints]:
    """Return one or two columns as points; see `Table.points` for what this raises."""
    data, named, notes = table.points(columns, standardise, MOST_POINTS, PLANE)
    return Taken(OwnPoints(data, named), (f"{len(data)} points.", *table.notes, *notes))


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    table = table_of(sheet)
    there(choice.columns, table.columns, table.notes)
    return dict(zip(choice.columns or table.likely, ("x", "y"), strict=False))


def _make(sheet: Sheet, choice: Choice) -> Taken[OwnPoints]:
    table = table_of(sheet)
    there(choice.columns, table.columns, table.notes)
    return points_of(table, choice.columns or table.likely[:PLANE], standardise=choice.standardise)


def _make_two(sheet: Sheet, choice: Choice) -> Taken[OwnPoints]:
    taken = _make(sheet, choice)
    if taken.data.data.shape[1] < PLANE:
        raise OwnDataError("This topic shows points in a plane: two columns of numbers are needed.")
    return taken


ON_A_LINE_OR_PLANE = Taking(OwnPoints, ("columns", "standardise"), {"x": 1, "y": 1}, _guess, _make)
IN_A_PLANE = Taking(OwnPoints, ("columns", "standardise"), {"x": 1, "y": 1}, _guess, _make_two)
