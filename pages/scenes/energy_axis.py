"""The axis of energy errors: errors that it cannot hold are said to be beyond it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.drawing.charts import INK
from pages.drawing.lazy import alt

FAR = 1e6  # where what runs off to infinity is drawn, errors of the energy as well as places
EDGE = 0.955  # of the axis: where a triangle stands for what lies beyond


def bounded(values: np.ndarray) -> np.ndarray:
    """Return numbers from -`FAR` to `FAR`, `FAR` for what is none."""
    return np.nan_to_num(values, nan=FAR).clip(-FAR, FAR)


def within(points: alt.Chart, reach: str) -> alt.Chart:
    """Return the points whose error the axis holds; `reach` is an expression for its end above 0."""
    return points.transform_filter(f"abs(datum.error) <= {reach}")


def beyond(points: alt.Chart, reach: str, x: Any, y: Any, **look: Any) -> list[alt.Chart]:
    """Return triangles at the edge for the points whose error is beyond the axis, and how far the furthest is.

    Parameters
    ----------
    points : altair.Chart
        Rows with an ``error``, from -`FAR` to `FAR`.
    reach : str
        Expression for the axis's end above 0; it goes as far below.
    x, y : altair channels
        The axes, of which the second is of the field ``error``.
    **look
        More channels of the triangles.
    """
    out = points.transform_filter(f"abs(datum.error) > {reach}")
    ends = []
    for shape, sign, is_out in (("triangle-up", "", "datum.error > 0"), ("triangle-down", "-", "datum.error < 0")):
        edge = out.transform_filter(is_out).transform_calculate(error=f"{sign}{EDGE} * {reach}")
        ends.append(edge.mark_point(shape=shape, filled=True, size=70, opacity=1).encode(x, y, **look))
    said = (
        out.transform_aggregate(many="count()", high="max(error)", low="min(error)")
        .transform_filter("datum.many > 0")
        .transform_calculate(
            most="datum.high > -datum.low ? datum.high : datum.low",
            text=f"'beyond the axis: ' + (abs(datum.most) >= {FAR:.0f} ? 'over a million' : replace(format(datum.most, "
            "abs(datum.most) < 100 ? '.1f' : ',.0f'), '-', '−'))",
            error=f"(datum.most > 0 ? -0.88 : 0.88) * {reach}",  # where no stem leads
        )
    )
    words = said.mark_text(align="right", baseline="middle", dx=-4, fontSize=11.5, fontWeight=600, color=INK)
    return [*ends, words.encode(text="text:N", x=alt.value("width"), y=y)]
