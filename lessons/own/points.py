"""Points from one or two columns of a file, standardised or not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.data.columns import Column
from lessons.data.csv_table import Table, check_file, read_csv
from lessons.data.csv_text import OwnDataError
from lessons.own.taking import Choice, Taken, Taking, columns_of, there

MOST_POINTS = 500
PLANE = 2  # columns


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """Points, and the columns that they come from.

    Attributes
    ----------
    data : numpy.ndarray
        Shape (N, 1) or (N, 2).
    columns : tuple of Column
        Their names, and what brings the points back to the file's own units.
    """

    data: np.ndarray
    columns: tuple[Column, ...]


def points_of(table: Table, columns: Sequence[str], *, standardise: bool) -> Taken[OwnPoints]:
    """Return one or two columns as points; see `Table.points` for what this raises."""
    data, named, notes = table.points(columns, standardise, MOST_POINTS, PLANE)
    return Taken(OwnPoints(data, named), (f"{len(data)} points.", *table.notes, *notes))


def _take(content: bytes, name: str, choice: Choice) -> Taken[OwnPoints]:
    table = read_csv(content, name)
    there(choice.columns, table.columns, table.notes)
    return points_of(table, choice.columns or table.columns[:PLANE], standardise=choice.standardise)


def _take_two(content: bytes, name: str, choice: Choice) -> Taken[OwnPoints]:
    taken = _take(content, name, choice)
    if taken.data.data.shape[1] < PLANE:
        raise OwnDataError("This topic shows points in a plane: two columns of numbers are needed.")
    return taken


ON_A_LINE_OR_PLANE = Taking(OwnPoints, ("columns", "standardise"), _take, columns_of, check_file)
IN_A_PLANE = Taking(OwnPoints, ("columns", "standardise"), _take_two, columns_of, check_file)
