"""The charts of points and their components, described once; what changes comes as frames."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from pages.drawing.charts import ACCENT, INK, NOW, PAPER, SOFT, SPECS, finish, plane_axes
from pages.drawing.palette import COLORS, SHAPES

Domain = tuple[float, float]
PALETTE = alt.Scale(domain=list(range(len(COLORS))), range=list(COLORS))
MARKS = alt.Scale(domain=list(range(len(SHAPES))), range=list(SHAPES))
AROUND = "sequence(0, 6.5, 0.2618)"  # angles of an ellipse's 25 corners
STEPS = "sequence(-3, 3.01, 0.2)"  # places on a bell curve, in standard deviations
BELOW = 0.45  # room for the points below the curves, in heights of the highest of them
SEEN = "datum.label >= 0"


def _color(channel: Any, field: str = "color:N") -> Any:
    return channel(field, scale=PALETTE, legend=None)


def _clusters(name: str) -> alt.Chart:
    return (
        alt.Chart(alt.NamedData(f"clusters_{name}"))
        .transform_filter("isValid(datum.table)")
        .transform_calculate(color=f"datum.table % {len(COLORS)}")
    )


def _points(name: str) -> alt.Chart:
    return alt.Chart(alt.NamedData(f"points_{name}")).transform_calculate(
        color=f"datum.label % {len(COLORS)}", shape=f"datum.label % {len(SHAPES)}", number="datum.label + 1"
    )


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
    ax, ay = plane_axes(x, y, titles)
    contours = (
        alt.Chart(alt.NamedData(f"contours_{name}"))
        .transform_filter(f"datum.t == {NOW} && frame == {NOW}")
        .mark_line(color=INK, opacity=0.45, strokeWidth=1, clip=True)
        .encode(ax, ay, detail="line:N", order="place:Q")
    )
    ellipses = (
        _clusters(name)
        .transform_calculate(angle=AROUND)
        .transform_flatten(["angle"])
        .transform_calculate(
            x="datum.mx + 2 * datum.a * cos(datum.angle)",
            y="datum.my + 2 * (datum.b * cos(datum.angle) + datum.c * sin(datum.angle))",
        )
        .mark_line(interpolate="linear-closed", strokeWidth=1.3, fillOpacity=0.1, strokeOpacity=0.75, clip=True)
        .encode(ax, ay, _color(alt.Stroke), _color(alt.Fill), detail="i:N", order="angle:Q")
    )
    return finish(alt.layer(contours, ellipses, *_offers(name, ax, ay), *_marks(name, ax, ay, size)))


@lru_cache(maxsize=SPECS)
def rays(name: str, x: Domain, y: Domain, titles: tuple[str, str], size: int) -> dict[str, Any]:
    """Draw counts with their components as rays from the origin, and the borders between neighbours, dashed.

    Parameters as for `plane`.
    """
    ax, ay = plane_axes(x, y, titles)
    far = 3 * max(x[1], y[1])
    in_use = _clusters(name).transform_filter("datum.share > 0")
    ends = {"x2": f"{far} * datum.mx / (datum.mx + datum.my)", "y2": f"{far} * datum.my / (datum.mx + datum.my)"}
    drawn = (
        in_use.transform_calculate(x="0", y="0", width="1.2 + 3 * datum.share", **ends)
        .mark_rule(clip=True, opacity=0.75)
        .encode(ax, ay, _color(alt.Stroke), x2="x2:Q", y2="y2:Q", strokeWidth=alt.StrokeWidth("width:Q", scale=None))
    )
    along = {
        "x": f"datum.a - {far} * cos(datum.c)",
        "y": f"datum.b - {far} * sin(datum.c)",
        "x2": f"datum.a + {far} * cos(datum.c)",
        "y2": f"datum.b + {far} * sin(datum.c)",
    }
    borders = (
        in_use.transform_filter("isValid(datum.c)")
        .transform_calculate(**along)
        .mark_rule(clip=True, color=INK, opacity=0.6, strokeDash=[5, 4], strokeWidth=1.2)
        .encode(ax, ay, x2="x2:Q", y2="y2:Q")
    )
    return finish(
        alt.layer(borders, drawn, *_offers(name, ax, ay), *_marks(name, ax, ay, size), *_tips(in_use, ax, ay))
    )


def _tips(components: alt.Chart, ax: alt.X, ay: alt.Y) -> tuple[alt.Chart, alt.Chart]:
    """Draw where a point of the usual total is expected, with the component's number."""
    tips = components.transform_calculate(x="datum.mx", y="datum.my", name="datum.table + 1")
    ring = tips.mark_point(shape="circle", filled=True, opacity=1, size=170, strokeWidth=2).encode(
        ax, ay, _color(alt.Stroke), fill=alt.value(PAPER)
    )
    return ring, tips.mark_text(fontSize=10, color=INK).encode(ax, ay, alt.Text("name:N"))


@lru_cache(maxsize=SPECS)
def line(name: str, x: Domain, title: str, size: int) -> dict[str, Any]:
    """Draw points on a line below the densities of their clusters, each by its share; parameters as for `plane`.

    Heights are shares of ``top``, which comes with the clusters, so that no curve is ever cut off. While a point is
    scored, what each cluster foretells for it takes the place of the densities.
    """
    ax = alt.X("x:Q", title=title, scale=alt.Scale(domain=list(x), nice=False), axis=alt.Axis(grid=False, tickCount=6))
    ay = alt.Y("y:Q", title=None, stack=None, scale=alt.Scale(domain=[-BELOW, 1], nice=False), axis=None)
    curves = (
        _clusters(name)
        .transform_filter("isValid(datum.top)")
        .transform_calculate(place=STEPS)
        .transform_flatten(["place"])
        .transform_calculate(
            x="datum.mx + datum.a * datum.place",
            y="datum.share * exp(-datum.place * datum.place / 2) / (datum.a * 2.5066 * datum.top)",
            zero="0",
        )
        .encode(ax, ay, detail="i:N")
    )
    predictive = (
        alt.Chart(alt.NamedData(f"contours_{name}"))
        .transform_filter(f"datum.t == {NOW} && frame == {NOW}")
        .mark_line(color=INK, opacity=0.6, strokeWidth=1.2, strokeDash=[5, 3], clip=True)
        .encode(ax, ay, order="place:Q")
    )
    areas = curves.mark_area(opacity=0.14, clip=True).encode(_color(alt.Fill), y2="zero:Q")
    rims = curves.mark_line(strokeWidth=1.8, clip=True).encode(_color(alt.Stroke), order="place:Q")
    fits = _fits(name, ax, ay)
    return finish(alt.layer(areas, rims, predictive, *_offers(name, ax, ay), *fits, *_marks(name, ax, ay, size)))


def _fits(name: str, ax: alt.X, ay: alt.Y) -> tuple[alt.Chart, ...]:
    """Draw what each option foretells for the point in hand, a Student t, and how high it is there: its fit."""
    options = (
        alt.Chart(alt.NamedData(f"fits_{name}"))
        .transform_filter("isValid(datum.top)")
        .transform_calculate(color=f"datum.option % {len(COLORS)}")
    )
    curves = (
        options.transform_calculate(place="sequence(-5, 5.01, 0.2)")
        .transform_flatten(["place"])
        .transform_calculate(
            x="datum.centre + datum.scale * datum.place",
            y="exp(datum.log_height - (datum.df + 1) / 2 * log(1 + datum.place * datum.place / datum.df)) / datum.top",
        )
        .encode(ax, ay, detail="option:N", order="place:Q")
    )
    seen, new = "datum.option >= 0", "datum.option < 0"
    here = options.transform_calculate(y="datum.fit / datum.top", zero="0", said="format(datum.fit, '.3g')")
    dots = here.mark_point(shape="circle", filled=True, opacity=1, size=60, strokeWidth=1.5)
    look: dict[str, Any] = {"dy": -5, "fontSize": 11, "color": INK}
    likely = here.transform_filter("datum.p > 0.05")
    left, right = likely.mark_text(align="right", dx=-9, **look), likely.mark_text(align="left", dx=9, **look)
    return (
        curves.transform_filter(seen).mark_line(strokeWidth=1.8, clip=True).encode(_color(alt.Stroke)),
        curves.transform_filter(new).mark_line(strokeWidth=1.6, strokeDash=[6, 4], color=INK, clip=True),
        here.mark_rule(color=SOFT, strokeWidth=1).encode(ax, ay, y2="zero:Q"),
        dots.transform_filter(seen).encode(ax, ay, _color(alt.Fill), stroke=alt.value(PAPER)),
        dots.transform_filter(new).encode(ax, ay, fill=alt.value(PAPER), stroke=alt.value(INK)),
        left.transform_filter(seen).encode(ax, ay, alt.Text("said:N")),
        right.transform_filter(new).encode(ax, ay, alt.Text("said:N")),
    )


def _marks(name: str, ax: alt.X, ay: alt.Y, size: int) -> tuple[alt.Chart, ...]:
    points = _points(name)
    tooltip = [alt.Tooltip("name:N", title="point"), alt.Tooltip("number:N", title="in")]
    seated = (
        points.transform_filter(SEEN)
        .mark_point(filled=True, opacity=0.95, strokeWidth=0.7, size=size)
        .encode(
            ax,
            ay,
            fill=_color(alt.Fill),
            stroke=alt.value(PAPER),
            shape=alt.Shape("shape:N", scale=MARKS, legend=None),
            tooltip=tooltip,
        )
    )
    lifted = points.transform_filter(f"!({SEEN})")
    ring = lifted.mark_point(shape="circle", filled=True, opacity=1, size=190, strokeWidth=2).encode(
        ax, ay, fill=alt.value(PAPER), stroke=alt.value(INK)
    )
    number = lifted.mark_text(fontSize=10, color=INK).encode(ax, ay, alt.Text("name:N"))
    lifted_out: Any = alt.layer(ring, number)
    return seated, lifted_out


def _offers(name: str, ax: alt.X, ay: alt.Y) -> tuple[alt.Chart, ...]:
    """Draw what each table offers to the point in hand: a line as thick as its probability."""
    offers = alt.Chart(alt.NamedData(f"offers_{name}")).transform_filter("isValid(datum.p) && datum.p > 0.001")
    lines = offers.mark_rule(color=SOFT, strokeDash=[3, 3], clip=True).encode(
        ax.copy(), ay.copy(), x2="x2:Q", y2="y2:Q", strokeWidth=alt.StrokeWidth("width:Q", scale=None)
    )
    return (lines.transform_calculate(width="1 + 7 * datum.p"),)


X_SWEEPS = {"expr": "max(50, pow(2, ceil(log(frame + 2) / log(2))))"}  # doubles when the run has filled it


def _past(field: str, domain: Domain, end: Any, title: str | None) -> tuple[alt.X, alt.Y, alt.Chart]:
    x = alt.X("t:Q", title=title, scale=alt.Scale(domain=[0, end], nice=False), axis=alt.Axis(grid=False, tickCount=4))
    scale = alt.Scale(domain=list(domain), nice=False, clamp=True)
    y = alt.Y(f"{field}:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4))
    return x, y, alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t <= {NOW}")


@lru_cache(maxsize=SPECS)
def trace(field: str, domain: Domain, last: int | None, title: str, second: bool) -> dict[str, Any]:
    """Draw how a number moves along the run.

    Parameters
    ----------
    field : str
        Of the data set ``"past"``; the second chain's ends in ``_b``.
    domain : (float, float)
        Of the number.
    last : int or None
        The last iteration, where the axis ends; None for an axis that doubles when it is full.
    title : str
        Of the horizontal axis.
    second : bool
        Whether there is a second chain.
    """
    end = X_SWEEPS if last is None else last
    x, y, past = _past(field, domain, end, title)
    layers = [past.mark_line(color=ACCENT, strokeWidth=1.6, clip=True).encode(x, y)]
    if second:
        x, y, past = _past(f"{field}_b", domain, end, title)
        layers.insert(0, past.mark_line(color=INK, strokeWidth=1.2, strokeDash=[4, 2], clip=True).encode(x, y))
    return finish(alt.layer(*layers))


@lru_cache(maxsize=SPECS)
def means(components: int, domain: Domain, last: int | None, title: str) -> dict[str, Any]:
    """Draw how the first coordinate of each component's mean moves along the run, and its running mean, thick.

    Parameters
    ----------
    components : int
        How many of them, with fields ``m0`` and on for the means and ``r0`` and on for the running means.
    domain, last, title
        As for `trace`.
    """
    end = X_SWEEPS if last is None else last
    x, _, past = _past("m0", domain, end, title)
    y = alt.Y("value:Q", title=None, scale=alt.Scale(domain=list(domain), nice=False), axis=alt.Axis(tickCount=5))
    layers = []
    looks: dict[str, dict[str, Any]] = {"m": {"strokeWidth": 1, "opacity": 0.45}, "r": {"strokeWidth": 2.8}}
    for letter, look in looks.items():
        fields: list[Any] = [f"{letter}{component}" for component in range(components)]
        layers.append(
            past.transform_fold(fields, as_=["which", "value"])
            .transform_filter("isValid(datum.value)")
            .transform_calculate(color=f"toNumber(substring(datum.which, 1)) % {len(COLORS)}")
            .mark_line(clip=True, **look)
            .encode(x, y, _color(alt.Stroke), detail="which:N")
        )
    return finish(alt.layer(*layers))


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
    cell = f"width / {most}"
    said = f"datum.value == {most} ? '{most}+' : datum.value == {most - 1} ? '' : datum.label"  # no room beside it
    last: dict[str, Any] = {"labelExpr": said} if more else {}
    axis = alt.Axis(grid=False, labelAngle=0, labelOverlap=True, **last)
    x = alt.X("k:O", title=many, axis=axis, scale=alt.Scale(paddingInner=0, paddingOuter=0))
    scale, percent = alt.Scale(domain=[0, 1], nice=False), alt.Axis(format="%", tickCount=3, title=None)
    counts = alt.Chart(alt.NamedData("counts"))
    bars = counts.transform_calculate(s="datum.share").mark_bar(
        clip=True, color=ACCENT, opacity=0.55, size=alt.ExprRef(f"0.8 * {cell}")
    )
    layers = [bars.encode(x, alt.Y("s:Q", axis=percent, scale=scale, stack=None))]
    if second:
        other = counts.mark_tick(orient="horizontal", color=INK, thickness=1.5, size=alt.ExprRef(f"0.8 * {cell}"))
        layers.append(other.encode(x, alt.Y("share_b:Q", axis=percent, scale=scale)))
    if exact:
        truth = counts.mark_tick(orient="horizontal", color=INK, thickness=2.5, size=alt.ExprRef(cell))
        layers.append(truth.encode(x, alt.Y("exact:Q", axis=percent, scale=scale)))
    return finish(alt.layer(*layers))
