"""Read a learner's own CSV as features of different types and a class, with cells that are missing.

Every message is plain text that may quote the file: escape it before it is shown as Markdown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Literal

import numpy as np

from lessons.data.columns import Column
from lessons.data.csv_table import MOST_CELLS, MOST_COLUMNS, has_header, names_of, naming
from lessons.data.csv_text import HEAD, MISSING, OwnDataError, decoded, is_number, records_of, separator_of, value_of
from lessons.data.phrases import counted, quoted
from samplers.generative.features import Feature
from samplers.mixtures.labels import HIDDEN

Kind = Literal["number", "category"]
MOST_LEVELS = 6
CLASSES = (2, 3)
FEW = 5  # different numbers: up to this many may be categories
LEAST_ROWS = 2


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a file, column by column, as text.

    Attributes
    ----------
    columns : mapping of str to list of str
        Their names, no two alike, and what they say; "" where a cell is missing.
    separator : str
        Of the cells, which decides what a comma in a number is.
    notes : tuple of str
        What was left out, and why.
    """

    columns: Mapping[str, Sequence[str]]
    separator: str
    notes: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self.columns.values())))

    @property
    def likely_label(self) -> int:
        """The place of the column that is most likely the class: the last one with two or three different values."""
        places = [place for place, name in enumerate(self.columns) if len(self.levels(name)) in CLASSES]
        return places[-1] if places else len(self.columns) - 1

    def levels(self, name: str) -> list[str]:
        """Return the different values of a column, sorted: as numbers if all are, and else as text."""
        found = list({cell for cell in self.columns[name] if cell})
        if all(is_number(cell, self.separator) for cell in found):
            return sorted(found, key=lambda cell: value_of(cell, self.separator) or 0.0)
        return sorted(found)

    def kind(self, name: str) -> Kind:
        """Guess what a column holds."""
        found = self.levels(name)
        return "number" if len(found) > FEW and all(is_number(cell, self.separator) for cell in found) else "category"


@dataclass(frozen=True, eq=False)
class Typed:
    """Features and classes of rows.

    Attributes
    ----------
    values : numpy.ndarray
        Numbers are brought to mean 0 and standard deviation 1, a category is its place among the levels, and NaN is
        missing, shape (N, features).
    labels : numpy.ndarray
        Class of each, -1 where it is missing, shape (N,).
    features : tuple of Feature
        In the order of the values.
    classes : tuple of str
        Their names.
    columns : tuple of Column
        What brings the values of each feature back to its own units.
    """

    values: np.ndarray
    labels: np.ndarray
    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    columns: tuple[Column, ...]


def read_cells(raw: bytes, name: str) -> Cells:
    """Read the cells of a CSV file; arguments and errors as for `lessons.data.csv_table.read_csv`."""
    with naming(name):
        text, notes = decoded(raw)
        separator = separator_of(text)
        records = records_of(text, separator)
        head = list(islice(records, HEAD))
        width = len(head[0][1])
        if not 1 < width <= MOST_COLUMNS:
            raise OwnDataError(
                f"Row {head[0][0]} has {counted(width, 'cell')}; at least 2 columns are needed, a feature and a class, "
                f"and at most {MOST_COLUMNS:,} can be read."
            )
        header = has_header([cells for _, cells in head], separator)
        names = names_of(head[0][1] if header else None, width, notes)
        kept: list[list[str]] = []
        ragged: list[int] = []
        for row, cells in chain(head[header:], records):
            if len(cells) != width:
                ragged.append(row)
            elif (len(kept) + 1) * width > MOST_CELLS:
                raise OwnDataError(f"There are more than {MOST_CELLS:,} cells up to row {row}. Keep those you need.")
            else:
                kept.append([_stripped(cell) for cell in cells])
        if len(kept) < LEAST_ROWS:
            there = f"There {'is' if kept else 'are'} {counted(len(kept), 'row')}"
            raise OwnDataError(f"{there} of {width} cells, and at least {LEAST_ROWS} are needed.")
        if ragged:
            notes.append(
                f"{counted(len(ragged), 'row')} left out for having more or fewer cells than the {width} of the first "
                f"row, such as row {ragged[0]}."
            )
    return Cells(dict(zip(names, map(list, zip(*kept, strict=True)), strict=True)), separator, tuple(notes))


def _stripped(cell: str) -> str:
    text = " ".join(cell.split())
    return "" if text.lower() in MISSING else text


def typed(cells: Cells, kinds: Mapping[str, Kind], label: str, most: int) -> tuple[Typed, tuple[str, ...]]:
    """Return columns as features of these types, another one as the class, and notes.

    Parameters
    ----------
    cells : Cells
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
    classes = cells.levels(label)
    if len(classes) not in CLASSES:
        raise OwnDataError(
            f"The class {quoted([label])} has {counted(len(classes), 'different value')}; two or three are needed. "
            "Choose another column."
        )
    notes = list(cells.notes)
    parts = [_feature(cells, name, kind, notes) for name, kind in kinds.items()]
    values = np.column_stack([values for _, values, _ in parts])
    labels = np.array([classes.index(cell) if cell else HIDDEN for cell in cells.columns[label]])
    hidden, missing = int((labels == HIDDEN).sum()), int(np.isnan(values).sum())
    if hidden:
        notes.append(f"{counted(hidden, 'label')} missing: hidden.")
    if missing:
        notes.append(f"{counted(missing, 'cell')} missing: left out of the product.")
    if len(labels) > most:
        notes.append(f"Of {len(labels):,} rows {most:,} are kept, drawn at random, the same every time.")
        kept = np.sort(np.random.default_rng(0).choice(len(labels), most, replace=False))
        values, labels = values[kept], labels[kept]
    features, columns = tuple(feature for feature, _, _ in parts), tuple(column for _, _, column in parts)
    return Typed(values, labels, features, tuple(classes), columns), tuple(notes)


def _feature(cells: Cells, name: str, kind: Kind, notes: list[str]) -> tuple[Feature, np.ndarray, Column]:
    column = cells.columns[name]
    if kind == "category":
        levels = cells.levels(name)
        if not 1 < len(levels) <= MOST_LEVELS:
            raise OwnDataError(
                f"{quoted([name])} has {counted(len(levels), 'different value')}; a category needs 2 to {MOST_LEVELS}. "
                "Treat it as a number, or leave it out."
            )
        place = {level: number for number, level in enumerate(levels)}
        return Feature(name, tuple(levels)), np.array([place.get(cell, np.nan) for cell in column], float), Column(name)
    found = [value_of(cell, cells.separator) if cell else np.nan for cell in column]
    texts = [cell for cell, value in zip(column, found, strict=True) if value is None]
    if texts:
        notes.append(
            f"{quoted([name])}: {counted(len(texts), 'cell')} without a number, such as {quoted(texts[:1])}: treated "
            "as missing."
        )
    values = np.array([np.nan if value is None else value for value in found])
    there = values[~np.isnan(values)]
    if not there.size:
        raise OwnDataError(f"{quoted([name])} has no number in any row. Treat it as a category, or leave it out.")
    spread = float(there.std())
    if spread <= 1e-12 * float(np.abs(there).max()):
        notes.append(f"{quoted([name])} never changes, so it says nothing about the class.")
        return Feature(name), values * 0, Column(name, float(there.mean()))
    return Feature(name), (values - there.mean()) / spread, Column(name, float(there.mean()), spread)
