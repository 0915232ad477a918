"""The plane of labelled points, as classifiers see it: its axes, a map of a classifier's answer, the points and a ring.

Maps are computed at the crossings of a grid, and drawn as cells. One of two classes is a ramp from one colour to the
other; of more, each cell has the colour of its most probable class, the fainter the less sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from lessons.data.columns import AXES, REACH, Column
from pages.drawing.charts import INK, NOW, PAPER, if_lit, marked, plane_axes, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import CLASSES, by_class, shaped
from pages.drawing.numbers import rounded

CELLS = (67, 50)  # of a map, across and down: nearly squares
GRID = np.linspace(-REACH[0], REACH[0], CELLS[0]), np.linspace(-REACH[1], REACH[1], CELLS[1])
MOST = 0.72  # of the full colour, where it is certain: points and lines must be seen
Axes: TypeAlias = "tuple[alt.X, alt.Y]"
Sets = dict[str, dict[str, Any]]


def axes_of_plane(columns: tuple[Column, Column] = AXES) -> Axes:
    """Return the axes of the plane, and what lies along them."""
    x, y = ((-reach, reach) for reach in REACH)
    return plane_axes(x, y, columns)


def crossings(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the crossings of two axes, shape (columns · rows, 2), the first coordinate changing fastest."""
    return np.column_stack([side.ravel() for side in np.meshgrid(x, y)])


def grid_places() -> np.ndarray:
    """Return the places where maps are computed, shape (3,350, 2)."""
    return crossings(*GRID)


def at_rest(name: str) -> alt.Chart:
    """Return the rows of one iteration, or (t < 0) of all."""
    return rows(name).transform_filter(f"datum.t == -1 || datum.t == frame && datum.t == {NOW}")


def map_rows(probabilities: np.ndarray, t: int) -> dict[str, list]:
    """Return a classifier's answer at `grid_places`, shape (3,350, K), as rows; NaN is no answer.

    Of more than two classes a number is twice the most probable class, and, from 0 to 1, how sure the classifier is.
    """
    if probabilities.shape[1] == 2:
        return shade_rows(2 * probabilities[:, 1] - 1, t)
    sure = (probabilities.max(axis=1) * probabilities.shape[1] - 1) / (probabilities.shape[1] - 1)
    best = probabilities.argmax(axis=1)
    return shade_rows(2 * best + np.nan_to_num(sure), t) | {"k": best.tolist()}


def shade_rows(values: np.ndarray, t: int) -> dict[str, list]:
    """Return numbers at `grid_places` as rows; 0 stands for NaN."""
    return {"t": [t] * len(values), "v": np.nan_to_num(values).round(4).tolist()}


def class_map(axes: Axes, classes: int = 2, name: str = "map") -> alt.Chart:
    """Draw the rows of `map_rows`."""
    if classes == 2:
        return shades(at_rest(name), axes, between(*CLASSES[:2], 1 / MOST))
    return shades(at_rest(name), axes, of_classes(classes))


def between(first: Any, last: Any, most: float) -> alt.Scale:
    """Return the colours of numbers from -most to most, with the paper's between."""
    return _ramp([-most, 0.0, most], [first, PAPER, last])


def from_paper(color: str, most: float) -> alt.Scale:
    """Return the colours of numbers from 0 to most."""
    return _ramp([0.0, most], [PAPER, color])


def of_classes(classes: int) -> alt.Scale:
    """Return the colours of 2 k + v, where k is the most probable class, and v from 0 to 1 how sure it is."""
    ends = [2 * label + end for label in range(classes) for end in (0.0, 1 / MOST)]
    return _ramp(ends, [end for color in CLASSES[:classes] for end in (PAPER, color)])


def _ramp(domain: list[float], colors: list[Any]) -> alt.Scale:
    return alt.Scale(domain=domain, range=colors, interpolate="rgb", clamp=True)


def shades(source: alt.Chart, axes: Axes, scale: alt.Scale, cells: tuple[int, int] = CELLS) -> alt.Chart:
    """Draw numbers ``v`` at the crossings of a grid as cells, by a scale of colours.

    By the layer's name, the player knows cells that it draws as one picture (pages/player/cells.js).
    """
    numbers = f"datum.i % {cells[0]}", f"floor(datum.i / {cells[0]})"
    corners = {
        f"{field}{end}": f"({number} {side} 0.5) * {2 * reach / (many - 1)} - {reach}"
        for field, number, reach, many in zip("xy", numbers, REACH, cells, strict=True)
        for end, side in (("", "-"), ("2", "+"))
    }
    return (
        source.transform_calculate(**corners)
        .mark_rect(clip=True, strokeWidth=0, x2Offset=1, y2Offset=-1)  # cells overlap, or the paper would shine through
        .encode(*axes, alt.Color("v:Q", scale=scale, legend=None), x2="x2:Q", y2="y2:Q")
        .properties(name=f"cells_{cells[0]}_{source.data.name}")
    )


def polylines(lines: Sequence[np.ndarray], names: tuple[str, str], t: int) -> dict[str, list]:
    """Return lines as rows with the line's number and each corner's; a row outside of everything if there are none."""
    if not lines:
        return {"t": [-9], names[0]: [0], names[1]: [0], "line": [0]}
    corners = np.concatenate(lines)
    return {
        "t": [t] * len(corners),
        names[0]: rounded(corners[:, 0]),
        names[1]: rounded(corners[:, 1]),
        "line": [i for i, line in enumerate(lines) for _ in line],
    }


def labelled_points(source: alt.Chart, axes: Axes, field: str = "label", **look: Any) -> alt.Chart:
    """Draw points in the colour and the shape of their class."""
    points = source.transform_calculate(mark="'point-' + datum.name")
    points = points.mark_point(**{"filled": True, "opacity": 1, "strokeWidth": 1.2, **look})
    return points.encode(
        *axes,
        by_class(alt.Fill, field),
        shaped(field),
        stroke=alt.value(PAPER),
        size=if_lit(260, look.get("size", 75)),
        tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip(f"{field}:N", title="class")],
    )


def ring(param: str, axes: Axes) -> list[alt.Chart]:
    """Draw a ring with a cross at the place that a parameter says; it is a mark of the parameter's name."""
    place = alt.Chart(alt.Data(values=[{}])).transform_calculate(x=f"{param}[0]", y=f"{param}[1]")
    place = marked(place, param).encode(*axes)
    around = place.mark_point(shape="circle", filled=False, opacity=1, clip=True).encode(
        stroke=alt.value(INK), size=if_lit(600, 230), strokeWidth=if_lit(4, 2.5)
    )
    cross = place.mark_point(shape="cross", filled=True, size=45, opacity=1, clip=True)
    return [around, cross.encode(fill=alt.value(INK))]
