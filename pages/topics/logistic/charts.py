"""The charts of logistic regression, described once; what changes comes as data, and their domains as parameters."""

from __future__ import annotations

from typing import Any, NamedTuple

from lessons.data.columns import AXES, Column
from lessons.topics.logistic import SQUEEZE
from pages.drawing.charts import (
    ACCENT,
    INK,
    PAPER,
    SOFT,
    axis,
    doubling,
    finish,
    if_lit,
    iterations,
    marked,
    past,
    rows,
    span,
    through,
)
from pages.drawing.lazy import alt
from pages.drawing.marks import CLASSES, CORNERS, by_class, corners, path, rim, shaped, stem
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.drawing.plane import (
    MOST,
    Axes,
    at_rest,
    axes_of_plane,
    between,
    class_map,
    from_paper,
    labelled_points,
    of_classes,
    ring,
    shades,
)
from pages.topics.logistic.fit import COARSE, PART, Fit

LAPLACE = DENSITY = PROBIT = COLORS[2]
AROUND = "sequence(0, 6.5, 0.1309)"  # angles of an ellipse's 49 corners


class Look(NamedTuple):
    """The name of a predictive, and the look of its curve."""

    name: str
    color: str
    line: str


SERIES = {
    "plug-in": Look("plug-in", COLORS[0], "solid"),
    "Monte Carlo": Look("Monte Carlo", COLORS[3], "dotted"),
    "probit": Look("probit", COLORS[2], "dashed"),
    "MacKay": Look("MacKay’s formula", COLORS[4], "dotted"),
    "quadrature": Look("quadrature", COLORS[7], "solid"),
    "exact": Look("exact posterior", COLORS[1], "dashed"),
}
RAY_LEGEND = [(f"{look.color} {look.line}", by.replace("exact", "posterior")) for by, look in SERIES.items()]
ESTIMATED = "estimated posterior"
DASHES = {"solid": [1, 0], "dotted": [2, 3], "dashed": [6, 3]}
QUICK = ("plug-in", "Monte Carlo")  # of three classes: what needs no estimate, and charts can show
DRAW = "'draw-' + datum.draw"
NEAR = 9  # pixels across, within which the pointer finds a line
FULL = 0.1  # a difference of two predictives from which on its map has the full colour
ROOM_FOR_NUMBERS = 36  # left of the small charts: their axes begin at the same place, and no number is cut
RAY = (0.1, 1_000.0)  # multiples of the probe's place along the ray through it


def name_of(by: str, fit: Fit) -> str:
    """Return the name of a predictive: an estimate is not called exact."""
    return ESTIMATED if by == "exact" and fit.estimated else SERIES[by].name


def _way(source: alt.Chart, axes: Axes, width: float, lit: float | None = None, **look: Any) -> alt.Chart:
    """Draw polylines, in ink; with the width ``lit`` where their mark is pointed at."""
    shape: dict[str, Any] = {"color": INK, "clip": True, **look}
    if lit is None:
        shape["strokeWidth"] = width
    else:  # beside a width of the mark's own it would be ignored
        source = source.encode(strokeWidth=if_lit(lit, width))
    return source.mark_line(**shape).encode(*axes, order="i:Q")


@drawn_once
def plane(
    likelihood: str, difference: bool, columns: tuple[Column, Column] = AXES, now: bool = False, asked: bool = False
) -> dict[str, Any]:
    """Draw the points, the lines that draws of the weights make, and a predictive as a map.

    Parameters
    ----------
    likelihood : str
        Two classes ("logistic"), three ("softmax"), or numbers around a line ("normal").
    difference : bool
        Whether the map shows a difference of two predictives.
    columns : (Column, Column), optional
        What lies along the axes, where points have classes.
    now : bool
        Whether the plane has the colours of each step's own weights while the run plays.
    asked : bool
        Whether a question may be about the map: with captions it withholds the colours, and all lines but one half.
    """
    axes = axes_of_plane((Column("x"), Column("t"))) if likelihood == "normal" else axes_of_plane(columns)
    levels, draws = (at_rest(name).encode(detail="line:N") for name in ("levels", "draws"))
    draws = draws.transform_calculate(mark=DRAW)
    points = rows("points").transform_filter("datum.seen > 0")
    x, y = (f"datum.row == carries ? carried[{i}] : datum.{field}" for i, field in enumerate("xy"))
    points = points.transform_calculate(x_now=x, y_now=y)  # a point that is dragged goes along
    told = "told" if asked else "true"
    over = [
        *ring("probe", axes),
        labelled_points(points, through(axes, "x_now", "y_now")),
    ]  # the last is on top
    lines = [
        _way(draws, axes, NEAR, opacity=0),  # so that a thin line need not be hit exactly
        _way(draws.encode(opacity=if_lit(1, 0.28)), axes, 0.8, lit=4),
        _way(marked(rows("boundary"), "weights"), axes, 5, lit=9, color=ACCENT),
        _way(levels.transform_filter("datum.level == 0"), axes, 1.5),  # over the broader line of the weights
    ]
    dots: dict[str, Any] = {} if likelihood == "normal" else {"strokeDash": [2, 3]}
    thin = _way(levels.transform_filter(f"datum.level != 0 && {told}"), axes, 0.8, opacity=0.5, **dots)
    if likelihood == "normal":
        shown = [shades(at_rest("map"), axes, from_paper(DENSITY, 1 / MOST))]
    elif difference:
        shown = [shades(at_rest("map"), axes, between(*CLASSES[:2], FULL))]
    elif asked:
        shown = [shades(at_rest("map").transform_filter("told"), axes, between(*CLASSES[:2], 1 / MOST))]
    else:
        shown = [class_map(axes, 3 if likelihood == "softmax" else 2)]
    if now:
        scale, value = between(*CLASSES[:2], 1 / MOST), "datum.p / 127.5 - 1"
        if likelihood == "softmax":
            scale, value = of_classes(3), f"2 * floor(datum.p / {PART}) + datum.p % {PART} / {PART - 1}"
        source = rows("now").transform_filter("running").transform_calculate(v=value)
        shown.append(shades(source, axes, scale, (len(COARSE[0]), len(COARSE[1]))))
    layers = [*shown, thin, *([] if difference else lines), *over]
    return finish(
        alt.layer(*layers).add_params(
            *(alt.param(name=name, value=[0, 0]) for name in ("probe", "carried")),
            alt.param(name="carries", value=-1),
            alt.param(name="running", value=False),
        )
    )


def _weight_axes() -> tuple[alt.X, alt.Y]:
    """Return the axes; the film's domains are as wide as high, and so is the chart: a circle is a circle."""

    def look(name: str, title: str) -> dict[str, Any]:
        scale = alt.Scale(domain=[alt.ExprRef(f"{name}[{end}]") for end in (0, 1)], nice=False, zero=False)
        return {"title": title, "scale": scale, "axis": alt.Axis(grid=False, tickCount=5)}

    return alt.X("wx:Q", **look("wx", "w₁")), alt.Y("wy:Q", **look("wy", "w₂"))


def _ellipses(name: str, width: float, **look: Any) -> alt.Chart:
    """Draw the ellipses of a data set, each of its own ``size``."""
    places = corners(rows(name, "a"), "datum.size", AROUND, ("wx", "wy"), mark=f"'{name}'")
    lines = places.mark_line(interpolate="linear-closed", clip=True, **look)
    return lines.encode(*_weight_axes(), detail="i:N", order="angle:Q", strokeWidth=if_lit(4.5, width))


@drawn_once
def weights(chain: bool, grows: bool = False) -> dict[str, Any]:
    """Draw the plane of two weights: contours of the posterior, Laplace's ellipses, draws, and the way of the steps.

    The places of a `chain`'s steps are no path but a cloud, and no other draws are beside them. Where data come one by
    one, it `grows` narrow: the inner ellipse must be seen around the mark of the weights.
    """
    axes = _weight_axes()
    contours = _way(at_rest("contours").encode(detail="line:N"), axes, 3.5, opacity=0.28)  # seen below an ellipse on it
    seen = past("wx").encode(*axes)
    size, opacity = (14, 0.35) if chain else (22, 1.0)
    way = [seen.mark_point(filled=True, size=size, opacity=opacity, color=ACCENT, clip=True)]
    if not chain:
        drawn = at_rest("drawn").transform_calculate(mark=DRAW).mark_point(filled=True, color=SOFT, clip=True)
        way.insert(0, seen.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(order="t:Q"))
        way.insert(0, drawn.encode(*axes, size=if_lit(200, 26), opacity=if_lit(1, 0.55)))
    step, gradient = (marked(rows(name, "x2"), name).encode(*axes) for name in ("step", "gradient"))
    there = step.transform_calculate(wx="datum.x2", wy="datum.y2")
    here = marked(rows("here", "wx"), "weights").mark_point(filled=True, opacity=1, strokeWidth=1.5, clip=True)
    layers = [
        contours,
        _ellipses("quadratic", 1.3, color=ACCENT, strokeDash=[4, 3]),
        *way,
        _ellipses("laplace", 2, color=LAPLACE),
        stem(gradient, SOFT, 5, 1.5),
        stem(step, INK, 5, 2),
        there.mark_point(shape="circle", filled=False, strokeWidth=1.8, opacity=1, clip=True).encode(
            stroke=alt.value(INK), size=if_lit(220, 60)
        ),
        here.encode(*axes, fill=alt.value(ACCENT), stroke=alt.value(PAPER), size=if_lit(350, 30 if grows else 110)),
    ]
    domains = [alt.param(name=name, value=[-1, 1]) for name in ("wx", "wy")]
    return finish(alt.layer(*layers).add_params(*domains))


@drawn_once
def ray() -> dict[str, Any]:
    """Draw the probability of class 1 along the ray from the origin through the probe, by each predictive."""
    x = alt.X(
        "s:Q",
        title=None,
        scale=alt.Scale(type="log", domain=list(RAY), nice=False),
        axis=alt.Axis(grid=False, values=[0.1, 1, 10, 100, 1000], format="~g"),
    )
    looks = {
        "color": alt.Scale(domain=list(SERIES), range=[look.color for look in SERIES.values()]),
        "strokeDash": alt.Scale(domain=list(SERIES), range=[DASHES[look.line] for look in SERIES.values()]),
    }
    curves = rows("ray").transform_filter("datum.s > 0").mark_line(strokeWidth=2)
    curves = curves.encode(
        x,
        axis(alt.Y, "p", (0, 1), tickCount=5, minExtent=ROOM_FOR_NUMBERS),
        alt.Color("by:N", scale=looks["color"], legend=None),
        alt.StrokeDash("by:N", scale=looks["strokeDash"], legend=None),
        tooltip=["by:N", alt.Tooltip("p:Q", format=".3f")],
    )
    here = alt.Chart(alt.Data(values=[{"s": 1}])).mark_rule(color=SOFT, strokeDash=[3, 3]).encode(x)
    return finish(alt.layer(here, curves))


@drawn_once
def sigma() -> dict[str, Any]:
    """Draw σ, and each point at its activation and its label; a line goes from there to the curve."""
    x = axis(alt.X, "a", (-8, 8), "activation wᵀx", clamp=True, grid=False, tickCount=5)
    y = axis(alt.Y, "label", (-0.1, 1.1), tickCount=3, minExtent=ROOM_FOR_NUMBERS)
    curve = alt.Chart(alt.Data(sequence={"start": -8, "stop": 8.01, "step": 0.1, "as": "a"}))
    curve = curve.transform_calculate(label="1 / (1 + exp(-datum.a))").mark_line(color=INK, strokeWidth=2)
    points = rows("points", "a").transform_filter("datum.seen > 0").transform_calculate(p="1 / (1 + exp(-datum.a))")
    misses = points.mark_rule(color=SOFT, opacity=0.6).encode(x, y, y2="p:Q")
    return finish(alt.layer(misses, curve.encode(x, y), labelled_points(points, (x, y))))


@drawn_once
def phi() -> dict[str, Any]:
    """Draw σ(a) and Φ(t a), their tangents at 0, and in words both slopes and the widest gap."""
    x = axis(alt.X, "a", (-6, 6), "activation a", clamp=True, grid=False, tickCount=5)
    y = axis(alt.Y, "p", (0, 1), tickCount=5, minExtent=ROOM_FOR_NUMBERS)
    places = alt.Chart(alt.Data(sequence={"start": -6, "stop": 6.01, "step": 0.05, "as": "a"}))
    both = places.transform_calculate(s="1 / (1 + exp(-datum.a))", f="cumulativeNormal(squeeze * datum.a)")
    slope = "squeeze / sqrt(2 * PI)"
    near = places.transform_filter("abs(datum.a) < 2.01")
    lines = [
        both.transform_calculate(p="datum.s").mark_line(color=INK, strokeWidth=2.5).encode(x, y),
        both.transform_calculate(p="datum.f").mark_line(color=PROBIT, strokeWidth=2.5, strokeDash=[6, 3]).encode(x, y),
    ]
    for color, rise in ((INK, "0.25"), (PROBIT, slope)):
        tangent = near.transform_calculate(p=f"0.5 + {rise} * datum.a").transform_filter("abs(datum.p - 0.5) < 0.5")
        lines.append(tangent.mark_line(color=color, strokeWidth=1, opacity=0.6).encode(x, y))
    gap = both.transform_calculate(gap="abs(datum.s - datum.f)").transform_aggregate(most="max(gap)", groupby=[])
    said = gap.transform_calculate(
        a="6",
        p="0.1",
        line=f"['slope of σ at 0: 0.250', 'slope of Φ at 0: ' + format({slope}, '.3f'), "
        "'widest gap: ' + format(datum.most, '.3f')]",
    )
    said = said.transform_filter("height > 160")  # a small chart has no room for words
    words = said.mark_text(
        align="right", baseline="bottom", fontSize=alt.ExprRef("width < 260 ? 11 : 13"), lineHeight=18, color=INK
    )
    return finish(
        alt.layer(*lines, words.encode(x, y, text="line:N")).add_params(alt.param(name="squeeze", value=SQUEEZE))
    )


@drawn_once
def simplex() -> dict[str, Any]:
    """Draw probabilities of three classes in a triangle: by single draws of the weights, and by each predictive."""
    axes = axis(alt.X, "x", (-0.12, 1.12)), axis(alt.Y, "y", (-0.14, 1.0))
    ends = [{"x": x, "y": y, "k": k} for k, (x, y) in enumerate(CORNERS.tolist())]
    certain = alt.Chart(alt.Data(values=ends)).mark_point(size=110, opacity=1, strokeWidth=0)
    found = rows("simplex")
    draws = found.transform_filter("datum.by == 'draw'").mark_point(filled=True, size=14, opacity=0.35)
    said = found.transform_filter(
        "datum.by == 'plug-in' || datum.by != 'draw' && told"
    )  # a question may ask for the mean
    known = said.mark_point(size=90, opacity=1, strokeWidth=2.2, filled=False)
    looks = alt.Scale(domain=list(QUICK), range=[SERIES[by].color for by in QUICK])
    forms = alt.Scale(domain=list(QUICK), range=["cross", "circle"])
    layers = [
        rim(1.2).encode(*axes),
        certain.encode(*axes, by_class(alt.Fill), shaped()),
        draws.encode(*axes, color=alt.value(INK)),
        known.encode(*axes, alt.Stroke("by:N", scale=looks, legend=None), alt.Shape("by:N", scale=forms, legend=None)),
    ]
    return finish(alt.layer(*layers).resolve_scale(shape="independent"))


@drawn_once
def trace(unit: str, grows: bool) -> dict[str, Any]:
    """Draw a number along the run.

    Parameters
    ----------
    unit : str
        What the horizontal axis counts.
    grows : bool
        Whether that axis doubles whenever it is full, and does not show the whole run from the beginning.
    """
    domain, ends = span("span")
    x = iterations(unit, doubling(30) if grows else alt.ExprRef("along[1]"))
    y = axis(alt.Y, "value", domain, clamp=True, tickCount=4, minExtent=ROOM_FOR_NUMBERS)
    layers = path(past("value"), x, y, size=50, strokeWidth=1.6, clip=True)
    return finish(alt.layer(*layers).add_params(ends, alt.param(name="along", value=[0, 1])))
