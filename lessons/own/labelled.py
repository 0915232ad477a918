"""Points of two classes: two columns of a file, standardised, and one of labels."""

from dataclasses import dataclass

import numpy as np

from lessons.data.columns import AXES, REACH, Column
from lessons.data.csv_table import Table, check_file, read_csv
from lessons.data.csv_text import OwnDataError
from lessons.own.taking import Choice, Taken, Taking, columns_of, there

MOST_POINTS = 500


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """Points of two classes.

    Attributes
    ----------
    points, labels : numpy.ndarray
        Shapes (N, 2) and (N,), labels 0 or 1.
    columns : (Column, Column)
        Of the points.
    """

    points: np.ndarray
    labels: np.ndarray
    columns: tuple[Column, Column] = AXES


def labelled(table: Table, x: str, y: str, label: str) -> OwnPoints:
    """Return two columns as points, standardised and no farther out than the plane, and one as labels.

    Raises
    ------
    OwnDataError
        If columns are the same, the label has more than two values, or a feature has only one.
    """
    if len({x, y, label}) < 3:
        raise OwnDataError("Choose three different columns.")
    rows = table.rows[:, [table.columns.index(name) for name in (x, y, label)]]
    rows = rows[np.isfinite(rows).all(axis=1)]
    values = np.unique(rows[:, 2])
    if len(values) > 2:
        raise OwnDataError(f"The label “{label}” has {len(values):,} values; two are needed, such as 0 and 1.")
    for column, name in enumerate((x, y)):
        if len(rows) < 2 or np.ptp(rows[:, column]) == 0:
            raise OwnDataError(f"“{name}” never changes (rows without gaps: {len(rows):,}); choose another column.")
    means, deviations = rows[:, :2].mean(axis=0), rows[:, :2].std(axis=0)
    rows[:, :2] = (rows[:, :2] - means) / deviations
    if len(rows) > MOST_POINTS:  # drawn at random, the same every time
        rows = rows[np.sort(np.random.default_rng(0).choice(len(rows), MOST_POINTS, replace=False))]
    points = np.clip(rows[:, :2], np.negative(REACH), REACH)
    first, second = map(Column, (x, y), means.tolist(), deviations.tolist())
    return OwnPoints(points, (rows[:, 2] > (values[0] if len(values) > 1 else 0)).astype(int), (first, second))


def three_columns(table: Table) -> tuple[str, ...]:
    """Return the columns of a table, of which there must be three.

    Raises
    ------
    OwnDataError
        If there are fewer.
    """
    if len(table.columns) < 3:
        raise OwnDataError(
            f"Columns of numbers: {len(table.columns)}; three are needed, two features and a label. If the classes are "
            "words, write 0 and 1 in their place."
        )
    return table.columns


def _take(content: bytes, name: str, choice: Choice) -> Taken[OwnPoints]:
    table = read_csv(content, name)
    there((*choice.columns, *filter(None, [choice.label])), table.columns, table.notes)
    known = three_columns(table)
    label = choice.label or next(each for each in reversed(known) if each not in choice.columns)
    columns = choice.columns or tuple(each for each in known if each != label)[:2]
    if len(columns) != 2:
        raise OwnDataError(f"Two columns are features, and {len(columns)} are named.")
    found = labelled(table, *columns, label)
    counted = f"{len(found.points)} points, {int(found.labels.sum())} of them of class 1."
    return Taken(found, (counted, *table.notes))


NONE = OwnPoints(np.empty((0, 2)), np.empty(0, int))
TWO_CLASSES = Taking(OwnPoints, ("columns", "label"), _take, columns_of, check_file, NONE)
