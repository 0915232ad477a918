"""The charts of logistic regression, described once; what changes comes as data, and their domains as parameters."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish
from pages.drawing.palette import COLORS, SHAPES

CLASSES = (COLORS[1], COLORS[0])  # of class 0 and class 1
LAPLACE = COLORS[2]
REACH = 6.0  # half the width of the plane
AROUND = "sequence(0, 6.5, 0.1309)"  # angles of an ellipse's 49 corners
SERIES = ("plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact")
LOOKS = (
    (COLORS[0], [1, 0]),
    (COLORS[3], [2, 3]),
    (COLORS[2], [6, 3]),
    (COLORS[4], [2, 3]),
    (COLORS[7], [1, 0]),
    (COLORS[1], [6, 3]),
)
RAY_LEGEND = tuple(
    (f"{color} {'solid' if gap == 0 else 'dashed' if dash > 2 else 'dotted'}", name)
    for name, (color, (dash, gap)) in zip(SERIES, LOOKS, strict=True)
)
FULL = 0.1  # a difference of two predictives from which on its map has the full colour
ROOM_FOR_NUMBERS = 36  # left of the small charts: their axes begin at the same place, and no number is cut
RAY = (0.1, 1_000.0)  # multiples of the probe's place along the ray through it


def _at_rest(name: str) -> alt.Chart:
    """Return a chart of the rows of one iteration, or (t < 0) of all."""
    return alt.Chart(alt.NamedData(name)).transform_filter(f"datum.t == -1 || datum.t == frame && datum.t == {NOW}")


def _label(channel: Any) -> Any:
    return channel("label:N", scale=alt.Scale(domain=[0, 1], range=list(CLASSES)), legend=None)


def _plane_axes() -> tuple[alt.X, alt.Y]:
    scale = alt.Scale(domain=[-REACH, REACH], nice=False)
    axis = alt.Axis(grid=False, tickCount=5)
    return alt.X("x:Q", title="x₁", scale=scale, axis=axis), alt.Y("y:Q", title="x₂", scale=scale, axis=axis)


@lru_cache(maxsize=SPECS)
def plane(cells: int, difference: bool) -> dict[str, Any]:
    """Draw the points, the lines that draws of the weights make, and a predictive as a map.

    Parameters
    ----------
    cells : int
        Of the map, along each axis: the first and the last have their centres on the rim.
    difference : bool
        Whether the map shows a difference of two predictives.
    """
    x, y = _plane_axes()
    cell = 2 * REACH / (cells - 1)
    column, row = f"datum.i % {cells}", f"floor(datum.i / {cells})"
    colors: list[Any] = [CLASSES[0], alt.ExprRef("paper"), CLASSES[1]]
    most = FULL if difference else 1 / 0.72  # under points and lines a probability is paler
    shade = alt.Scale(domain=[-most, 0, most], range=colors, interpolate="rgb", clamp=True)
    area = (
        _at_rest("map")
        .transform_calculate(
            x=f"({column} - 0.5) * {cell} - {REACH}",
            y=f"({row} - 0.5) * {cell} - {REACH}",
            x2=f"({column} + 0.5) * {cell} - {REACH}",
            y2=f"({row} + 0.5) * {cell} - {REACH}",
        )
        .mark_rect(clip=True, strokeWidth=0, x2Offset=1, y2Offset=-1)  # cells overlap, or the paper would shine through
        .encode(x, y, x2="x2:Q", y2="y2:Q", color=alt.Color("v:Q", scale=shade, legend=None))
    )
    levels = _at_rest("levels").encode(x, y, detail="line:N", order="i:Q")
    thin = levels.transform_filter("datum.level != 0").mark_line(color=INK, strokeWidth=0.8, opacity=0.5, clip=True)
    half = levels.transform_filter("datum.level == 0").mark_line(color=INK, strokeWidth=1.5, clip=True)
    draws = (
        _at_rest("draws")
        .mark_line(color=INK, strokeWidth=0.8, opacity=0.28, clip=True)
        .encode(x, y, detail="line:N", order="i:Q")
    )
    boundary = (
        alt.Chart(alt.NamedData("boundary")).mark_line(color=ACCENT, strokeWidth=5, clip=True).encode(x, y, order="i:Q")
    )
    points = alt.Chart(alt.NamedData("points")).transform_filter("datum.seen > 0")
    marks = points.mark_point(filled=True, opacity=1, size=75, strokeWidth=1.2).encode(
        x,
        y,
        fill=_label(alt.Fill),
        stroke=alt.value(PAPER),
        shape=alt.Shape("label:N", scale=alt.Scale(domain=[0, 1], range=list(SHAPES[:2])), legend=None),
        tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip("label:N", title="class")],
    )
    probe = alt.Chart(alt.Data(values=[{}])).transform_calculate(x="probe[0]", y="probe[1]")
    ring = probe.mark_point(shape="circle", filled=False, size=230, strokeWidth=2.5, opacity=1).encode(
        x, y, stroke=alt.value(INK)
    )
    cross = probe.mark_point(shape="cross", filled=True, size=45, opacity=1).encode(x, y, fill=alt.value(INK))
    layers = [
        area,
        thin,
        draws,
        boundary,
        half,  # over the line of the weights, which is broader: both are seen where they are one
        ring,
        cross,
        marks,
    ]  # the points last: the pointer finds what is on top
    if difference:
        layers = [area, thin, ring, cross, marks]
    return finish(alt.layer(*layers).add_params(alt.param(name="probe", value=[0, 0])))


def _weight_axes() -> tuple[alt.X, alt.Y]:
    """Return the axes; the film's domains are as wide as high, and so is the chart: a circle is a circle."""

    def look(name: str, title: str) -> dict[str, Any]:
        scale = alt.Scale(domain=[alt.ExprRef(f"{name}[{end}]") for end in (0, 1)], nice=False, zero=False)
        return {"title": title, "scale": scale, "axis": alt.Axis(grid=False, tickCount=5)}

    return alt.X("wx:Q", **look("wx", "w₁")), alt.Y("wy:Q", **look("wy", "w₂"))


def _ellipses(name: str) -> alt.Chart:
    """Return ellipses centre + size · L (cos, sin), L lower triangular with a, b, c by rows."""
    return (
        alt.Chart(alt.NamedData(name))
        .transform_filter("isValid(datum.a)")
        .transform_calculate(angle=AROUND)
        .transform_flatten(["angle"])
        .transform_calculate(
            wx="datum.mx + datum.size * datum.a * cos(datum.angle)",
            wy="datum.my + datum.size * (datum.b * cos(datum.angle) + datum.c * sin(datum.angle))",
        )
    )


@lru_cache(maxsize=SPECS)
def weights(chain: bool) -> dict[str, Any]:
    """Draw the plane of two weights: contours of the posterior, Laplace's ellipses, and the way that the steps take.

    Parameters
    ----------
    chain : bool
        Whether the steps are those of a chain, whose places are no path but a cloud.
    """
    x, y = _weight_axes()
    contours = (
        _at_rest("contours")
        .mark_line(color=INK, strokeWidth=1, opacity=0.5, clip=True)
        .encode(x, y, detail="line:N", order="i:Q")
    )
    laplace = (
        _ellipses("laplace")
        .mark_line(interpolate="linear-closed", color=LAPLACE, strokeWidth=2, clip=True)
        .encode(x, y, detail="i:N", order="angle:Q")
    )
    quadratic = (
        _ellipses("quadratic")
        .mark_line(interpolate="linear-closed", color=ACCENT, strokeWidth=1.3, strokeDash=[4, 3], clip=True)
        .encode(x, y, detail="i:N", order="angle:Q")
    )
    past = alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW} && isValid(datum.wx)")
    if chain:
        way = past.mark_point(filled=True, size=14, opacity=0.35, color=ACCENT, clip=True).encode(x, y)
    else:
        line = past.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(x, y, order="t:Q")
        way = alt.layer(line, past.mark_point(filled=True, size=22, opacity=1, color=ACCENT, clip=True).encode(x, y))
    step = alt.Chart(alt.NamedData("step")).transform_filter("isValid(datum.x2)")
    to = [alt.X2("x2:Q"), alt.Y2("y2:Q")]
    gradient = alt.Chart(alt.NamedData("gradient")).transform_filter("isValid(datum.x2)")
    arrows = [
        gradient.mark_rule(color=SOFT, strokeWidth=1.5, clip=True).encode(x, y, *to),
        step.mark_rule(color=INK, strokeWidth=2, clip=True).encode(x, y, *to),
        step.transform_calculate(wx="datum.x2", wy="datum.y2")
        .mark_point(shape="circle", filled=False, size=60, strokeWidth=1.8, opacity=1, clip=True)
        .encode(x, y, stroke=alt.value(INK)),
    ]
    here = (
        alt.Chart(alt.NamedData("here"))
        .transform_filter("isValid(datum.wx)")
        .mark_point(filled=True, size=110, opacity=1, strokeWidth=1.5, clip=True)
        .encode(x, y, fill=alt.value(ACCENT), stroke=alt.value(PAPER))
    )
    domains = [alt.param(name=name, value=[-1, 1]) for name in ("wx", "wy")]
    return finish(alt.layer(contours, laplace, quadratic, way, *arrows, here).add_params(*domains))


@cache
def ray() -> dict[str, Any]:
    """Draw the probability of class 1 along the ray from the origin through the probe, by each predictive."""
    ticks = alt.Axis(grid=False, values=[0.1, 1, 10, 100, 1000], format="~g")
    x = alt.X("s:Q", title="times the probe", scale=alt.Scale(type="log", domain=list(RAY), nice=False), axis=ticks)
    y = alt.Y(
        "p:Q",
        title=None,
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=alt.Axis(tickCount=5, minExtent=ROOM_FOR_NUMBERS),
    )
    curves = (
        alt.Chart(alt.NamedData("ray"))
        .transform_filter("datum.s > 0")
        .mark_line(strokeWidth=2)
        .encode(
            x,
            y,
            color=alt.Color("by:N", scale=alt.Scale(domain=list(SERIES), range=[c for c, _ in LOOKS]), legend=None),
            strokeDash=alt.StrokeDash(
                "by:N", scale=alt.Scale(domain=list(SERIES), range=[d for _, d in LOOKS]), legend=None
            ),
            tooltip=["by:N", alt.Tooltip("p:Q", format=".3f")],
        )
    )
    here = alt.Chart(alt.Data(values=[{"s": 1}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x)
    return finish(alt.layer(here, curves))


X_STEPS = "max(30, pow(2, ceil(log(frame + 2) / log(2))))"  # doubles when the run has filled it


@lru_cache(maxsize=SPECS)
def trace(unit: str, grows: bool) -> dict[str, Any]:
    """Draw a number along the run.

    Parameters
    ----------
    unit : str
        What the horizontal axis counts.
    grows : bool
        Whether that axis doubles whenever it is full, and does not show the whole run from the beginning.
    """
    end = alt.ExprRef(X_STEPS if grows else "along[1]")
    x = alt.X("t:Q", title=unit, scale=alt.Scale(domain=[0, end], nice=False), axis=alt.Axis(grid=False, tickCount=4))
    domain = [alt.ExprRef("span[0]"), alt.ExprRef("span[1]")]
    scale = alt.Scale(domain=domain, nice=False, zero=False, clamp=True)
    y = alt.Y("value:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4, minExtent=ROOM_FOR_NUMBERS))
    past = alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW} && isValid(datum.value)")
    line = past.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(x, y)
    here = past.transform_filter(f"datum.t == {NOW}").mark_point(filled=True, size=50, opacity=1, color=ACCENT)
    params = [alt.param(name=name, value=[0, 1]) for name in ("span", "along")]
    return finish(alt.layer(line, here.encode(x, y)).add_params(*params))
