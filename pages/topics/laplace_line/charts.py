"""The charts of Laplace approximations on a line, described once for each density, as their axes stay as they are."""

from __future__ import annotations

from functools import cache
from math import pi, sqrt
from typing import Any

import numpy as np

from lessons.topics.laplace_line import WINDOWS
from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, finish, if_lit, marked, rows
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from samplers.regression.line_targets import LINE_TARGETS, line_laplace

LAPLACE, MISSED, SECOND = COLORS[2], COLORS[1], COLORS[4]
POINTS = 321  # of a curve
DEPTH, HEADROOM = 7.0, 1.6  # of the log density's axis, below and above the top of the curve
PARABOLA = "datum.value + datum.slope * (datum.x - datum.at) + datum.bend / 2 * pow(datum.x - datum.at, 2)"
NORMAL = "exp(-pow(datum.x - datum.mean, 2) / (2 * datum.variance)) / sqrt(2 * PI * datum.variance)"
MOVED = f"(frame - {NOW})"  # how much of the next step is drawn: along the parabola, then on to the curve
ALONG = 0.7
MOVING_X = f"datum.taken ? datum.at + min(1, {MOVED} / {ALONG}) * (datum.to - datum.at) : datum.at"
MOVING_Y = (
    f"datum.taken && {MOVED} > {ALONG} ? datum.top + ({MOVED} - {ALONG}) / {1 - ALONG} * (datum.fall - datum.top) : "
    + PARABOLA.replace("bend", "own")
)


def grid(name: str) -> np.ndarray:
    """Return the places of a target's curves, over the whole window."""
    return np.linspace(*WINDOWS[name], POINTS)


@cache
def log_domain(name: str) -> tuple[float, float]:
    """Return where the axis of the log density ends."""
    top = float(LINE_TARGETS[name].value(grid(name)).max())
    return top - DEPTH, top + HEADROOM


@cache
def density_top(name: str) -> float:
    """Return where the axis of the density ends: above the density and the Laplace approximation at each mode."""
    target = LINE_TARGETS[name]
    tops = [float(np.exp(target.value(grid(name))).max())]
    tops += [1 / sqrt(2 * pi * line_laplace(target, start)[1]) for start in target.starts]
    return 1.12 * max(tops)


def variable(name: str) -> str:
    """Return the variable on the axis of a target."""
    return "log x" if name == "skewed, on the log scale" else "x"


def _x(name: str) -> alt.X:
    scale = alt.Scale(domain=list(WINDOWS[name]), nice=False, zero=False)
    return alt.X(
        "x:Q",
        title=variable(name),
        scale=scale,
        axis=alt.Axis(grid=False, tickCount=6),
    )


def _y(low: float, high: float) -> alt.Y:
    return alt.Y(
        "y:Q",
        title=None,
        scale=alt.Scale(domain=[low, high], nice=False, zero=False),
        axis=alt.Axis(tickCount=4, minExtent=34),
    )


def _hand() -> alt.Chart:
    """Return the place where the hand is while it is dragged: the nearest of the grid, within the support."""
    nearest = "max(0, min(length(datum.xs) - 1, round((start[0] - datum.xs[0]) / (datum.xs[1] - datum.xs[0]))))"
    return (
        rows("field")
        .transform_filter("abs(start[0] - datum.home) > 1e-9")
        .transform_calculate(
            j=nearest,
            at="datum.xs[datum.j]",
            value="datum.values[datum.j]",
            slope="datum.slopes[datum.j]",
            bend="datum.bends[datum.j]",
        )
        .transform_filter("isValid(datum.value)")
        .transform_calculate(
            mean="datum.at - datum.slope / datum.bend", variance="datum.bend < 0 ? -1 / datum.bend : null"
        )
    )


def _along(source: alt.Chart, name: str, formula: str) -> alt.Chart:
    """Return a curve over the window for each row of the source."""
    return source.transform_calculate(x=_places(name)).transform_flatten(["x"]).transform_calculate(y=formula)


def _places(name: str) -> str:
    """Return the places of `grid`, as an expression."""
    low, high = WINDOWS[name]
    width = (high - low) / (POINTS - 1)
    return f"sequence({low}, {high + width / 2}, {width})"


def _second(field: str, x: alt.X, y: alt.Y) -> alt.Chart:
    """Draw the Normal beside Laplace's, or its logarithm."""
    lines = marked(rows("second", field).transform_calculate(y=f"datum.{field}"), "second").mark_line(
        color=SECOND, clip=True
    )
    return lines.encode(x, y, strokeWidth=if_lit(5, 2.2), strokeDash=alt.value([7, 3]))


def _finished(*layers: alt.Chart) -> dict[str, Any]:
    """Return layers as Vega-Lite, with the place where the hand is."""
    return finish(alt.layer(*layers).add_params(alt.param(name="start", value=[0, 0])))


@drawn_once
def log(name: str, other_bend: bool) -> dict[str, Any]:
    """Draw the log density, the Taylor parabola, the position and where the step leads.

    Parameters
    ----------
    name : str
        Of the target.
    other_bend : bool
        Whether the step goes to the vertex of another parabola than Taylor's.
    """
    low, high = log_domain(name)
    x, y = _x(name), _y(low, high)
    curve = rows("curve").mark_line(color=INK, strokeWidth=2, clip=True).encode(x, y)
    past = (
        rows("past")
        .transform_filter(f"datum.t < {NOW}")
        .mark_point(filled=True, size=28, opacity=0.45, color=ACCENT, clip=True)
        .encode(x, y)
    )
    parabola = (
        marked(_along(rows("here"), name, PARABOLA), "parabola")
        .mark_line(color=LAPLACE, clip=True)
        .encode(x, y, strokeWidth=if_lit(5, 2))
    )
    own = _along(rows("here").transform_calculate(bend="datum.own"), name, PARABOLA)
    layers = [curve, past, parabola]
    if other_bend:
        layers.append(own.mark_line(color=INK, strokeWidth=1.2, strokeDash=[4, 3], clip=True).encode(x, y))
    layers.append(_second("log", x, y))
    foot = alt.Y2("y2:Q")
    moving = marked(rows("here").transform_calculate(x=MOVING_X, y2=str(low), y=MOVING_Y), "here")
    leads = marked(rows("here", "to").transform_calculate(x="datum.to", y="datum.top", y2=str(low)), "step")
    ghost = _hand()
    layers += [
        leads.mark_rule(color=INK, strokeDash=[2, 3], clip=True).encode(x, y, foot),
        leads.mark_point(shape="circle", filled=False, strokeWidth=2, opacity=1, clip=True).encode(
            x, y, stroke=alt.value(INK), size=if_lit(300, 90)
        ),
        moving.mark_rule(color=ACCENT, strokeWidth=1.2, clip=True).encode(x, y, foot),
        moving.mark_point(filled=True, opacity=1, strokeWidth=1.5, clip=True).encode(
            x, y, fill=alt.value(ACCENT), stroke=alt.value(PAPER), size=if_lit(400, 130)
        ),
        _along(ghost, name, PARABOLA)
        .mark_line(color=LAPLACE, strokeWidth=1.5, strokeDash=[5, 3], clip=True)
        .encode(x, y),
        ghost.transform_calculate(x="datum.at", y="datum.value")
        .mark_point(filled=False, size=150, opacity=1, strokeWidth=2.5, clip=True)
        .encode(x, y, stroke=alt.value(ACCENT)),
    ]
    return _finished(*layers)


@drawn_once
def density(name: str) -> dict[str, Any]:
    """Draw the density and the Normal that the parabola makes."""
    x, y = _x(name), _y(0, density_top(name))
    curve = (
        marked(rows("density"), "density")
        .mark_area(color=SOFT, line={"color": INK, "strokeWidth": 1.5}, clip=True)
        .encode(x, y, opacity=if_lit(0.55, 0.22))
    )
    at = marked(rows("here"), "here").transform_calculate(x="datum.at").mark_rule(color=ACCENT, clip=True).encode(x)
    at = at.encode(strokeWidth=if_lit(4, 1.2))
    normal = marked(_along(rows("here", "variance"), name, NORMAL), "normal")
    ghost = _along(_hand().transform_filter("isValid(datum.variance)"), name, NORMAL)
    return _finished(
        curve,
        at,
        _second("p", x, y),
        normal.mark_line(color=LAPLACE, clip=True).encode(x, y, strokeWidth=if_lit(5, 2.2)),
        ghost.mark_line(color=LAPLACE, strokeWidth=1.5, strokeDash=[5, 3], clip=True).encode(x, y),
    )


@drawn_once
def gap(name: str) -> dict[str, Any]:
    """Draw by how much the Normal is above the density, and by how much below."""
    most = 0.92 * density_top(name)
    x, y = _x(name), _y(-most, most)
    off = rows("here", "variance").transform_calculate(p="datum.ps", x=_places(name)).transform_flatten(["x", "p"])
    off = off.transform_calculate(d=f"{NORMAL} - datum.p", zero="0")
    zero = alt.Chart(alt.Data(values=[{"y": 0}])).mark_rule(color=SOFT).encode(alt.Y("y:Q"))
    layers = [
        off.transform_calculate(y=f"{side}(0, datum.d)")
        .mark_area(color=color, opacity=0.75, clip=True)
        .encode(x, y, alt.Y2("zero:Q"))
        for side, color in (("max", LAPLACE), ("min", MISSED))
    ]
    return finish(alt.layer(*layers, zero))
