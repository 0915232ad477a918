"""Examples from a file: features of different types and a class, with cells and labels that may be missing."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lessons.data.columns import REACH, Column
from lessons.data.csv_features import Kind, check_shape, kind_of, likely_features, likely_label, typed
from lessons.data.csv_text import OwnDataError
from lessons.data.phrases import counted, quoted
from lessons.data.sheet import Sheet
from lessons.own.taking import Choice, Part, Taken, Taking, there
from samplers.generative.features import Feature
from samplers.generative.stories import X

MOST_EXAMPLES = 300
MOST_FEATURES = 6
USUAL = 4  # features, if none are named


@dataclass(frozen=True, eq=False)
class Examples:
    """Examples with their features; some cells and labels may be missing."""

    values: np.ndarray  # a category is its number, NaN is missing, shape (N, features)
    labels: np.ndarray  # class of each, -1 where it is hidden, shape (N,)
    features: tuple[Feature, ...]  # in the order of the values
    classes: tuple[str, ...]  # their names, two or three
    # what brings the values of a file's features back to its own units; none of other examples
    units: tuple[Column, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """The features, with what brings their values back to their own units."""
        return self.units or tuple(Column(feature.name) for feature in self.features)

    @property
    def in_plane(self) -> bool:
        """Whether they are points in a plane: two features, both numbers."""
        return len(self.features) == 2 and not any(feature.bars for feature in self.features)


def examples_of(sheet: Sheet, kinds: Mapping[str, Kind], label: str) -> Taken[Examples]:
    """Return columns as features of these kinds, no number farther out than the picture, and one as the class.

    See `lessons.data.csv_features.typed` for what this raises.
    """
    found, notes = typed(sheet, kinds, label, MOST_EXAMPLES)
    values = np.clip(found.values, -max(REACH), max(REACH))
    if far := int((np.abs(found.values) > max(REACH)).any(axis=1).sum()):
        notes = (*notes, f"{counted(far, 'example')} farther out than the picture: moved to its rim.")
    examples = Examples(values, found.labels, found.features, found.classes, found.columns)
    return Taken(examples, (f"{len(found.labels)} examples.", *notes))


def _guess(sheet: Sheet, choice: Choice) -> dict[str, Part]:
    check_shape(sheet)
    there((*choice.columns, *filter(None, [choice.label]), *(choice.categories or ())), sheet.names, sheet.notes)
    label = choice.label or likely_label(sheet)
    columns = choice.columns or likely_features(sheet, label)[:USUAL]
    if label in columns:
        raise OwnDataError(f"“{label}” is the class; it cannot be a feature as well.")
    if len(columns) > MOST_FEATURES:
        raise OwnDataError(f"At most {MOST_FEATURES} columns can be features, and {len(columns)} are named.")
    return {**dict.fromkeys(columns, "feature"), label: "label"}


def _make(sheet: Sheet, choice: Choice) -> Taken[Examples]:
    *columns, label = _guess(sheet, choice)
    taken = examples_of(sheet, {name: _kind(sheet, name, choice) for name in columns}, label)
    counting = [each.name for each in sheet.columns if each.kind == "running number" and each.name not in columns]
    if counting:
        said = f"{quoted(counting)} only count{'s' if len(counting) == 1 else ''} the rows: not used."
        taken = Taken(taken.data, (*taken.notes, said))
    return taken


def _kind(sheet: Sheet, name: str, choice: Choice) -> Kind:
    if choice.categories is None:
        return kind_of(sheet.column(name))
    return "category" if name in choice.categories else "number"


NONE = Examples(np.empty((0, 2)), np.empty(0, int), X, ("class 0", "class 1"))
PARTS: dict[Part, int] = {"feature": MOST_FEATURES, "label": 1}
OF_CLASSES = Taking(Examples, ("columns", "label", "categories"), PARTS, _guess, _make, none=NONE)
