"""The charts of a climb, described once; what changes comes as frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lessons.data.columns import Column
from pages.drawing.charts import (
    ACCENT,
    INK,
    LIT,
    PAPER,
    SOFT,
    Domain,
    axis,
    by_fill,
    by_stroke,
    finish,
    if_lit,
    iterations,
    marked,
    of,
    past,
    plane_axes,
    rows,
    span,
    ticks,
)
from pages.drawing.lazy import alt
from pages.drawing.marks import corners, path, written
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.scenes.points.pictures import bells

ANGLES = "sequence(0, 6.2832, 0.21)"
BELOW = 0.3  # of a line's picture: what lies below the densities
HIGH = 0.85  # of a row of means, of which each has a height of 1
APART = 10  # pixels between the numbers of two components in one place
SHORTEST = 8  # half-steps: of the axis at the beginning


def _components() -> alt.Chart:
    return rows("components", "a").transform_calculate(
        color=f"datum.component % {len(COLORS)}",
        name="datum.component + 1",
        mark="'component-' + (datum.component + 1)",
    )


def _points() -> alt.Chart:
    return rows("points").transform_calculate(
        fill="rgb(datum.red, datum.green, datum.blue)", mark="'point-' + datum.name"
    )


def _dots(axes: Sequence[Any], size: int) -> list[alt.Chart]:
    """Draw the points in their mixed colours, and a ring around the one whose numbers the cards show."""
    dots = _points().mark_point(shape="circle", filled=True, opacity=0.95, size=size, strokeWidth=0.7)
    chosen = _points().transform_filter(f"datum.name == chosen || {LIT}")
    return [
        dots.encode(
            *axes,
            alt.Fill("fill:N", scale=None, legend=None),
            stroke=alt.value(PAPER),
            tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip("component:N", title="mostly in")],
        ),
        chosen.mark_point(shape="circle", color=INK, opacity=1, size=2.6 * size).encode(
            *axes, strokeWidth=if_lit(3.5, 1.8)
        ),
    ]


@drawn_once
def plane(x: Domain, y: Domain, columns: tuple[Column, Column], size: int) -> dict[str, Any]:
    """Draw points in a plane, in the mixed colours of their components, and these as ellipses of two deviations."""
    axes = plane_axes(x, y, columns)
    ring = corners(_components().transform_filter("datum.count > 0.005"), "2", ANGLES)
    ring = ring.mark_line(interpolate="cardinal-closed", clip=True).encode(
        *axes,
        by_stroke(),
        by_fill(),
        detail="i:N",
        order="angle:Q",
        strokeWidth=if_lit(4, 1.5),
        fillOpacity=if_lit(0.3, 0.08),
    )
    means = _components().transform_calculate(x="datum.mx", y="datum.my").encode(*axes)
    knob = means.mark_point(shape="circle", filled=True, opacity=1, size=230, strokeWidth=2, clip=True)
    number = means.mark_text(fontSize=12, fontWeight="bold", color=INK, clip=True).encode(text="name:N")
    layers = [ring, *_dots(axes, size), knob.encode(by_stroke(), fill=alt.value(PAPER)), number]
    return finish(alt.layer(*layers).add_params(alt.param(name="chosen", value=1)))


@drawn_once
def line(x: Domain, column: Column, soft: bool, nearest: bool) -> dict[str, Any]:
    """Draw points on a line below the densities of their components, each by its weight, and the mixture, dashed.

    With `soft`, there is a bar above each point, in which each component has as much as its responsibility. With
    `nearest`, there is a line at each mean in place of its density, and a dashed one halfway between neighbours.
    """
    heights = axis(alt.Y, "y", (-BELOW, 1.0))
    axes = axis(alt.X, "x", x, column.name, grid=False, **ticks(column, x, 6)), heights
    used = _components().transform_filter("datum.share > 0.0005")
    high = "0.92" if nearest else "min(0.96, datum.share / (datum.a * 2.5066 * datum.top) + 0.035)"
    names = used.transform_calculate(x="datum.mx", y=high)
    beside = alt.ExprRef(f"{APART} * datum.beside")
    layers = [
        *(_means_and_borders(used, axes) if nearest else bells(used, axes)),
        *(part.encode(*axes, text="name:N") for part in written(names, fontSize=12, fontWeight="bold", dx=beside)),
        *_dots(axes, 150),
    ]
    if soft:
        parts = rows("shares").transform_calculate(
            color=f"datum.component % {len(COLORS)}",
            mark="'component-' + (datum.component + 1)",
            y=f"-{0.95 * BELOW} + {0.6 * BELOW} * datum.low",
            y2=f"-{0.95 * BELOW} + {0.6 * BELOW} * datum.high",
        )
        layers.append(parts.mark_bar(width=16, stroke=PAPER, strokeWidth=0.5).encode(*axes, by_fill(), y2="y2:Q"))
    return finish(alt.layer(*layers).add_params(alt.param(name="chosen", value=1)))


def _means_and_borders(used: alt.Chart, axes: Sequence[Any]) -> list[alt.Chart]:
    """Draw a line at each mean, and a dashed one where the nearest mean changes."""
    means = used.transform_calculate(x="datum.mx", y="0.88", y2="0")
    borders = rows("borders").transform_calculate(y="1", y2=f"-{BELOW}")
    return [
        means.mark_rule(clip=True).encode(*axes, by_stroke(), y2="y2:Q", strokeWidth=if_lit(5, 3)),
        borders.mark_rule(clip=True, color=INK, strokeDash=[5, 3]).encode(*axes, y2="y2:Q"),
    ]


@drawn_once
def climb(last: int, level: bool, evidence: bool, lines: int) -> dict[str, Any]:
    """Draw the bound along the half-steps, the log likelihood that it touches after each E, and the exact evidence.

    Of the start and the first E step, `lines` are below the axis.
    """
    domain, ends = span("bound_span")
    x = iterations("half-steps", alt.ExprRef(f"min({last}, max({SHORTEST}, pow(2, ceil(log(frame + 2) / log(2)))))"))
    y = {name: axis(alt.Y, name, domain, tickCount=4) for name in ("bound", "level", "evidence")}
    layers = []
    if level:
        above = marked(past("level"), "level").mark_line(clip=True, color=INK, strokeDash=[5, 3])
        layers.append(above.encode(x, y["level"], strokeWidth=if_lit(4, 1.4)))
    if evidence:
        exact = marked(rows("truth", "evidence"), "evidence")
        layers.append(exact.mark_rule(color=INK).encode(y["evidence"], strokeWidth=if_lit(4, 1.6)))
    bound, here = path(marked(past("bound"), "bound"), x, y["bound"], clip=True)
    inside = here.transform_filter("datum.bound >= bound_span[0]")  # a mark beyond the axis would shrink the picture
    layers += [bound.encode(strokeWidth=if_lit(4.5, 2.2)), inside, *_beyond(x, lines)]
    return finish(alt.layer(*layers).add_params(ends))


def _beyond(x: alt.X, lines: int) -> list[alt.Chart]:
    """Write the bound of the start and of the first E step, with an arrow down, where it is below its axis."""
    below = past("bound").transform_filter("datum.t < 2 && datum.bound < bound_span[0]")
    told = below.transform_calculate(mark="'bound'", said="'↓ ' + format(datum.bound, '.4~g')")
    look: dict[str, Any] = {"align": "left", "baseline": "bottom", "dx": 14, "fontSize": 12, "color": INK}
    # the line comes up between a half-step and the next, and to the right of that is room, most at the bottom
    both = (told.transform_filter(f"datum.t == {t}").transform_calculate(next="datum.t + 1") for t in (0, 1))
    places = (alt.value(alt.ExprRef(f"height - {above}")) for above in (3 + 15 * (lines - 1), 3))
    texts = (text.mark_text(**look).encode(of(x, "next"), text="said:N") for text in both)
    return [text.encode(y=place) for text, place in zip(texts, places, strict=True)]


@drawn_once
def means(names: tuple[str, ...], x: Domain, column: Column, exact: bool) -> dict[str, Any]:
    """Draw each method's answer for the mean of the chosen point's component, a row per method.

    k-means and EM have a tick at each mean, as high as the point's responsibility; variational Bayes and Gibbs have a
    density; the exact one is a line on that of Gibbs.
    """
    labels = f"{list(names)}[-datum.value]"
    at = axis(alt.X, "x", x, "mean of its component", grid=False, **ticks(column, x, 6))
    y = axis(
        alt.Y,
        "y",
        (0.85 - len(names), 1.0),
        grid=False,
        values=[-row for row in range(len(names))],
        labelExpr=labels,
        ticks=False,
    )
    raised = rows("densities").transform_calculate(y=f"{HIGH} * datum.height - datum.row", zero="-datum.row")
    ticked = rows("ticks", "x").transform_calculate(
        color=f"datum.component % {len(COLORS)}", y=f"{HIGH} * datum.height - datum.row", zero="-datum.row"
    )
    floor = rows("ladder").transform_calculate(y="-datum.row")
    layers = [
        floor.mark_rule(color=SOFT, opacity=0.5).encode(y),
        raised.mark_area(clip=True, color=ACCENT, opacity=0.35).encode(at, y, y2="zero:Q", detail="row:N"),
        raised.mark_line(clip=True, color=ACCENT, strokeWidth=1.6).encode(at, y, detail="row:N"),
        ticked.mark_rule(strokeWidth=5, clip=True).encode(at, y, by_stroke(), y2="zero:Q"),
    ]
    if exact:
        truth = rows("exact").transform_calculate(y=f"{HIGH} * datum.height - {len(names) - 1}")
        layers.append(truth.mark_line(clip=True, color=INK, strokeWidth=1.8).encode(at, y))
    return finish(alt.layer(*layers))
