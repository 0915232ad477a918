"""The learner's own examples: from a CSV file, or made by pressing on the picture."""

from dataclasses import replace

import numpy as np

from lessons.own.examples import MOST_EXAMPLES, OF_CLASSES, Examples
from pages.contract.events import Touch
from pages.contract.uploads import Upload
from samplers.mixtures.labels import HIDDEN


def edited(old: Examples, pointer: str, touch: Touch) -> Examples:
    """Return the examples after the pointer did something to them; the same ones if it hit nothing."""
    strips = 1 if old.in_plane else len(old.features)
    if pointer.startswith("add"):
        label = int(pointer[-1])
        if len(old.labels) >= MOST_EXAMPLES or label >= len(old.classes) or not old.in_plane:
            return old
        at = np.array([touch.x, touch.y]).round(2)
        return replace(old, values=np.vstack([old.values, at]), labels=np.append(old.labels, label))
    if touch.row is None or not 0 <= touch.row < strips * len(old.labels):
        return old
    row, place = divmod(touch.row, strips)
    values, labels = old.values.copy(), old.labels.copy()
    if pointer == "remove":
        return replace(old, values=np.delete(values, row, axis=0), labels=np.delete(labels, row))
    if pointer == "relabel":
        labels[row] = (labels[row] + 1) % len(old.classes)
    elif pointer == "hide label":
        labels[row] = HIDDEN
    elif pointer == "hide cell":
        values[row, int(np.isnan(values[row, 0])) if old.in_plane else place] = np.nan  # first x, then y
    elif pointer == "move" and old.in_plane:
        values[row] = np.where(np.isnan(values[row]), np.nan, np.array([touch.x, touch.y]).round(2))
    else:
        return old
    return replace(old, values=values, labels=labels)


UPLOAD = Upload(
    (
        "File of examples",
        "own examples file",
        "Each row is an example: its features, and a column with its class. Cells may be empty.",
    ),
    OF_CLASSES,
    idle="Or make examples of your own: choose what pressing does, and press on the plane.",
    remove="Remove all examples",
    example="length, link, kind\n12, no, ham\n30, yes, spam",
)
