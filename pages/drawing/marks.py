"""Marks that charts share: darts, arrows, ellipses, triangles, Beta densities, and lines and paths along the run."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, if_lit, rows
from pages.drawing.lazy import alt
from pages.drawing.palette import COLORS, NAMED, SHAPES
from pages.drawing.reads import Spec, reads

CLASSES = (COLORS[1], COLORS[0], COLORS[2])  # of class 0, 1 and 2
SIDES: dict[str, Any] = {"x2": "x2:Q", "y2": "y2:Q"}  # the other end of a rule, or the other corner of a box
BETA = "exp((datum.a - 1) * log(datum.x) + (datum.b - 1) * log(1 - datum.x) - datum.norm)"  # log B(a, b) is `norm`

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])  # of a triangle with sides of 1: left, right, top


def by_class(channel: Any, field: str = "k") -> Any:
    """Return a channel (`altair.Fill`, say) that shows a class by its colour."""
    return channel(f"{field}:N", scale=alt.Scale(domain=[0, 1, 2], range=list(CLASSES)), legend=None)


def colors_of(classes: Sequence[str]) -> tuple[str, ...]:
    """Return the colours of classes: those of their names, if these have the same ones in all topics."""
    return tuple(NAMED.get(name, color) for name, color in zip(classes, CLASSES, strict=False))


def in_colors(spec: Mapping[str, Any], classes: Sequence[str]) -> Mapping[str, Any]:
    """Return a chart of classes in the colours of these."""
    to = dict(zip(CLASSES, colors_of(classes), strict=False))
    if all(color == other for color, other in to.items()):
        return spec
    found = Spec(json.loads(re.sub("|".join(to), lambda color: to[color[0]], json.dumps(spec))))
    found.reads = reads(found)
    return found


def shaped(field: str = "k") -> alt.Shape:
    """Return the channel that shows a class by its shape."""
    return alt.Shape(f"{field}:N", scale=alt.Scale(domain=[0, 1, 2], range=list(SHAPES[:3])), legend=None)


def written(text: alt.Chart, **look: Any) -> tuple[alt.Chart, alt.Chart]:
    """Draw a text that can be read on any background."""
    return text.mark_text(**look, stroke=PAPER, strokeWidth=4, strokeJoin="round"), text.mark_text(**look, color=INK)


def dart(source: alt.Chart, *axes: Any) -> alt.Chart:
    """Draw a dart, with its tip a little below its place."""
    drawn: alt.Chart = source.mark_point(shape="triangle-down", filled=True, opacity=1, color=INK)
    return drawn.encode(*axes, size=if_lit(350, 130))


def beside(share: str, apart: int, left: str = "false") -> dict[str, Any]:
    """Return the look of a text beside a dart, `apart` pixels away: on the left near the bar's end, or if `left` is."""
    side = f"({share} > 0.85 || {left})"
    return {
        "align": alt.ExprRef(f"{side} ? 'right' : 'left'"),
        "dx": alt.ExprRef(f"{side} ? -{apart} : {apart}"),
    }


def stem(source: alt.Chart, color: Any, lit: float, width: float, **look: Any) -> alt.Chart:
    """Draw the line of an arrow, a step or a kick, from a place to (x2, y2); `lit` is its width when pointed at."""
    return source.mark_rule(color=color, clip=True, **look).encode(**SIDES, strokeWidth=if_lit(lit, width))


def corners(source: alt.Chart, size: str, angles: str, names: tuple[str, str] = ("x", "y"), **more: str) -> alt.Chart:
    """Return the corners of ellipses centre + size · L (cos, sin).

    Parameters
    ----------
    source : altair.Chart
        Rows with the centre ``mx``, ``my``, and L by rows, ``a``, ``b`` and ``c``, which is lower triangular.
    size : str
        Expression for the size.
    angles : str
        Expression for the angles of the corners.
    names : (str, str), optional
        The fields of the corners.
    **more : str
        Expressions of further fields.
    """
    x, y = names
    found: alt.Chart = source.transform_calculate(angle=angles).transform_flatten(["angle"])
    places = {
        x: f"datum.mx + {size} * datum.a * cos(datum.angle)",
        y: f"datum.my + {size} * (datum.b * cos(datum.angle) + datum.c * sin(datum.angle))",
    }
    return found.transform_calculate(**more, **places)


def in_triangle(probabilities: ArrayLike) -> np.ndarray:
    """Return where three probabilities, shape (..., 3), lie in a triangle whose corners are certain: shape (..., 2)."""
    return np.asarray(probabilities, float) @ CORNERS


def rim(width: float) -> alt.Chart:
    """Draw the sides of that triangle."""
    ends = [{"x": x, "y": y, "i": i} for i, (x, y) in enumerate(CORNERS[[0, 1, 2, 0]].tolist())]
    return alt.Chart(alt.Data(values=ends)).mark_line(color=SOFT, strokeWidth=width).encode(order="i:Q")


def outlines(source: alt.Chart, **look: Any) -> alt.Chart:
    """Draw the polylines of `pages.drawing.contours.as_rows`."""
    return source.mark_line(**look).encode(detail="line:N", order="i:Q")


def beta(name: str, *fields: str) -> alt.Chart:
    """Return the densities of Beta distributions at 200 places: rows with ``a``, ``b`` and ``norm``; see `rows`."""
    places = rows(name, *fields).transform_calculate(x="sequence(0.0025, 1, 0.005)").transform_flatten(["x"])
    return places.transform_calculate(y=BETA)


def path(source: alt.Chart, *axes: Any, size: int = 60, **look: Any) -> list[alt.Chart]:
    """Draw a number along the run as a line, with a dot at the current iteration."""
    line = source.mark_line(color=ACCENT, **look)
    here = source.transform_filter(f"datum.t == {NOW}").mark_point(filled=True, size=size, color=ACCENT, opacity=1)
    return [line.encode(*axes), here.encode(*axes)]
