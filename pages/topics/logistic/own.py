"""The learner's own points: from a CSV file, or made by pressing on the plane."""

from dataclasses import replace

import numpy as np

from lessons.own.labelled import MOST_POINTS, TWO_CLASSES, OwnPoints
from pages.contract.events import Touch
from pages.contract.uploads import Upload


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


UPLOAD = Upload(
    ("File of labelled points", "own labelled file", "Two features, and a column of two classes."),
    TWO_CLASSES,
    said="Axes keep the file’s units; a weight is for one standard deviation of a feature.",
    idle="Or make points of your own: choose what pressing does, and press on the plane.",
    remove="Remove all points",
    example="age, income, bought\n31, 20, 0\n45, 33, 1",
)
