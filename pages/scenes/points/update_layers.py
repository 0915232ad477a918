"""The layers of an update in hand: what each option predicts, a spoke to each, the bar of probabilities, the dart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from lessons.data.columns import Column
from pages.drawing.charts import INK, NOW, PAPER, SOFT, Domain, by_fill, by_stroke, if_lit, rows, through
from pages.drawing.lazy import alt
from pages.drawing.marks import SIDES, beside, corners, dart, written
from pages.drawing.palette import COLORS
from pages.scenes.close_up import SAMPLE, SCORE

Axes: TypeAlias = "tuple[alt.X, alt.Y]"
AROUND = "sequence(0, 6.2, 0.2618)"  # angles of an ellipse's 24 corners
ON_PAPER: dict[str, Any] = {"fill": {"value": PAPER}, "stroke": {"value": INK}}
SEEN, NEW = "datum.option >= 0", "datum.option < 0"
HAND, DOT = 330, 60  # sizes of the ring around the point in hand, and of a fit's dot, in square pixels
ON_ITS_WAY = f"frame > {NOW}"  # between two beats
GONE = f"(frame - {NOW})"  # how far, from 0 to 1
EASED = f"(1 - pow(1 - {GONE}, 3))"
BAR = (0.014, 0.058)  # where the bar lies, in shares of the picture's height
RIM = 0.015  # to the left and to the right of it, in shares of the width
ASIDE = 130  # pixels from the left rim that the option of a new one takes with its number
LOW = "(datum.y * height < 25 ? 9 : -7)"  # how far a number is below its dot, if that is low
CLEAR = f"(datum.p > 0.95 ? {LOW} : 12)"  # below a number of a new one, if that has one
BESIDE = {"align": ("'left'", "'right'"), "dx": ("9", "-9"), "dy": (CLEAR, LOW)}  # of a number, there and elsewhere


@dataclass(frozen=True)
class PointsPicture:
    """A picture of points."""

    name: str  # which chain: the end of the names of its data sets
    # x, y: domains
    x: Domain
    y: Domain
    columns: tuple[Column, Column]  # what lies along the axes; on a line the first alone
    size: int  # of a point, in square pixels
    one: str  # what a component is called
    opened: bool  # whether updates are shown one by one
    averaged: bool = False  # whether the prediction is averaged over sweeps


def clusters(picture: PointsPicture) -> alt.Chart:
    """Return the components that are drawn: while a point is scored, what they predict takes their place."""
    there = rows(f"clusters_{picture.name}", "table", *["top"] * picture.opened)
    return there.transform_calculate(color=f"datum.table % {len(COLORS)}", mark=f"'{picture.one}-' + (datum.table + 1)")


def at_each(source: alt.Chart, places: str, **curve: str) -> alt.Chart:
    """Return a row for each ``place`` on each row's curve; `curve` says how to compute where it is."""
    found: alt.Chart = source.transform_calculate(place=places).transform_flatten(["place"])
    return found.transform_calculate(**curve)


def ring(source: alt.Chart, radius: float) -> alt.Chart:
    """Return the corners of ellipses; see `model.factor`."""
    return corners(source, f"{radius}", AROUND)


def _options(picture: PointsPicture) -> alt.Chart:
    found = rows(f"options_{picture.name}", "top").transform_filter("told")
    return found.transform_calculate(
        color=f"datum.option % {len(COLORS)}", mark=f"{NEW} ? 'new' : '{picture.one}-' + (datum.option + 1)"
    )


def ellipses(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw what each option predicts for the point in hand: 86 % of it, as two standard deviations of a Normal."""
    around = ring(_options(picture), 1).encode(*axes, detail="option:N", order="angle:Q")
    look: dict[str, Any] = {"interpolate": "cardinal-closed", "clip": True}
    return [
        around.transform_filter(SEEN)
        .mark_line(**look)
        .encode(by_stroke(), by_fill(), strokeWidth=if_lit(4, 1.4), fillOpacity=if_lit(0.3, 0.1)),
        around.transform_filter(NEW)
        .mark_line(color=INK, opacity=0.7, strokeDash=[6, 4], **look)
        .encode(strokeWidth=if_lit(4, 1.3)),
    ]


def curves(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw what each option predicts for the point in hand, a Student t, and how high it is there: its fit."""
    options = _options(picture)
    drawn = at_each(
        options,
        "sequence(-5, 5.01, 0.1)",
        x="datum.centre + datum.scale * datum.place",
        y="exp(datum.log_height - (datum.df + 1) / 2 * log(1 + datum.place * datum.place / datum.df)) / datum.top",
    ).encode(*axes, detail="option:N", order="place:Q")
    here = options.transform_calculate(y="datum.fit / datum.top", zero="0", said="format(datum.fit, '.3g')")
    here = here.encode(*axes)
    dots = here.mark_point(shape="circle", filled=True, opacity=1, size=DOT, strokeWidth=1.5)
    likely = here.transform_filter("datum.p > 0.05").encode(alt.Text("said:N"))
    (low, high) = picture.x
    rim = f"(datum.x - {low}) / {high - low} * width < {ASIDE}"  # there the number of a new one is on the left
    side = {name: alt.ExprRef(f"{rim} ? {there} : {elsewhere}") for name, (there, elsewhere) in BESIDE.items()}
    return [
        drawn.transform_filter(SEEN).mark_line(clip=True).encode(by_stroke(), strokeWidth=if_lit(4.5, 1.8)),
        drawn.transform_filter(NEW)
        .mark_line(strokeDash=[6, 4], color=INK, clip=True)
        .encode(strokeWidth=if_lit(4.5, 1.6)),
        here.mark_rule(color=SOFT, strokeWidth=1).encode(y2="zero:Q"),
        dots.transform_filter(SEEN).encode(by_fill(), stroke=alt.value(PAPER)),
        dots.transform_filter(NEW).encode(**ON_PAPER),
        *written(likely.transform_filter(SEEN), fontSize=12, **side),
        *written(likely.transform_filter(NEW), align="left", dx=9, dy=alt.ExprRef(LOW), fontSize=12),
    ]


def spokes(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw a line from the point in hand to each option, as broad as its probability; that of the draw, stronger."""
    width = alt.StrokeWidth("width:Q", scale=None)
    offered = _options(picture).transform_filter("datum.p > 0.001").transform_calculate(width="1.5 + 11 * datum.p")
    lines = offered.mark_rule(clip=True).encode(*axes, width, **SIDES, opacity=if_lit(1, 0.45))
    chosen = _dart(picture).transform_filter(f"datum.beat == {SAMPLE}").transform_calculate(width="1.5 + 11 * datum.p")
    return [
        lines.transform_filter(SEEN).encode(by_stroke()),
        lines.transform_filter(NEW).encode(stroke=alt.value(SOFT)),
        chosen.mark_rule(clip=True).encode(*axes, width, by_stroke(), **SIDES),
    ]


def _dart(picture: PointsPicture) -> alt.Chart:
    found = rows(f"dart_{picture.name}", "beat").transform_filter("told")
    return found.transform_calculate(color=f"datum.label % {len(COLORS)}", mark="'dart'")


def ends(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw the options' marks where their spokes end, with their probabilities where there is room."""
    offered = (
        _options(picture)
        .transform_filter("datum.p > 0.001")
        .transform_calculate(
            dy="datum.y > datum.y2 ? 22 : -20",
            x="datum.x2",
            y="datum.y2",
            title=f"{NEW} ? 'new' : datum.option + 1",
            said="format(datum.p, '.2f')",
        )
    )
    offered = offered.encode(*axes)
    said = offered.transform_filter("datum.p >= 0.005 && datum.room > 0").encode(alt.Text("said:N"))
    look: dict[str, Any] = {"dy": alt.ExprRef("datum.dy"), "fontSize": 13, "fontWeight": "bold"}
    badge = offered.mark_point(shape="circle", filled=True, opacity=1)
    return [
        badge.transform_filter(SEEN).encode(by_fill(), size=if_lit(480, 260)),
        offered.transform_filter(SEEN)
        .mark_text(fontSize=12, fontWeight="bold", color="white")
        .encode(alt.Text("title:N")),
        offered.transform_filter(NEW)
        .mark_point(shape="circle", filled=True, opacity=1, size=900, strokeDash=[4, 3])
        .encode(**ON_PAPER, strokeWidth=if_lit(4, 1.5)),
        offered.transform_filter(NEW).mark_text(fontSize=12, color=INK).encode(alt.Text("title:N")),
        *written(said, **look),
    ]


def bar(picture: PointsPicture, axes: Axes) -> list[alt.Chart]:
    """Draw the options end to end on a bar from 0 to 1, at the bottom, and the dart that falls on it."""

    def across(share: str) -> str:
        (low, high) = picture.x
        return f"{low} + {high - low} * ({RIM} + {1 - 2 * RIM} * {share})"

    def up(share: float | str) -> str:
        (low, high) = picture.y
        return f"{low} + {high - low} * {share}"

    bottom, top = BAR
    options = _options(picture)
    boxes = options.transform_calculate(
        x=across("datum.low"), x2=across("datum.high"), y=up(bottom), y2=up(top)
    ).mark_rect()
    boxes = boxes.encode(*axes, **SIDES, stroke=if_lit(INK, PAPER), strokeWidth=if_lit(3, 1))
    names = options.transform_filter(
        f"(datum.high - datum.low) * width > larger * ({NEW} ? 34 : 16)"
    ).transform_calculate(
        x=across("(datum.low + datum.high) / 2"), y=up((bottom + top) / 2), title=f"{NEW} ? 'new' : datum.option + 1"
    )
    names = names.encode(*axes, alt.Text("title:N"))
    bold: dict[str, Any] = {"fontSize": 12, "fontWeight": "bold"}
    thrown = (
        _dart(picture)
        .transform_filter(f"datum.beat == {SAMPLE} || {ON_ITS_WAY}")
        .transform_calculate(
            x=across("datum.at"),
            y=up(f"({top + 0.022} + 0.4 * (datum.beat == {SCORE} ? 1 - {EASED} : 0))"),
            said="format(datum.at, '.3f')",
        )
    )
    said = thrown.transform_filter(f"datum.beat == {SAMPLE}").encode(*axes, alt.Text("said:N"))
    return [
        boxes.transform_filter(SEEN).encode(by_fill()),
        boxes.transform_filter(NEW).encode(fill=alt.value(SOFT)),
        names.transform_filter(SEEN).mark_text(color="white", **bold),
        names.transform_filter(NEW).mark_text(color=PAPER, **bold),
        dart(thrown, *axes),
        *written(said, fontSize=12, dy=-2, **beside("datum.at", 10)),
    ]


def landing(picture: PointsPicture, axes: Axes) -> alt.Chart:
    """Draw the way of the label that was drawn to the point in hand, between Sample and Remember."""
    under_way = _dart(picture).transform_filter(f"datum.beat == {SAMPLE} && {ON_ITS_WAY}")
    moved = under_way.transform_calculate(
        x_now=f"datum.x2 + {EASED} * (datum.x - datum.x2)", y_now=f"datum.y2 + {EASED} * (datum.y - datum.y2)"
    )
    return moved.mark_point(shape="circle", filled=True, opacity=1, size=180, strokeWidth=1.5).encode(
        *through(axes, "x_now", "y_now"), by_fill(), stroke=alt.value(PAPER)
    )
