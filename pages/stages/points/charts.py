"""The charts of points and their components, described once; what changes comes as frames."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import (
    ACCENT,
    INK,
    MARKS,
    NOW,
    PAPER,
    SOFT,
    SPECS,
    Domain,
    axis,
    colored,
    finish,
    iterations,
    past,
    plane_axes,
    rows,
)
from pages.drawing.palette import COLORS, SHAPES

Axes = tuple[alt.X, alt.Y]
AROUND = "sequence(0, 6.5, 0.2618)"  # angles of an ellipse's 25 corners
STEPS = "sequence(-3, 3.01, 0.2)"  # places on a bell curve, in standard deviations
BELOW = 0.45  # room for the points below the curves, in heights of the highest of them
FILL, STROKE = colored(alt.Fill), colored(alt.Stroke)
ON_PAPER: dict[str, Any] = {"fill": alt.value(PAPER), "stroke": alt.value(INK)}


def _clusters(name: str, *fields: str) -> alt.Chart:
    return rows(f"clusters_{name}", "table", *fields).transform_calculate(color=f"datum.table % {len(COLORS)}")


def _at_each(source: alt.Chart, field: str, places: str, **curve: str) -> alt.Chart:
    """Return a row for each corner of each component's curve; `curve` says how to compute where it is."""
    found: alt.Chart = source.transform_calculate(**{field: places}).transform_flatten([field])
    return found.transform_calculate(**curve)


def _predictive(name: str) -> alt.Chart:
    found: alt.Chart = rows(f"contours_{name}").transform_filter(f"datum.t == {NOW} && frame == {NOW}")
    return found


@lru_cache(maxsize=SPECS)
def plane(name: str, x: Domain, y: Domain, titles: tuple[str, str], size: int) -> dict[str, Any]:
    """Draw points in a plane with their clusters as ellipses of two standard deviations.

    Parameters
    ----------
    name : str
        Which chain: the end of the names of its data sets.
    x, y : (float, float)
        Domains.
    titles : (str, str)
        Of the axes.
    size : int
        Of a point, in square pixels.
    """
    axes = plane_axes(x, y, titles)
    contours = _predictive(name).mark_line(color=INK, opacity=0.45, strokeWidth=1, clip=True)
    corners = _at_each(
        _clusters(name),
        "angle",
        AROUND,
        x="datum.mx + 2 * datum.a * cos(datum.angle)",
        y="datum.my + 2 * (datum.b * cos(datum.angle) + datum.c * sin(datum.angle))",
    )
    ellipses = corners.mark_line(
        interpolate="linear-closed", strokeWidth=1.3, fillOpacity=0.1, strokeOpacity=0.75, clip=True
    )
    return _layered(
        contours.encode(*axes, detail="line:N", order="place:Q"),
        ellipses.encode(*axes, STROKE, FILL, detail="i:N", order="angle:Q"),
        _offers(name, axes),
        *_marks(name, axes, size),
    )


@lru_cache(maxsize=SPECS)
def rays(name: str, x: Domain, y: Domain, titles: tuple[str, str], size: int) -> dict[str, Any]:
    """Draw counts with their components as rays from the origin, and the borders between neighbours, dashed.

    Parameters as for `plane`.
    """
    axes, far = plane_axes(x, y, titles), 3 * max(x[1], y[1])
    in_use = _clusters(name).transform_filter("datum.share > 0")
    ray = {f"{side}2": f"{far} * datum.m{side} / (datum.mx + datum.my)" for side in "xy"}
    border = {
        f"{side}{end}": f"datum.{middle} {sign} {far} * {turn}(datum.c)"
        for side, middle, turn in (("x", "a", "cos"), ("y", "b", "sin"))
        for end, sign in (("", "-"), ("2", "+"))
    }
    borders = in_use.transform_filter("isValid(datum.c)").transform_calculate(**border)
    drawn = in_use.transform_calculate(x="0", y="0", width="1.2 + 3 * datum.share", **ray)
    ends = {"x2": "x2:Q", "y2": "y2:Q"}
    # where a point of the usual total is expected, with the component's number
    tips = in_use.transform_calculate(x="datum.mx", y="datum.my", name="datum.table + 1")
    ring = tips.mark_point(shape="circle", filled=True, opacity=1, size=170, strokeWidth=2)
    return _layered(
        borders.mark_rule(clip=True, color=INK, opacity=0.6, strokeDash=[5, 4], strokeWidth=1.2).encode(*axes, **ends),
        drawn.mark_rule(clip=True, opacity=0.75).encode(
            *axes, STROKE, strokeWidth=alt.StrokeWidth("width:Q", scale=None), **ends
        ),
        _offers(name, axes),
        *_marks(name, axes, size),
        ring.encode(*axes, STROKE, fill=alt.value(PAPER)),
        tips.mark_text(fontSize=10, color=INK).encode(*axes, alt.Text("name:N")),
    )


@lru_cache(maxsize=SPECS)
def line(name: str, x: Domain, title: str, size: int) -> dict[str, Any]:
    """Draw points on a line below the densities of their clusters, each by its share; parameters as for `plane`.

    Heights are shares of ``top``, which comes with the clusters, so that no curve is ever cut off. While a point is
    scored, what each cluster foretells for it takes the place of the densities.
    """
    heights = alt.Y("y:Q", title=None, stack=None, scale=alt.Scale(domain=[-BELOW, 1], nice=False), axis=None)
    axes = axis(alt.X, "x", x, title, grid=False, tickCount=6), heights
    curves = _at_each(
        _clusters(name, "top"),
        "place",
        STEPS,
        x="datum.mx + datum.a * datum.place",
        y="datum.share * exp(-datum.place * datum.place / 2) / (datum.a * 2.5066 * datum.top)",
        zero="0",
    ).encode(*axes, detail="i:N")
    predictive = _predictive(name).mark_line(color=INK, opacity=0.6, strokeWidth=1.2, strokeDash=[5, 3], clip=True)
    return _layered(
        curves.mark_area(opacity=0.14, clip=True).encode(FILL, y2="zero:Q"),
        curves.mark_line(strokeWidth=1.8, clip=True).encode(STROKE, order="place:Q"),
        predictive.encode(*axes, order="place:Q"),
        _offers(name, axes),
        *_fits(name, axes),
        *_marks(name, axes, size),
    )


def _layered(*layers: Any) -> dict[str, Any]:
    return finish(alt.layer(*layers))


def _fits(name: str, axes: Axes) -> tuple[alt.Chart, ...]:
    """Draw what each option foretells for the point in hand, a Student t, and how high it is there: its fit."""
    options = rows(f"fits_{name}", "top").transform_calculate(color=f"datum.option % {len(COLORS)}")
    curves = _at_each(
        options,
        "place",
        "sequence(-5, 5.01, 0.2)",
        x="datum.centre + datum.scale * datum.place",
        y="exp(datum.log_height - (datum.df + 1) / 2 * log(1 + datum.place * datum.place / datum.df)) / datum.top",
    ).encode(*axes, detail="option:N", order="place:Q")
    seen, new = "datum.option >= 0", "datum.option < 0"
    here = options.transform_calculate(y="datum.fit / datum.top", zero="0", said="format(datum.fit, '.3g')")
    here = here.encode(*axes)
    dots = here.mark_point(shape="circle", filled=True, opacity=1, size=60, strokeWidth=1.5)
    likely = here.transform_filter("datum.p > 0.05").encode(alt.Text("said:N"))
    look: dict[str, Any] = {"dy": -5, "fontSize": 11, "color": INK}
    return (
        curves.transform_filter(seen).mark_line(strokeWidth=1.8, clip=True).encode(STROKE),
        curves.transform_filter(new).mark_line(strokeWidth=1.6, strokeDash=[6, 4], color=INK, clip=True),
        here.mark_rule(color=SOFT, strokeWidth=1).encode(y2="zero:Q"),
        dots.transform_filter(seen).encode(FILL, stroke=alt.value(PAPER)),
        dots.transform_filter(new).encode(**ON_PAPER),
        likely.transform_filter(seen).mark_text(align="right", dx=-9, **look),
        likely.transform_filter(new).mark_text(align="left", dx=9, **look),
    )


def _marks(name: str, axes: Axes, size: int) -> tuple[alt.Chart, ...]:
    """Draw the points, and a ring with its number in place of the one that is lifted out."""
    color, shape = (f"datum.label % {len(looks)}" for looks in (COLORS, SHAPES))
    points = (
        rows(f"points_{name}").transform_calculate(color=color, shape=shape, number="datum.label + 1").encode(*axes)
    )
    seated, lifted = points.transform_filter("datum.label >= 0"), points.transform_filter("datum.label < 0")
    ring = lifted.mark_point(shape="circle", filled=True, opacity=1, size=190, strokeWidth=2)
    return (
        seated.mark_point(filled=True, opacity=0.95, strokeWidth=0.7, size=size).encode(
            FILL,
            alt.Shape("shape:N", scale=MARKS, legend=None),
            stroke=alt.value(PAPER),
            tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip("number:N", title="in")],
        ),
        ring.encode(**ON_PAPER),
        lifted.mark_text(fontSize=10, color=INK).encode(alt.Text("name:N")),
    )


def _offers(name: str, axes: Axes) -> alt.Chart:
    """Draw what each table offers to the point in hand: a line as thick as its probability."""
    offers = rows(f"offers_{name}", "p").transform_filter("datum.p > 0.001")
    lines = offers.transform_calculate(width="1 + 7 * datum.p").mark_rule(color=SOFT, strokeDash=[3, 3], clip=True)
    drawn: alt.Chart = lines.encode(*axes, x2="x2:Q", y2="y2:Q", strokeWidth=alt.StrokeWidth("width:Q", scale=None))
    return drawn


@lru_cache(maxsize=SPECS)
def means(components: int, domain: Domain, last: int | None, title: str) -> dict[str, Any]:
    """Draw how the first coordinate of each component's mean moves along the run, and its running mean, thick.

    Parameters
    ----------
    components : int
        How many of them, with fields ``m0`` and on for the means and ``r0`` and on for the running means.
    domain, last, title
        As for `pages.drawing.charts.trace`.
    """
    layers = []
    looks: dict[str, dict[str, Any]] = {"m": {"strokeWidth": 1, "opacity": 0.45}, "r": {"strokeWidth": 2.8}}
    for letter, look in looks.items():
        fields: list[Any] = [f"{letter}{component}" for component in range(components)]
        folded = past().transform_fold(fields, as_=["which", "value"]).transform_filter("isValid(datum.value)")
        lines = folded.transform_calculate(color=f"toNumber(substring(datum.which, 1)) % {len(COLORS)}")
        places = iterations(title, last), axis(alt.Y, "value", domain, tickCount=5)
        layers.append(lines.mark_line(clip=True, **look).encode(*places, STROKE, detail="which:N"))
    return _layered(*layers)


@lru_cache(maxsize=SPECS)
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
    counts = rows("counts").transform_calculate(s="datum.share").encode(x)
    bars = counts.mark_bar(clip=True, color=ACCENT, opacity=0.55, size=narrow)
    layers = [bars.encode(axis(alt.Y, "s", (0, 1), format="%", tickCount=3).stack(None))]
    for there, field, thickness, size in ((second, "share_b", 1.5, narrow), (exact, "exact", 2.5, cell)):
        if there:
            ticks = counts.mark_tick(orient="horizontal", color=INK, thickness=thickness, size=size)
            layers.append(ticks.encode(axis(alt.Y, field, (0, 1), format="%", tickCount=3)))
    return _layered(*layers)
