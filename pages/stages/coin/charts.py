"""The charts of one coin."""

from functools import lru_cache
from typing import Any

import altair as alt

from pages.contract.charts import Chart
from pages.drawing import palette
from pages.drawing.charts import ACCENT, INK, SOFT, SPECS, axis, finish, if_lit, marked, past, rows, span
from pages.drawing.marks import BETA, beta

BIN = 0.05  # width of the bars of draws
CLOSE = 100  # so many draws are seen from near, more from afar
COUNTED = {"tosses": "tosses", "draws": "draws", "chain": "steps"}


def charts_of(method: str) -> list[Chart]:
    """Return the charts of tosses, of draws or of a chain, the main picture first."""
    tossing, exact = method == "tosses", [("ink", "exact mean")] * (method != "tosses")
    truth = ("ink", "the coin’s own θ") if tossing else (f"{palette.SOFT} solid", "draws so far")
    heights = [("dotted", "heights of the last step: here, and there (ring)")] * (method == "chain")
    toss = "· {heads} {heads:heads|head|heads}, {tails} {tails:tails|tail|tails}: Beta({a}, {b})"
    return [
        Chart(
            "density",
            "Density of θ, the probability of heads",
            toss if tossing else "· Beta({a}, {b}){begun:| · the draw: θ = }{x}",
            "The prior and the posterior density of the probability of heads, from 0 to 1.",
            density(method),
            [("dashed", "prior"), ("accent", "posterior"), truth, *heights],
            aspect="8 / 5",
        ),
        Chart(
            "trace",
            "Probability of heads next" if tossing else "Mean of the draws",
            "· {x}" if tossing else "· exact {exact}{begun:| · so far }{mean}",
            "The posterior predictive against the tosses, or the draws and their mean against the exact mean.",
            trace(method),
            [("accent", "predictive, ± 1 sd of θ" if tossing else "mean so far"), *exact, truth],
        ),
    ]


@lru_cache(maxsize=SPECS)
def density(method: str) -> dict[str, Any]:
    """Draw prior and posterior of θ; with them the coin's own θ, or the draws as bars and the last one as a point."""
    x = axis(alt.X, "x", (0, 1), "θ", grid=False, tickCount=6)
    y = axis(alt.Y, "y", (0, alt.ExprRef("top")), tickCount=4, minExtent=28)
    prior, posterior = marked(beta("prior"), "prior"), marked(beta("here"), "posterior")
    layers = [
        posterior.mark_area(color=ACCENT, opacity=0.14 if method == "tosses" else 0.06).encode(x, y),
        posterior.mark_line(color=ACCENT).encode(x, y, strokeWidth=if_lit(5.5, 2.5)),
        prior.mark_line(color=INK, strokeDash=[5, 5]).encode(x, y, strokeWidth=if_lit(4.5, 1.5)),  # at the start on top
    ]
    if method == "tosses":
        layers.append(marked(rows("truth"), "bias").mark_rule(color=INK).encode(x, strokeWidth=if_lit(4, 1.5)))
    else:
        last = marked(rows("here", "x").transform_calculate(y="0"), "draw")
        point = last.mark_point(filled=True, color=INK, opacity=1).encode(x, y, size=if_lit(450, 150))
        layers = [_bars(x, y), *layers, *(_heights(x, y) if method == "chain" else []), point]
    return finish(alt.layer(*layers).add_params(alt.param(name="top", value=1)))


def _bars(x: alt.X, y: alt.Y) -> alt.Chart:
    """Draw the draws so far as bars, whose areas add up to 1."""
    drawn = past().transform_filter("datum.t > 0").transform_joinaggregate(all="count()")
    drawn = drawn.transform_calculate(x=f"min({1 - BIN}, floor(datum.x / {BIN}) * {BIN})")
    drawn = drawn.transform_aggregate(drawn="count()", all="max(all)", groupby=["x"])
    bars = drawn.transform_calculate(y=f"datum.drawn / datum.all / {BIN}", x2=f"datum.x + {BIN}", zero="0")
    found: alt.Chart = bars.mark_rect(color=SOFT, opacity=0.3, clip=True).encode(x, y, x2="x2:Q", y2="zero:Q")
    return found


def _heights(x: alt.X, y: alt.Y) -> list[alt.Chart]:
    """Draw the two heights that the last step compared: where it began, and where its proposal was."""
    ends = rows("here", "there").transform_calculate(x="[datum.before, datum.there]").transform_flatten(["x"])
    ends = ends.transform_filter("datum.x > 0 && datum.x < 1").transform_calculate(y=BETA, zero="0")
    ends = marked(ends, "proposal")
    ring = ends.transform_filter("datum.x == datum.there").mark_point(color=INK, opacity=1, strokeWidth=2)
    rules = ends.mark_rule(color=INK, strokeDash=[2, 3]).encode(x, y, y2="zero:Q", strokeWidth=if_lit(4, 1.5))
    return [rules, ring.encode(x, y, size=if_lit(300, 90))]


@lru_cache(maxsize=SPECS)
def trace(method: str) -> dict[str, Any]:
    """Draw the predictive probability of heads toss by toss, or the draws and their running mean."""
    end = alt.ExprRef(f"frame <= {CLOSE} ? min({CLOSE}, long) : long")
    x = axis(alt.X, "t", (0, end), COUNTED[method], grid=False, tickCount=4, tickMinStep=1)
    domain, ends = span("trace_span")
    mean, theta, low = (
        axis(alt.Y, field, domain, clamp=True, tickCount=4, minExtent=28) for field in ("mean", "x", "low")
    )
    run = past().transform_filter("datum.t > 0") if method == "draws" else past()
    under = {
        "tosses": run.mark_area(color=ACCENT, opacity=0.15, clip=True).encode(x, low, y2="high:Q"),
        "draws": run.mark_point(filled=True, size=10, color=SOFT, opacity=0.6).encode(x, theta),
        "chain": run.mark_line(color=SOFT, strokeWidth=1, opacity=0.7).encode(x, theta),
    }
    truth = rows("truth").mark_rule(color=INK, strokeWidth=1.5).encode(theta)
    line = run.mark_line(color=ACCENT, strokeWidth=2.5).encode(x, mean)
    return finish(alt.layer(under[method], truth, line).add_params(ends, alt.param(name="long", value=1)))
