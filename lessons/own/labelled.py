"""Points of two classes: two columns of a file, standardised, and one of labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lessons.data.columns import AXES, REACH, Column
from lessons.data.csv_table import table_of
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import be, counted, quoted, rows_named
from lessons.data.sheet import Sheet
from lessons.data.sheet_column import SheetColumn
from lessons.own.taking import Choice, Part, Taken, Taking, there

MOST_POINTS = 500


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """Points of two classes."""

    # points, labels: shapes (N, 2) and (N,), labels 0 or 1
    points: np.ndarray
    labels: np.ndarray
    columns: tuple[Column, Column] = AXES  # of the points


def labelled(sheet: Sheet, x: str, y: str, label: str) -> Taken[OwnPoints]:
    """Return two columns as points, standardised and no farther out than the plane, and one of two values as labels.

    Raises
    ------
    OwnDataError
        If columns are the same, the label has not two values, or a feature has only one.
    """
    if len({x, y, label}) < 3:
        raise OwnDataError("Choose three different columns.")
    table = table_of(sheet)
    there((x, y), table.columns, table.notes)
    notes = [note for note in table.notes if quoted([label]) not in note]
    classes = _classes(sheet.column(label))
    rows = table.rows[:, [table.columns.index(name) for name in (x, y)]]
    labels = sheet.column(label).places(classes)
    there_are = np.isfinite(rows).all(axis=1) & (labels >= 0)
    if left_out := table.row_numbers[~there_are].tolist():
        notes.append(
            f"{counted(len(left_out), 'row')} {be(len(left_out))} left out, because one of the three columns has no "
            f"value there: {rows_named(left_out)}."
        )
    rows, labels, numbers = rows[there_are], labels[there_are], table.row_numbers[there_are]
    for column, name in enumerate((x, y)):
        if len(rows) < 2 or np.ptp(rows[:, column]) == 0:
            raise OwnDataError(f"“{name}” never changes (rows without gaps: {len(rows):,}); choose another column.")
    means, deviations = rows.mean(axis=0), rows.std(axis=0)
    points = (rows - means) / deviations
    if len(points) > MOST_POINTS:  # drawn at random, the same every time
        notes.append(f"{len(points):,} rows can be used; {MOST_POINTS} of them are kept, drawn at random.")
        kept = np.sort(np.random.default_rng(0).choice(len(points), MOST_POINTS, replace=False))
        points, labels, numbers = points[kept], labels[kept], numbers[kept]
    far = (np.abs(points) > REACH).any(axis=1)
    if far.any():
        said = rows_named(numbers[far].tolist())
        notes.append(f"{counted(int(far.sum()), 'point')} farther out than the picture: moved to its rim, {said}.")
    first, second = map(Column, (x, y), means.tolist(), deviations.tolist())
    made = OwnPoints(np.clip(points, np.negative(REACH), REACH), labels, (first, second))
    ones = f"{int(labels.sum())} of them of class {classes[-1]}"
    named = [] if classes[-1] in ("0", "1") else [f"Class 0 is {quoted(classes[:1])}, class 1 {quoted(classes[1:])}."]
    return Taken(made, (f"{len(points)} points, {ones}.", *named, *notes))


def _classes(column: SheetColumn) -> list[str]:
    """Return the two values of a label; one is class 1 if it is not nothing, for all may be of it."""
    values = [value for value in column.levels if value]
    if len(values) > 2:
        said = f"The label “{column.name}” has {len(values):,} values; two are needed, such as 0 and 1."
        there = f"There are {quoted(values)}: write what means the same in one way."
        raise OwnDataError(f"{said} {there} {column.judged.fault}".rstrip())
    if not values:
        raise OwnDataError(f"The label “{column.name}” is empty. Choose another column.")
    return values if len(values) > 1 else ["0", "1"] if values[0] in ("0", "1") else ["", *values]


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    chosen = (*choice.columns, *filter(None, [choice.label]))
    table = table_of(sheet)
    there(choice.columns, table.columns, table.notes)
    there(filter(None, [choice.label]), sheet.names, table.notes)
    label = choice.label or _likely_label(sheet, chosen)
    columns = choice.columns or tuple(name for name in table.likely if name != label)[:2]
    if not choice.columns and len(columns) < 2:
        raise OwnDataError(
            f"Columns of numbers: {len(table.likely)}; three are needed, two features and a label of two values. "
            f"{' '.join(table.notes)}".rstrip()
        )
    if len(columns) != 2:
        raise OwnDataError(f"Two columns are features, and {len(columns)} are named.")
    return {columns[0]: "x", columns[1]: "y", label: "label"}


def _likely_label(sheet: Sheet, taken: Sequence[str]) -> str:
    """Return the last column of two values, else the last one that is not taken."""
    rest = [each for each in sheet.columns if each.name not in taken and each.kind != "empty"]
    two = [each for each in rest if each.varied(2) == 2]
    last = [each for each in rest if each.kind not in ("text", "running number") or each.judged.fault]
    return (two or last or rest or sheet.columns)[-1].name


def _make(sheet: Sheet, choice: Choice) -> Taken[OwnPoints]:
    return labelled(sheet, *_guess(sheet, choice))


NONE = OwnPoints(np.empty((0, 2)), np.empty(0, int))
PARTS: dict[Part, int] = {"x": 1, "y": 1, "label": 1}
TWO_CLASSES = Taking(OwnPoints, ("columns", "label"), PARTS, _guess, _make, none=NONE)
