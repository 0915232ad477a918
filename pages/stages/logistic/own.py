"""The learner's own points: from a CSV file, or made by clicking on the plane."""

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from lessons.data.columns import AXES, Column
from lessons.data.csv_table import Table, check_file, read_csv
from lessons.data.csv_text import OwnDataError
from lessons.stages.logistic import MOST_POINTS
from pages.contract.events import Touch
from pages.drawing.plane import REACH
from pages.shell.uploads import Upload


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """Points that the learner uploaded or made.

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


def edited(old: OwnPoints, pointer: str, touch: Touch) -> OwnPoints:
    """Return the points after the pointer did something to them; the same ones if it hit nothing."""
    at = np.array([touch.x, touch.y]).round(2)
    if pointer.startswith("add"):
        if len(old.points) >= MOST_POINTS:
            return old
        return replace(old, points=np.vstack([old.points, at]), labels=np.append(old.labels, int(pointer[-1])))
    if touch.row is None or not 0 <= touch.row < len(old.points):
        return old
    points, labels = old.points.copy(), old.labels.copy()
    if pointer == "remove":
        return replace(old, points=np.delete(points, touch.row, axis=0), labels=np.delete(labels, touch.row))
    if pointer == "relabel":
        labels[touch.row] = 1 - labels[touch.row]
    else:
        points[touch.row] = at
    return replace(old, points=points, labels=labels)


def _choose(table: Table) -> tuple[tuple[object, ...], OwnPoints, str]:
    columns = list(table.columns)
    if len(columns) < 3:
        raise OwnDataError(
            f"Columns of numbers: {len(columns)}; three are needed, two features and a label. If the classes are "
            "words, write 0 and 1 in their place."
        )
    first, second, third = st.columns(3)
    x = first.selectbox("First feature", columns, 0, key="own x")
    y = second.selectbox("Second feature", columns, 1, key="own y")
    label = third.selectbox("Label", columns, len(columns) - 1, key="own label")
    found = labelled(table, x, y, label)
    said = (
        f"{len(found.points)} points. Axes keep the file’s units; a weight is for one standard deviation of a feature."
    )
    return (x, y, label), found, said


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


UPLOAD = Upload(
    OwnPoints,
    ("CSV file", "own labelled file", "Two features, and a column of 0 and 1."),
    (check_file, read_csv),
    _choose,
    idle="Or make points of your own: choose what pressing does, and press on the plane.",
    none=OwnPoints(np.empty((0, 2)), np.empty(0, int)),
    remove="Remove all points",
)
