"""The charts of generative classification, described once; what changes comes as data and parameters."""

from __future__ import annotations

from typing import Any

from lessons.data.columns import REACH, Column
from pages.drawing.charts import (
    ACCENT,
    INK,
    NOW,
    PAPER,
    SOFT,
    axis,
    bare_axes,
    doubling,
    finish,
    if_lit,
    iterations,
    of,
    past,
    rows,
    through,
)
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES, beta, by_class, shaped
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.drawing.plane import (
    Axes,
    at_rest,
    axes_of_plane,
    between,
    class_map,
    from_paper,
    labelled_points,
    ring,
    shades,
)

LESS, MORE = COLORS[3], COLORS[4]  # of a difference of two maps: no colours of classes
FULL = 0.25  # a difference of two maps from which on it has the full colour
STRIP = (0.13, 0.7)  # where in a feature's strip its curves begin, and how far they reach
MARKS = 0.9  # where in a strip the examples are
ASKED = 0.45  # and the query
NAMES = 120  # pixels for the names of bars
ROOM = 34  # beside a bar, for its number
HEAD = 1.07  # height of the features' names: values lie between 0 and 1
COMING = f"datum.name == {NOW} + 1"  # the example that the next step brings
MOVED = f"(frame - {NOW})"  # how much of the next step has been shown


def _points(axes: Axes) -> list[alt.Chart]:
    """Draw examples: those with a label, those whose label is drawn anew each sweep, and those that have none."""
    seen = rows("points").transform_filter("datum.seen > 0")
    drawn = seen.transform_filter("datum.known == 0 && datum.k < 9")
    hollow = drawn.mark_point(filled=False, size=75, strokeWidth=2, opacity=1)
    hidden = seen.transform_filter("datum.k > 9").mark_point(shape="circle", filled=False, size=55, strokeWidth=1.6)
    return [
        hidden.encode(*axes, stroke=alt.value(SOFT)),
        hollow.encode(*axes, by_class(alt.Stroke), shaped()),
        labelled_points(seen.transform_filter("datum.known == 1 && datum.k < 9"), axes, "k"),
    ]


def _contours(axes: Axes, where: str, **look: Any) -> alt.Chart:
    lines = rows("shapes", "x").transform_filter(where).mark_line(clip=True, interpolate="cardinal-closed", **look)
    return lines.encode(*axes, by_class(alt.Color), detail="line:N", order="i:Q")


def _arrival(axes: Axes) -> list[alt.Chart]:
    """Draw how the next example comes about: its class is marked, then the point leaves its middle."""
    moving = rows("points").transform_filter(f"{COMING} && {MOVED} > 0.35")
    flown = f"({MOVED} - 0.35) / 0.65"
    moving = moving.transform_calculate(
        **{f"{name}_now": f"datum.c{name} + (datum.{name} - datum.c{name}) * {flown}" for name in "xy"}
    )
    return [
        _contours(axes, f"datum.k == datum.next && {MOVED} > 0.01", strokeWidth=4.5),
        labelled_points(moving, through(axes, "x_now", "y_now"), "y_", size=110),
    ]


@drawn_once
def plane(classes: int, difference: bool, arrives: bool, told: bool, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Draw the examples, the contours of each class, the query, and a map of a classifier or of a difference.

    Parameters
    ----------
    classes : int
        Two or three.
    difference : bool
        Whether the map shows a difference of two.
    arrives : bool
        Whether a step brings an example.
    told : bool
        Whether it is the story that brings it.
    columns : tuple of Column
        The two that lie along the axes.
    """
    axes = axes_of_plane((columns[0], columns[1]))
    if difference:
        scale = between(LESS, MORE, FULL) if classes == 2 else from_paper(COLORS[4], FULL)
        shown = shades(at_rest("map"), axes, scale)
    else:
        shown = class_map(axes, classes)
    last = rows("points").transform_filter(f"datum.name == {NOW}")
    newest = last.mark_point(shape="circle", filled=False, size=260, strokeWidth=1.6, opacity=0.9)
    layers = [
        shown,
        _contours(axes, "datum.line % 2 == 1", strokeWidth=1.2, opacity=0.8),
        _contours(axes, "datum.line % 2 == 0", strokeWidth=2.2),
        *(_arrival(axes) if told else []),
        *([newest.encode(*axes, stroke=alt.value(INK))] if arrives else []),
        *([] if told else _query(axes)),
        *_points(axes),
    ]
    return _finish(layers)


def _query(axes: Axes) -> list[alt.Chart]:
    """Draw the query: a ring, or a line where one of its features is missing."""
    place = alt.Chart(alt.Data(values=[{}])).transform_calculate(x="query[0]", y="query[1]")
    rule: dict[str, Any] = {"strokeDash": [5, 4], "strokeWidth": 2, "color": INK}
    return [
        place.transform_filter("lacks == 1").mark_rule(**rule).encode(axes[1]),
        place.transform_filter("lacks == 2").mark_rule(**rule).encode(axes[0]),
        *(part.transform_filter("lacks == 0") for part in ring("query", axes)),
    ]


@drawn_once
def rival(classes: int, columns: tuple[Column, ...]) -> dict[str, Any]:
    """Draw the map of logistic regression, with the same examples."""
    axes = axes_of_plane((columns[0], columns[1]))
    return _finish([class_map(axes, classes, "rival"), *_query(axes), *_points(axes)])


def _finish(layers: list[alt.Chart]) -> dict[str, Any]:
    """Return layers as Vega-Lite, with the query's parameters; each layer has its own scale of colours."""
    params = alt.param(name="query", value=[0, 0]), alt.param(name="lacks", value=0)
    return finish(alt.layer(*layers).resolve_scale(color="independent").add_params(*params))


@drawn_once
def cloud(columns: tuple[Column, ...]) -> dict[str, Any]:
    """Draw the ellipses of means and covariances that are drawn from what is known about each class."""
    axes = axes_of_plane((columns[0], columns[1]))
    lines = at_rest("cloud").mark_line(clip=True, interpolate="cardinal-closed", strokeWidth=1.1, opacity=0.55)
    return finish(alt.layer(lines.encode(*axes, by_class(alt.Color), detail="line:N", order="i:Q")))


@drawn_once
def features(strips: int) -> dict[str, Any]:
    """Draw a strip for each feature: its curve or its bars in each class, the examples, and the query.

    A few examples can make a curve higher than it is in the end: then the whole strip has another scale.

    Parameters
    ----------
    strips : int
        How many features there are.
    """
    axes = (axis(alt.X, "x", (0, strips)), axis(alt.Y, "y", (-0.06, 1.14)))
    begin, reach = STRIP
    curves = rows("curves", "d").transform_joinaggregate(peak="max(d)", groupby=["j"])
    curves = curves.transform_calculate(
        x=f"datum.j + {begin} + {reach} * datum.d / max(datum.top, datum.peak)", x0=f"datum.j + {begin}"
    )
    numbers, bars = (curves.transform_filter(f"datum.thick {sign} 0") for sign in ("==", ">"))
    line = numbers.mark_line(strokeWidth=2.2, clip=True).encode(
        *axes, by_class(alt.Color), detail="line:N", order="i:Q"
    )
    bar = bars.transform_calculate(low="datum.y - datum.thick / 2", high="datum.y + datum.thick / 2").mark_rect(
        opacity=0.75
    )
    bar = bar.encode(*through(axes, "x0", "low"), by_class(alt.Fill), x2="x:Q", y2="high:Q")
    texts = rows("texts").mark_text(align="left", fontSize=11, color=SOFT).encode(*axes, text="text:N")
    room = alt.ExprRef(f"0.92 * width / {strips}")  # a name ends before the next one begins
    heads = rows("heads").mark_text(align="left", fontSize=14, fontWeight=600, color=INK, limit=room)
    heads = heads.encode(*axes, text="text:N")
    edges = rows("heads").transform_calculate(x="datum.j").transform_filter("datum.j > 0")
    edge = edges.mark_rule(color=SOFT, opacity=0.4).encode(axes[0])
    marks = rows("marks").transform_filter("datum.k < 255").transform_calculate(mark="'point-' + datum.name")
    marks = marks.mark_point(filled=True, opacity=0.75)
    marks = marks.encode(*axes, by_class(alt.Fill), shaped(), size=if_lit(160, 26))
    asked = at_rest("asked")
    there, gone = (asked.transform_filter(f"datum.out == {out}") for out in (0, 1))
    path = there.mark_line(color=INK, strokeWidth=1.4, strokeDash=[4, 3]).encode(*axes, order="j:Q")
    dots = there.mark_point(shape="circle", filled=False, size=200, strokeWidth=2.5, opacity=1)
    crosses = there.mark_point(shape="cross", filled=True, size=40, opacity=1).encode(*axes, fill=alt.value(INK))
    lacking = gone.mark_text(text="not known", fontSize=12, fontStyle="italic", color=INK).encode(*axes)
    layers = [
        edge,
        bar,
        line,
        texts,
        heads,
        marks,
        path,
        dots.encode(*axes, stroke=alt.value(INK), fill=alt.value(PAPER)),
        crosses,
        lacking,
        *ring("query", axes),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="query", value=[-9, -9])))


@drawn_once
def pairs() -> dict[str, Any]:
    """Draw the first two of four features as a plane of points, and the other two as another beside it."""
    x, y = bare_axes((-REACH[0], 3 * REACH[0]), (-REACH[0], REACH[0]))
    points = rows("pairs").transform_filter("datum.k < 255").transform_calculate(mark="'point-' + datum.name")
    edge = alt.Chart(alt.Data(values=[{"x": REACH[0]}])).mark_rule(color=SOFT, opacity=0.4)
    names = alt.Chart(
        alt.Data(
            values=[
                {"x": 2 * REACH[0] * panel + across, "y": up, "text": f"x{'₁₂₃₄'[2 * panel + number]}"}
                for panel in (0, 1)
                for number, (across, up) in enumerate(((0.9 * REACH[0], 0.0), (0.0, 0.93 * REACH[0])))
            ]
        )
    )
    cross = alt.Chart(alt.Data(values=[{"x": 2 * REACH[0] * panel, "y": 0} for panel in (0, 1)]))
    layers = [
        edge.encode(x),
        cross.mark_rule(color=SOFT, opacity=0.25).encode(x),
        cross.mark_rule(color=SOFT, opacity=0.25).encode(y),
        names.mark_text(fontSize=13, fontWeight=600, color=INK).encode(x, y, text="text:N"),
        points.mark_point(filled=True, opacity=0.85, clip=True).encode(
            x, y, by_class(alt.Fill), shaped(), size=if_lit(200, 60)
        ),
    ]
    return finish(alt.layer(*layers))


@drawn_once
def share() -> dict[str, Any]:
    """Draw the posterior density of each class's weight, and the story's own."""
    x = axis(alt.X, "x", (0, 1), "weight of the class", grid=False, tickCount=6)
    scale = alt.Scale(domain=[0, alt.ExprRef("top")], nice=False)
    y = alt.Y("y:Q", title=None, scale=scale, axis=None, stack=None)
    curve = beta("weights", "a")
    truth = rows("truth", "x").mark_rule(strokeWidth=1.5, strokeDash=[5, 3]).encode(x, by_class(alt.Color))
    layers = [
        curve.mark_area(opacity=0.12, clip=True).encode(x, y, by_class(alt.Fill)),
        curve.mark_line(strokeWidth=2.4, clip=True).encode(x, y, by_class(alt.Stroke)),
        truth,
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="top", value=1)))


@drawn_once
def bar() -> dict[str, Any]:
    """Draw the weights of the classes end to end, and the dart that draws the next label."""
    x = axis(alt.X, "x", (0, 1), "random number", grid=False, tickCount=6)
    y = axis(alt.Y, "y", (0, 1))
    line = rows("line").transform_calculate(y="0.35", y2="0.65").mark_rect(opacity=0.8, stroke=PAPER)
    names = rows("line").transform_calculate(middle="(datum.x + datum.x2) / 2", y="0.2")
    dart = rows("dart", "x").transform_calculate(y="0.72").mark_point(shape="triangle-down", filled=True, size=160)
    layers = [
        line.encode(x, y, by_class(alt.Fill), **SIDES),
        names.mark_text(fontSize=12, color=INK).encode(of(x, "middle"), y, text="text:N"),
        dart.encode(x, y, fill=alt.value(INK), opacity=alt.value(1)),
    ]
    return finish(alt.layer(*layers))


def _names(field: str) -> alt.Y:
    """Return the axis of the bars' names; its room is kept, as the names come with the data."""
    look = alt.Axis(ticks=False, domain=False, labelPadding=6, labelLimit=NAMES, minExtent=NAMES)
    return alt.Y(f"{field}:N", title=None, sort=alt.SortField("i"), axis=look)


@drawn_once
def scores() -> dict[str, Any]:
    """Draw the log odds of two classes as they add up, term by term."""
    bars = at_rest("scores")
    scale = alt.Scale(nice=False, zero=True, padding=ROOM)
    y = _names("term")
    x = alt.X(
        "start:Q",
        title="log odds",
        axis=alt.Axis(grid=False, tickCount=5),
        scale=scale,
    )
    zero = alt.Chart(alt.Data(values=[{"start": 0}])).mark_rule(color=SOFT).encode(x)
    number = bars.transform_calculate(right="max(datum.start, datum.end)")
    layers = [
        zero,
        bars.mark_bar(cornerRadius=2).encode(y, x, by_class(alt.Fill), x2="end:Q"),
        number.mark_text(align="left", dx=4, fontSize=11, color=INK).encode(
            y, alt.X("right:Q"), text=alt.Text("said:N")
        ),
    ]
    return finish(alt.layer(*layers))


@drawn_once
def tested(title: str, form: str) -> dict[str, Any]:
    """Draw a number of each classifier as a bar, and of the story, below which there is none.

    Parameters
    ----------
    title : str
        What the number is.
    form : str
        How it is written, as in D3.
    """
    bars = at_rest("tested")
    scale = alt.Scale(nice=False, zero=True)
    x = alt.X("value:Q", title=title, scale=scale, axis=alt.Axis(grid=False, tickCount=4, format=form))
    y = _names("who")
    mine, others = (bars.transform_filter(f"datum.i {sign} 0") for sign in ("==", ">"))
    room = bars.transform_calculate(end="1.25 * datum.value")  # for the numbers
    return finish(
        alt.layer(
            room.mark_point(opacity=0).encode(of(x, "end")),
            mine.mark_bar(cornerRadius=2, color=ACCENT).encode(y, x),
            others.mark_bar(cornerRadius=2, color=SOFT).encode(y, x),
            bars.mark_text(align="left", dx=4, fontSize=11, color=INK).encode(y, x, text="said:N"),
        )
    )


@drawn_once
def trace() -> dict[str, Any]:
    """Draw the log joint along the sweeps."""
    x = iterations("sweeps", doubling(30))
    y = alt.Y("value:Q", title=None, scale=alt.Scale(zero=False), axis=alt.Axis(tickCount=4, minExtent=36))
    run = past("value").encode(x, y)
    return finish(alt.layer(run.mark_line(color=ACCENT, strokeWidth=1.6, clip=True)))
