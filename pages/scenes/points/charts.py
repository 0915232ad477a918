"""The charts beside the points, described once; what changes comes as frames."""

from __future__ import annotations

from math import ceil
from typing import Any

from lessons.data.columns import Column
from pages.drawing.charts import (
    ACCENT,
    INK,
    Domain,
    axis,
    by_fill,
    finish,
    iterations,
    past,
    rows,
    ticks,
)
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS

BINS = 24  # of a histogram
HEAD = 1.16  # room above the highest bar, for the numbers of the components, in its heights


@drawn_once
def histogram(column: Column, domain: Domain, highest: int, few: float, one: str) -> dict[str, Any]:
    """Draw points on a line as stacked bars, in the colours of their components, each with its number of points.

    Parameters
    ----------
    column : Column
        The coordinate.
    domain : (float, float)
        The ends of its axis, with `BINS` bars between them.
    highest : int
        The number of points in the fullest bar.
    few : float
        The number of points from which a component's is written above the bars.
    one : str
        A component's name.
    """
    low, wide, top = domain[0], (domain[1] - domain[0]) / BINS, ceil(HEAD * highest)
    seated = rows("points_a").transform_filter("datum.label >= 0")
    seated = seated.transform_calculate(
        color=f"datum.label % {len(COLORS)}", bin=f"{low} + {wide} * floor((datum.x - {low}) / {wide})"
    )
    x = axis(alt.X, "bin", domain, column.name, grid=False, **ticks(column, domain, 6)).bin("binned")
    y = axis(alt.Y, "n", (0, top), "points", grid=False, tickCount=4)
    bars = seated.transform_aggregate(n="count()", groupby=["bin", "color", "label"])
    bars = bars.transform_calculate(end=f"datum.bin + {wide}", mark=f"'{one}-' + (datum.label + 1)")
    stacked = bars.mark_bar(opacity=0.85).encode(x, y.stack("zero"), by_fill(), x2="end:Q", order="label:Q")
    each = seated.transform_aggregate(n="count()", middle="mean(x)", groupby=["color", "label"])
    each = each.transform_filter(f"datum.n >= {few}")
    said = each.transform_calculate(bin="datum.middle", top=str(top), mark=f"'{one}-' + (datum.label + 1)")
    text = said.mark_text(baseline="top", fontSize=15, fontWeight="bold").encode(
        x, axis(alt.Y, "top", (0, top), "points", grid=False, tickCount=4), by_fill(), text="n:Q"
    )
    return finish(alt.layer(stacked, text))


@drawn_once
def means(components: int, column: Column, domain: Domain, last: int | None, title: str) -> dict[str, Any]:
    """Draw how the first coordinate of each component's mean moves along the run, and its running mean, thick.

    Parameters
    ----------
    components : int
        How many of them, with fields ``m0`` and on for the means and ``r0`` and on for the running means.
    column : Column
        The first coordinate.
    domain, last, title
        As for `pages.drawing.charts.trace`.
    """
    looks: dict[str, dict[str, Any]] = {"m": {"strokeWidth": 1.2, "opacity": 0.7}, "r": {"strokeWidth": 2.8}}
    x, y = iterations(title, last), axis(alt.Y, "value", domain, **ticks(column, domain))
    layers = []
    for letter, look in looks.items():
        for component in range(components):  # a layer each: folded rows would all be made anew in each frame
            field = f"{letter}{component}"
            line = past(field).transform_calculate(value=f"datum.{field}")
            color = COLORS[component % len(COLORS)]
            layers.append(line.mark_line(clip=True, color=color, **look).encode(x, y))
    return finish(alt.layer(*layers))


@drawn_once
def table_counts(most: int, exact: bool, second: bool, many: str, more: bool) -> dict[str, Any]:
    """Draw how often each number of components has come up so far, and its exact posterior where that is known.

    Parameters
    ----------
    most : int
        The last number that has a bar.
    exact, second : bool
        Whether there is a truth, and a second chain.
    many : str
        What is counted.
    more : bool
        Whether the last bar stands for all larger numbers as well.
    """
    said = f"datum.value == {most} ? '{most}+' : datum.value == {most - 1} ? '' : datum.label"  # no room beside it
    labels = alt.Axis(grid=False, labelAngle=0, labelOverlap=True, labelExpr=said if more else alt.Undefined)
    x = alt.X("k:O", title=many, axis=labels, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    cell, narrow = (alt.ExprRef(f"{part}width / {most}") for part in ("", "0.8 * "))
    counts = rows("counts").transform_calculate(s="datum.share", mark="'count-' + datum.k").encode(x)
    bars = counts.mark_bar(clip=True, color=ACCENT, opacity=0.55, size=narrow)
    layers = [bars.encode(axis(alt.Y, "s", (0, 1), format="%", tickCount=3).stack(None))]
    for there, field, thickness, size in ((second, "share_b", 1.5, narrow), (exact, "exact", 2.5, cell)):
        if there:
            ticks = counts.mark_tick(orient="horizontal", color=INK, thickness=thickness, size=size)
            layers.append(ticks.encode(axis(alt.Y, field, (0, 1), format="%", tickCount=3)))
    return finish(alt.layer(*layers))
