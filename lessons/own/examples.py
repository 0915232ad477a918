"""Examples from a file: features of different types and a class, with cells and labels that may be missing."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lessons.data.columns import REACH, Column
from lessons.data.csv_features import Cells, Kind, read_cells, typed
from lessons.data.csv_table import check_file
from lessons.data.csv_text import OwnDataError
from lessons.own.taking import Choice, Taken, Taking, there
from samplers.generative.features import Feature
from samplers.generative.stories import X

MOST_EXAMPLES = 300
MOST_FEATURES = 6
USUAL = 4  # features, if none are named


@dataclass(frozen=True, eq=False)
class Examples:
    """Examples with their features; some cells and labels may be missing.

    Attributes
    ----------
    values : numpy.ndarray
        A category is its number, NaN is missing, shape (N, features).
    labels : numpy.ndarray
        Class of each, -1 where it is hidden, shape (N,).
    features : tuple of Feature
        In the order of the values.
    classes : tuple of str
        Their names, two or three.
    units : tuple of Column
        What brings the values of a file's features back to its own units; none of other examples.
    """

    values: np.ndarray
    labels: np.ndarray
    features: tuple[Feature, ...]
    classes: tuple[str, ...]
    units: tuple[Column, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The features, with what brings their values back to their own units."""
        return self.units or tuple(Column(feature.name) for feature in self.features)

    @property
    def in_plane(self) -> bool:
        """Whether they are points in a plane: two features, both numbers."""
        return len(self.features) == 2 and not any(feature.bars for feature in self.features)


def examples_of(cells: Cells, kinds: Mapping[str, Kind], label: str) -> Taken[Examples]:
    """Return columns as features of these kinds, no number farther out than the picture, and one as the class.

    See `lessons.data.csv_features.typed` for what this raises.
    """
    found, notes = typed(cells, kinds, label, MOST_EXAMPLES)
    values = np.clip(found.values, -max(REACH), max(REACH))
    examples = Examples(values, found.labels, found.features, found.classes, found.columns)
    return Taken(examples, (f"{len(found.labels)} examples.", *notes))


def _take(content: bytes, name: str, choice: Choice) -> Taken[Examples]:
    cells = read_cells(content, name)
    names = list(cells.columns)
    there((*choice.columns, *filter(None, [choice.label]), *(choice.categories or ())), names, cells.notes)
    label = choice.label or names[cells.likely_label]
    columns = choice.columns or tuple(name for name in names if name != label)[:USUAL]
    if label in columns:
        raise OwnDataError(f"“{label}” is the class; it cannot be a feature as well.")
    if len(columns) > MOST_FEATURES:
        raise OwnDataError(f"At most {MOST_FEATURES} columns can be features, and {len(columns)} are named.")
    kinds: dict[str, Kind] = {name: _kind(cells, name, choice) for name in columns}
    return examples_of(cells, kinds, label)


def _columns(content: bytes, name: str) -> tuple[str, ...]:
    return tuple(read_cells(content, name).columns)


def _kind(cells: Cells, name: str, choice: Choice) -> Kind:
    if choice.categories is None:
        return cells.kind(name)
    return "category" if name in choice.categories else "number"


NONE = Examples(np.empty((0, 2)), np.empty(0, int), X, ("class 0", "class 1"))
OF_CLASSES = Taking(Examples, ("columns", "label", "categories"), _take, _columns, check_file, NONE)
