"""The data sets of points, of their components and of what a point may join, as films declare them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from pages.contract.columns import FLOAT32, INT16, Column, Data
from pages.drawing.numbers import rounded
from pages.stages.points.beats import FIELDS
from pages.stages.points.model import SHOWN
from pages.stages.points.options import DART, ROWS
from pages.stages.points.stills import NOTHING


def points_data(
    name: str, x: np.ndarray | Column, y: np.ndarray | Column, label: Sequence[Any] | Column = INT16
) -> Data:
    """Return the points of a chart, by its letter, and where its densities are drawn at rest."""
    places = {axis: at if isinstance(at, Column) else rounded(at, 5) for axis, at in (("x", x), ("y", y))}
    many = len(x) if isinstance(x, np.ndarray) else x.rows
    points = {**places, "name": list(range(1, many + 1)), "label": label}
    return {f"points_{name}": points, f"contours_{name}": {field: [*values] for field, values in NOTHING.items()}}


def cluster_data(name: str, tops: bool) -> Data:
    """Return the components of a chart; `tops` says whether the height of the chart changes."""
    top = FLOAT32 if tops else [None] * SHOWN
    return {f"clusters_{name}": {**dict.fromkeys(FIELDS, FLOAT32.of(SHOWN)), "top": top}}


def options_data(fields: Sequence[str]) -> Data:
    """Return what a point may join, and the dart that chooses."""
    return {
        "options_a": dict.fromkeys((*fields, "top"), FLOAT32.of(ROWS)),
        "dart_a": dict.fromkeys(DART, FLOAT32),
    }
