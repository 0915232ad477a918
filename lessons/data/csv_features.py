"""The columns of a sheet as features of different types and a class, with cells that are missing.

Every message is plain text that may quote the file: escape it before it is shown as Markdown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lessons.data.columns import Column
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import be, counted, quoted, rows_named
from lessons.data.sheet import CHOSEN, FEW, Sheet, naming, signs_of
from lessons.data.sheet_column import SheetColumn
from samplers.generative.features import Feature
from samplers.mixtures.labels import HIDDEN

Kind = Literal["number", "category"]
MOST_LEVELS = 6
CLASSES = (2, 3)
LEAST_ROWS = 2


@dataclass(frozen=True, eq=False)
class Typed:
    """Features and classes of rows."""

    # numbers are brought to mean 0 and standard deviation 1, a category is its place among the levels, and NaN is
    # missing, shape (N, features)
    values: np.ndarray
    labels: np.ndarray  # class of each, -1 where it is missing, shape (N,)
    features: tuple[Feature, ...]  # in the order of the values
    classes: tuple[str, ...]  # their names
    columns: tuple[Column, ...]  # what brings the values of each feature back to its own units


def check_shape(sheet: Sheet) -> None:
    """Raise an `OwnDataError` if a sheet has no two columns, or no two rows."""
    with naming(sheet.name):
        if len(sheet.columns) < 2:
            raise OwnDataError(
                f"There is {counted(len(sheet.columns), 'column')}; at least 2 columns are needed, a feature and a "
                "class."
            )
        if sheet.rows < LEAST_ROWS:
            there = f"There {be(sheet.rows)} {counted(sheet.rows, 'row')}"
            raise OwnDataError(f"{there} of {len(sheet.columns)} cells, and at least {LEAST_ROWS} are needed.")


def likely_label(sheet: Sheet) -> str:
    """Return the column that is most likely the class: the last one with two or three different values."""
    found = [
        each.name for each in sheet.columns if each.varied(max(CLASSES)) in CLASSES and each.kind != "running number"
    ]
    return found[-1] if found else sheet.names[-1]


def likely_features(sheet: Sheet, label: str) -> tuple[str, ...]:
    """Return the other columns that can be features, without those that only count the rows, if there are any."""
    others = [each for each in sheet.columns if each.name != label and each.kind != "empty"]
    able = [each.name for each in others if each.kind != "running number" and _is_able(each)]
    return tuple(able) or tuple(each.name for each in others)


def _is_able(column: SheetColumn) -> bool:
    return kind_of(column) == "number" or 1 < column.varied(MOST_LEVELS) <= MOST_LEVELS


def kind_of(column: SheetColumn) -> Kind:
    """Return as what a column is used: as numbers if it has many different ones, unless it was said."""
    if column.why == CHOSEN:
        return "number" if column.kind in ("number", "running number") else "category"
    return "number" if column.judged.all_numbers and not column.judged.code and column.varied(FEW) > FEW else "category"


def typed(sheet: Sheet, kinds: Mapping[str, Kind], label: str, most: int) -> tuple[Typed, tuple[str, ...]]:
    """Return columns as features of these types, another one as the class, and notes.

    Parameters
    ----------
    sheet : Sheet
        What the file holds.
    kinds : mapping of str to str
        The features' columns, and of which type each is.
    label : str
        The column of the class.
    most : int
        If there are more rows, this number is drawn at random, the same ones every time, in file order.

    Raises
    ------
    OwnDataError
        If a choice cannot be used.
    """
    check_shape(sheet)
    classes = sheet.column(label).levels
    if len(classes) not in CLASSES:
        there = f" There {be(len(classes))} {quoted(classes)}: write what means the same in one way." if classes else ""
        raise OwnDataError(
            f"The class {quoted([label])} has {counted(len(classes), 'different value')}; two or three are needed."
            f"{there} Or choose another column."
        )
    columns = [sheet.column(name) for name in kinds]
    notes = [*sheet.notes, *(note for column in columns for note in column.judged.notes)]
    notes += signs_of([column for column in columns if kinds[column.name] == "number"], sheet)
    parts = [_feature(sheet.column(name), kind, notes) for name, kind in kinds.items()]
    values = np.column_stack([values for _, values, _ in parts])
    labels = sheet.column(label).places(classes)
    hidden, gaps = np.flatnonzero(labels == HIDDEN), np.isnan(values)
    if hidden.size:
        notes.append(f"{counted(hidden.size, 'label')} missing: hidden, in {_rows(sheet, hidden)}.")
    if gaps.any():
        where = _rows(sheet, np.flatnonzero(gaps.any(axis=1)))
        notes.append(f"{counted(int(gaps.sum()), 'cell')} missing: left out of the product, in {where}.")
    if len(labels) > most:
        notes.append(f"Of {len(labels):,} rows {most:,} are kept, drawn at random, the same every time.")
        kept = np.sort(np.random.default_rng(0).choice(len(labels), most, replace=False))
        values, labels = values[kept], labels[kept]
    features, units = tuple(feature for feature, _, _ in parts), tuple(column for _, _, column in parts)
    return Typed(values, labels, features, tuple(classes), units), tuple(notes)


def _rows(sheet: Sheet, places: np.ndarray) -> str:
    return rows_named(sheet.row_numbers[places].tolist())


def _feature(column: SheetColumn, kind: Kind, notes: list[str]) -> tuple[Feature, np.ndarray, Column]:
    name = column.name
    if kind == "category":
        levels = column.levels
        if not 1 < len(levels) <= MOST_LEVELS:
            raise OwnDataError(
                f"{quoted([name])} has {counted(len(levels), 'different value')}; a category needs 2 to {MOST_LEVELS}. "
                "Treat it as a number, or leave it out."
            )
        places = column.places(levels)
        return Feature(name, tuple(levels)), np.where(places < 0, np.nan, places), Column(name)
    if column.judged.unclear:
        raise OwnDataError(column.judged.unclear)
    values = column.values
    texts = column.judged.words
    if texts:
        notes.append(
            f"{quoted([name])}: {counted(texts, 'cell')} without a number, such as {quoted([column.judged.example])}: "
            "treated as missing."
        )
    there = values[~np.isnan(values)]
    if not there.size:
        raise OwnDataError(f"{quoted([name])} has no number in any row. Treat it as a category, or leave it out.")
    spread = float(there.std())
    if spread <= 1e-12 * float(np.abs(there).max()):
        notes.append(f"{quoted([name])} never changes, so it says nothing about the class.")
        return Feature(name), values * 0, Column(name, float(there.mean()))
    return Feature(name), (values - there.mean()) / spread, Column(name, float(there.mean()), spread)
