"""The charts of draws."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

from pages.contract.charts import Chart
from pages.drawing import palette
from pages.drawing.charts import ACCENT, INK, SOFT, axis, finish, if_lit, iterations, marked, past, rows, span
from pages.drawing.lazy import alt
from pages.drawing.marks import BETA, written
from pages.drawing.once import drawn_once
from pages.topics.coin.charts import axes, curves

BIN = 0.05  # width of the bars of draws
CLOSE = 100  # draws that fill the axis at first; with more, it shows the whole run
MAYBE = 40  # places that a step may propose, one for each equal part of their probability
COUNTED = {"draws": "draws", "chain": "steps"}


def charts_of(method: str, heights: Sequence[tuple[str, str]] = (), scale: float = 0.0) -> list[Chart]:
    """Return the charts of draws, the main picture first; those of a chain name its heights, and may have a cloud."""
    exact = "dashed", "exact mean"
    bars = f"{palette.SOFT} block", "draws so far", "begun"
    each = "dot" if method == "draws" else "solid"
    return [
        Chart(
            "density",
            "Density of θ, the probability of heads",
            "· Beta({a}, {b}){begun:| · the draw: θ = }{x}",
            "The prior and the posterior density of the probability of heads, from 0 to 1.",
            density(bool(heights), scale),
            [
                ("dashed", "prior"),
                ("accent", "posterior"),
                bars,
                *heights,
            ],
            aspect="8 / 5",
        ),
        Chart(
            "trace",
            "Mean of the draws",
            "· exact {exact}{begun:| · so far }{mean}",
            "The draws and their mean against the exact mean.",
            trace(method),
            [("accent", "mean so far", "begun"), exact, (f"{palette.SOFT} {each}", "draws so far", "begun")],
        ),
    ]


@drawn_once
def density(chain: bool, scale: float) -> dict[str, Any]:
    """Draw prior and posterior of θ; with them the draws as bars, and the last one as a point.

    A chain has the heights that it compares, and the cloud of its proposals of this size; 0 for none.
    """
    last = marked(rows("here", "x").transform_calculate(y="0"), "draw")
    point = last.mark_point(filled=True, color=INK, opacity=1).encode(*axes(), size=if_lit(450, 150))
    layers = [*_bars(), *curves(0.06), *_heights() * chain, *([_cloud(scale)] if scale else []), point]
    return finish(alt.layer(*layers).add_params(alt.param(name="top", value=1)))


def _bars() -> list[alt.Chart]:
    """Draw the draws so far as bars, whose areas add up to 1; a bar that ends above the axis has its height."""
    drawn = past().transform_filter("datum.t > 0").transform_joinaggregate(all="count()")
    drawn = drawn.transform_calculate(bin=f"min({1 - BIN}, floor(datum.x / {BIN}) * {BIN})")
    drawn = drawn.transform_aggregate(drawn="count()", all="max(all)", groupby=["bin"])
    bars = drawn.transform_calculate(
        x="datum.bin", x2=f"datum.bin + {BIN}", y=f"datum.drawn / datum.all / {BIN}", zero="0"
    )
    above = bars.transform_filter("datum.y > top").transform_calculate(
        x=f"datum.bin + {BIN / 2}", said="'↑ ' + format(datum.y, '.1~f')", row=f"round(datum.bin / {BIN}) % 2"
    )
    rows_apart = [(above.transform_filter(f"datum.row == {row}"), 10 + 14 * row) for row in (0, 1)]  # neighbours
    said = (text.encode(axes()[0], text="said:N") for some, y in rows_apart for text in written(some, y=y, fontSize=12))
    return [bars.mark_rect(color=SOFT, opacity=0.3, clip=True).encode(*axes(), x2="x2:Q", y2="zero:Q"), *said]


def _cloud(scale: float) -> alt.Chart:
    """Draw places that the next step may propose, each as probable as the others, scattered above the axis."""
    parts = [(place + 0.5) / MAYBE for place in range(MAYBE)]
    away = [round(scale * NormalDist().inv_cdf(part), 4) for part in parts]
    high = [round(0.02 + 0.09 * (place * 0.618 % 1), 3) for place in range(MAYBE)]
    places = (
        rows("here", "x")
        .transform_calculate(start="datum.x", away=str(away), high=str(high))
        .transform_flatten(["away", "high"])
    )
    places = places.transform_calculate(x="datum.start + datum.away", y="datum.high * top")
    inside = places.transform_filter("datum.x > 0 && datum.x < 1")
    return inside.mark_point(filled=True, size=14, color=ACCENT, opacity=0.55).encode(*axes())


def _heights() -> list[alt.Chart]:
    """Draw the two heights that a step compares: where it begins, and where its proposal is."""
    ends = rows("here", "there").transform_calculate(x="[datum.before, datum.there]").transform_flatten(["x"])
    ends = ends.transform_filter("datum.x > 0 && datum.x < 1").transform_calculate(y=BETA, zero="0")
    ends = marked(ends, "proposal")
    ring = ends.transform_filter("datum.x == datum.there").mark_point(color=INK, opacity=1, strokeWidth=2)
    rules = ends.mark_rule(color=INK, strokeDash=[2, 3]).encode(*axes(), y2="zero:Q", strokeWidth=if_lit(4, 1.5))
    return [rules, ring.encode(*axes(), size=if_lit(300, 90))]


@drawn_once
def trace(method: str) -> dict[str, Any]:
    """Draw the draws and their running mean."""
    domain, ends = span("trace_span")
    x = iterations(COUNTED[method], alt.ExprRef(f"frame <= {CLOSE} ? {CLOSE} : long"))
    mean, theta = (axis(alt.Y, field, domain, clamp=True, tickCount=4, minExtent=28) for field in ("mean", "x"))
    each = past().mark_line(color=SOFT, strokeWidth=1, opacity=0.7)
    if method == "draws":
        each = past().transform_filter("datum.t > 0").mark_point(filled=True, size=10, color=SOFT, opacity=0.6)
    exact = rows("truth").mark_rule(color=INK, strokeWidth=1.3, strokeDash=[5, 4]).encode(theta)
    line = past().mark_line(color=ACCENT, strokeWidth=2.5).encode(x, mean)
    return finish(alt.layer(each.encode(x, theta), exact, line).add_params(ends, alt.param(name="long", value=1)))
