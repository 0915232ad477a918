"""The pictures of points and their components, described once; what changes comes as frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.drawing.charts import (
    ACCENT,
    INK,
    LIT,
    MARKS,
    NOW,
    PAPER,
    axis,
    by_fill,
    by_stroke,
    finish,
    if_lit,
    plane_axes,
    rows,
    ticks,
)
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS, RED, SHAPES
from pages.scenes.points import update_layers as update
from pages.scenes.points.update_layers import HAND, ON_PAPER, Axes, PointsPicture, at_each, clusters, ring

PRESENT, AVERAGE, EXACT = range(3)  # kinds of predictions
CONTOURS: dict[int, dict[str, Any]] = {
    PRESENT: {"color": INK, "opacity": 0.45, "strokeWidth": 1},
    AVERAGE: {"color": ACCENT, "opacity": 0.9, "strokeWidth": 1.4},
}
CURVES: dict[int, dict[str, Any]] = {
    PRESENT: {"color": INK, "opacity": 0.6, "strokeWidth": 1.2, "strokeDash": [5, 3]},
    EXACT: {"color": RED, "opacity": 0.45, "strokeWidth": 4.5},
    AVERAGE: {"color": ACCENT, "strokeWidth": 2},
}
REPLICA = "r"  # of the points that are drawn from the model
MAKERS = "m"  # of the points by who made them
STEPS = "sequence(-3, 3.01, 0.15)"  # places on a bell curve, in standard deviations


def _predictive(name: str, kind: int) -> alt.Chart:
    """Return the lines of a prediction, which are there at rest alone; the kinds are those of the stills."""
    here = f"datum.kind == {kind} && datum.t == {NOW} && frame == {NOW}"
    return rows(f"contours_{name}").transform_filter(here)


def _curves(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw what the present sweep predicts, dashed; and if it is averaged, the average and the exact one."""
    kinds = (PRESENT, EXACT, AVERAGE) if picture.averaged else (PRESENT,)
    return [
        _predictive(picture.name, kind).mark_line(clip=True, **CURVES[kind]).encode(*axes, order="place:Q")
        for kind in kinds
    ]


@drawn_once
def plane(picture: PointsPicture) -> dict[str, Any]:
    """Draw points in a plane with their clusters as ellipses of two standard deviations."""
    return plane_layers(picture)


def plane_layers(
    picture: PointsPicture, behind: Sequence[alt.Chart] = (), before: Sequence[alt.Chart] = ()
) -> dict[str, Any]:
    """Draw the same, with more layers behind the points and before them."""
    axes = plane_axes(picture.x, picture.y, picture.columns)
    kind = AVERAGE if picture.averaged else PRESENT
    contours = _predictive(picture.name, kind).mark_line(clip=True, **CONTOURS[kind])
    ellipses = ring(clusters(picture), 2).mark_line(interpolate="cardinal-closed", strokeOpacity=0.75, clip=True)
    ellipses = ellipses.encode(*axes, by_stroke(), by_fill(), detail="i:N", order="angle:Q")
    return _layered(
        picture,
        axes,
        [
            contours.encode(*axes, detail="line:N", order="place:Q"),
            ellipses.encode(strokeWidth=if_lit(4, 1.3), fillOpacity=if_lit(0.3, 0.1)),
            *(update.ellipses(picture, axes) if picture.opened else []),
            *behind,
        ],
        before,
    )


@drawn_once
def rays(picture: PointsPicture) -> dict[str, Any]:
    """Draw counts with their components as rays from the origin, and the borders between neighbours, dashed."""
    axes, far = plane_axes(picture.x, picture.y, picture.columns), 3 * max(picture.x[1], picture.y[1])
    in_use = clusters(picture).transform_filter("datum.share > 0")
    ray = {f"{side}2": f"{far} * datum.m{side} / (datum.mx + datum.my)" for side in "xy"}
    border = {
        f"{side}{end}": f"datum.{middle} {sign} {far} * {turn}(datum.c)"
        for side, middle, turn in (("x", "a", "cos"), ("y", "b", "sin"))
        for end, sign in (("", "-"), ("2", "+"))
    }
    borders = in_use.transform_filter("isValid(datum.c)").transform_calculate(**border)
    width = f"(1.2 + 3 * datum.share) * ({LIT} ? 2.5 : 1)"
    drawn = in_use.transform_calculate(x="0", y="0", width=width, **ray)
    ends = {"x2": "x2:Q", "y2": "y2:Q"}
    # where a point of the usual total is expected, with the component's number
    tips = in_use.transform_calculate(x="datum.mx", y="datum.my", name="datum.table + 1")
    knob = tips.mark_point(shape="circle", filled=True, opacity=1, size=170, strokeWidth=2)
    rim = [
        knob.encode(*axes, by_stroke(), fill=alt.value(PAPER)),
        tips.mark_text(fontSize=10, color=INK).encode(*axes, alt.Text("name:N")),
    ]
    lines = [
        borders.mark_rule(clip=True, color=INK, opacity=0.6, strokeDash=[5, 4], strokeWidth=1.2).encode(*axes, **ends),
        drawn.mark_rule(clip=True, opacity=0.75).encode(
            *axes, by_stroke(), strokeWidth=alt.StrokeWidth("width:Q", scale=None), **ends
        ),
    ]
    return _layered(picture, axes, lines, rim)


@drawn_once
def line(picture: PointsPicture) -> dict[str, Any]:
    """Draw points on a line below the densities of their clusters, each by its share.

    Heights are shares of ``top``, which comes with the clusters, so that no curve is ever cut off. While a point is
    scored, what each cluster predicts for it takes the place of the densities.
    """
    column = picture.columns[0]
    heights = alt.Y("y:Q", title=None, stack=None, scale=alt.Scale(domain=list(picture.y), nice=False), axis=None)
    axes = axis(alt.X, "x", picture.x, column.name, grid=False, **ticks(column, picture.x, 6)), heights
    return _layered(
        picture,
        axes,
        [
            *bells(clusters(picture), axes),
            *_curves(picture, axes),
            *(update.curves(picture, axes) if picture.opened else []),
        ],
    )


def bells(components: alt.Chart, axes: Sequence[Any]) -> list[alt.Chart]:
    """Draw the densities of components on a line, each by its share; their heights are shares of ``top``."""
    curves = at_each(
        components,
        STEPS,
        x="datum.mx + datum.a * datum.place",
        y="datum.share * exp(-datum.place * datum.place / 2) / (datum.a * 2.5066 * datum.top)",
        zero="0",
    ).encode(*axes, detail="i:N")
    return [
        curves.mark_area(clip=True).encode(by_fill(), y2="zero:Q", opacity=if_lit(0.4, 0.14)),
        curves.mark_line(clip=True).encode(by_stroke(), order="place:Q", strokeWidth=if_lit(4, 1.8)),
    ]


def _layered(
    picture: PointsPicture, axes: Axes, behind: Sequence[alt.Chart], before: Sequence[alt.Chart] = ()
) -> dict[str, Any]:
    """Draw the points between what lies behind and before them, and the update in hand over all."""
    parted = [_parted(picture, axes)] if picture.name == MAKERS else []
    layers = [*behind, _seated(picture, axes), *parted, *before, *_ringed(picture, axes)]
    if picture.opened:
        layers = [
            *behind,
            *update.spokes(picture, axes),
            _seated(picture, axes),
            *before,
            *update.ends(picture, axes),
            *_ringed(picture, axes),
            *update.bar(picture, axes),
            update.landing(picture, axes),
        ]
    return finish(alt.layer(*layers))


def _points(picture: PointsPicture) -> alt.Chart:
    color = f"datum.label % {len(COLORS)}"
    shape = f"(datum.label + floor(datum.label / {len(COLORS)})) % {len(SHAPES)}"  # another where a colour comes again
    kind = "drawn" if picture.name == REPLICA else "point"
    return rows(f"points_{picture.name}").transform_calculate(
        color=color, shape=shape, number="datum.label + 1", mark=f"'{kind}-' + datum.name"
    )


def _seated(picture: PointsPicture, axes: Axes) -> alt.Chart:
    seated = _points(picture).transform_filter("datum.label >= 0").encode(*axes)
    look: dict[str, Any] = {"filled": True, "opacity": 0.95, "strokeWidth": 0.7, "clip": picture.name == REPLICA}
    return seated.mark_point(size=picture.size, **look).encode(
        by_fill(),
        alt.Shape("shape:N", scale=MARKS, legend=None),
        stroke=alt.value(PAPER),
        tooltip=[alt.Tooltip("name:N", title="point"), alt.Tooltip("number:N", title="in")],
    )


def _parted(picture: PointsPicture, axes: Axes) -> alt.Chart:
    """Draw a ring around each point that is in another cluster in the picture beside it."""
    parted = _points(picture).transform_filter("datum.off").encode(*axes)
    return parted.mark_point(shape="circle", filled=False, opacity=1, size=4 * picture.size, color=INK, strokeWidth=1.8)


def _ringed(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw a ring with its number in place of the point that is lifted out, and of one that is pointed at."""
    ringed = _points(picture).transform_filter(f"datum.label < 0 || {LIT}").encode(*axes)
    return [
        ringed.mark_point(shape="circle", filled=True, opacity=1, size=HAND).encode(
            **ON_PAPER, strokeWidth=if_lit(4, 2.5)
        ),
        ringed.mark_text(fontSize=11, fontWeight="bold", color=INK).encode(alt.Text("name:N")),
    ]
