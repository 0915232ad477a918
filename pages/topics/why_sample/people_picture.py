"""The pictures of a class that is a chain: its thirty chains at the clusterings, both heaps, and the next hand."""

from __future__ import annotations

from typing import Any

from pages.drawing.charts import INK, NOW, SOFT, axis, finish, if_, if_lit, marked, past, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import dart
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.topics.why_sample import picture

HALF_COLORS = COLORS[4], COLORS[3]  # of half A and half B
ASIDE = {3: 2.6, 4: 1.7, 5: 1.2}  # how far a half's chains are from the middle of their ring, in the picture's units
LINES = ["here", "there", "dart"]  # of a hand


def _colored() -> Any:
    """Return the filling of a half."""
    return if_("datum.half == 0", *HALF_COLORS)


@drawn_once
def clusterings(points: int) -> dict[str, Any]:
    """Draw every clustering, and the chains of both halves that are there, as pucks that travel.

    Its parameter ``scale`` is the radius of a ring for a probability of 1.
    """
    there = rows("pucks", "x").transform_calculate(
        px=f"datum.x + {picture.MOVING} * {picture.ON_WAY} * (datum.nx - datum.x) "
        f"+ (datum.half ? 1 : -1) * {ASIDE[points]}",
        py=f"datum.y + {picture.MOVING} * {picture.ON_WAY} * (datum.ny - datum.y)",
        area=picture.area(f"({0.28 * ASIDE[points]} + {0.22 * ASIDE[points]} * sqrt(datum.many))"),
    )
    pucks = there.mark_point(shape="circle", filled=True, stroke="white", strokeWidth=1, opacity=1)
    layers = [
        *picture.heads(),
        *picture.rings(wrong=False),
        pucks.encode(*picture.at("px", "py"), alt.Size("area:Q", scale=None), fill=_colored()),
        *picture.numbers(points),
        *picture.line_of_points(crowd=True),
    ]
    return finish(alt.layer(*layers).add_params(alt.param(name="scale", value=1)))


@drawn_once
def heaps(names: tuple[str, ...]) -> dict[str, Any]:
    """Draw the share of each clustering among a half's visits as a bar, and its exact posterior as a line across."""
    labels = alt.Axis(grid=False, labelAngle=0 if len(names) < 6 else -90, labels=len(names) < 20, ticks=False)
    x = alt.X("name:N", sort=list(names), title=None, axis=labels, scale=alt.Scale(paddingInner=0.2))
    share, exact = (
        axis(alt.Y, field, (0, alt.ExprRef("bars_top")), format="%", tickCount=4, clamp=True)
        for field in ("share", "exact")
    )
    aside = alt.XOffset("half:N", sort=["A", "B"])
    bars = rows("heaps").transform_calculate(mark="'clustering-' + datum.number")
    fill = if_("datum.half == 'A'", *HALF_COLORS)
    drawn = bars.mark_bar(clip=True).encode(x, share, aside, color=fill, opacity=if_lit(1, 0.85))
    nodes = rows("nodes").mark_tick(orient="horizontal", color=INK, thickness=2.5)
    layers = [drawn, nodes.encode(x, exact).transform_filter("told")]
    return finish(alt.layer(*layers).add_params(alt.param(name="bars_top", value=1)))


@drawn_once
def distance(last: int) -> dict[str, Any]:
    """Draw how far the visits of each half are from the posterior, with what is to be expected of the right rule."""
    x = alt.X(
        "t:Q",
        title="rounds",
        scale=alt.Scale(type="log", domain=[1, last], nice=False),
        axis=alt.Axis(grid=False, values=[1, 3, 10, 30, 100]),
    )
    scale = alt.Scale(type="log", domain=[alt.ExprRef("least"), 1], nice=False, clamp=True)

    def y(field: str) -> alt.Y:
        return alt.Y(f"{field}:Q", title=None, scale=scale, axis=alt.Axis(format="~g", grid=False, tickCount=3))

    begun = past().transform_filter("datum.t > 0")
    noise = rows("floor").encode(x).mark_line(color=INK, strokeDash=[6, 4], strokeWidth=1.6).encode(y("noise"))
    lines = []
    for field, color in zip(("a", "b"), HALF_COLORS, strict=True):
        line = begun.mark_line(color=color, strokeWidth=2.5).encode(x, y(field))
        here = begun.transform_filter(f"datum.t == {NOW}").mark_point(filled=True, size=60, color=color, opacity=1)
        lines += [line, here.encode(x, y(field))]
    return finish(alt.layer(noise, *lines).add_params(alt.param(name="least", value=0.01)))


@drawn_once
def hand(names: tuple[str, ...]) -> dict[str, Any]:
    """Draw what the next person gets of chain 1: both posteriors, the dart, and the part of the bar that says to move.

    While a question withholds what would give its answer away, that part is not drawn.
    """
    y = alt.Y("line:N", sort=LINES, title=None, axis=alt.Axis(grid=False, ticks=False, domain=False, labelLimit=90))
    look = {"height": alt.RelativeBandSize(0.6)}

    def x(field: str) -> alt.X:
        return axis(alt.X, field, (0, 1), None, grid=False, tickCount=5)

    both = rows("hand", "share").transform_calculate(
        line=f"{LINES}[datum.row]",
        mark="['here', 'proposal'][datum.row]",
        said=f"{list(names)}[datum.which] + ': ' + format(datum.share, '.3f')",
    )
    bar = rows("toss", "dart").transform_calculate(
        line=f"'{LINES[2]}'", mark="'bar'", whole="1", number="format(datum.dart, '.3f')"
    )
    part = bar.transform_filter("told").mark_bar(color=HALF_COLORS[0], **look)
    words = both.mark_text(align="left", dx=6, color=INK, fontWeight="bold").encode(x("share"), y, text="said:N")
    return finish(
        alt.layer(
            both.mark_bar(color=HALF_COLORS[0], **look).encode(x("share"), y, opacity=if_lit(1, 0.8)),
            words,
            bar.mark_bar(color=SOFT, opacity=0.25, **look).encode(x("whole"), y),
            part.encode(x("chance"), y, opacity=if_lit(1, 0.8)),
            dart(marked(bar, "dart"), x("dart"), y),
            bar.mark_text(dy=-14, color=INK, fontWeight="bold").encode(x("dart"), y, text="number:N"),
        )
    )
