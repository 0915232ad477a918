"""The charts of one coin."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import altair as alt

from pages.contract.charts import Chart
from pages.drawing.charts import ACCENT, INK, NOW, SOFT, SPECS, finish, if_lit, marked
from pages.drawing.marks import BETA, beta

BIN = 0.05  # width of the bars of draws
CLOSE = 100  # so many draws are seen from near, more from afar
X = alt.X("x:Q", title="θ", scale=alt.Scale(domain=[0, 1], nice=False), axis=alt.Axis(grid=False, tickCount=6))


def charts_of(method: str) -> list[Chart]:
    """Return the charts of tosses, of draws or of a chain, the main picture first."""
    tossing, exact = method == "tosses", [("ink", "exact mean")] * (method != "tosses")
    truth = ("ink", "the coin’s own θ") if tossing else (f"{SOFT} solid", "draws so far")
    return [
        Chart(
            "density",
            "Density of θ, the probability of heads",
            "· {heads} {heads:heads|head|heads}, {tails} {tails:tails|tail|tails}: Beta({a}, {b})"
            if tossing
            else "· Beta({a}, {b}){begun:| · the draw: θ = }{x}",
            "The prior and the posterior density of the probability of heads, from 0 to 1.",
            density(method),
            [("dashed", "prior"), ("accent", "posterior"), truth]
            + [("dotted", "heights of the last step: here, and there (ring)")] * (method == "chain"),
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


def _height() -> alt.Y:
    scale = alt.Scale(domain=[0, alt.ExprRef("top")], nice=False)
    return alt.Y("y:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4, minExtent=28))


def _heights(y: alt.Y) -> list[alt.Chart]:
    """Return the two heights that the last step compared: where it began, and where its proposal was."""
    ends = alt.Chart(alt.NamedData("here")).transform_filter("isValid(datum.there)")
    ends = ends.transform_calculate(x="[datum.before, datum.there]").transform_flatten(["x"])
    ends = marked(ends.transform_filter("datum.x > 0 && datum.x < 1").transform_calculate(y=BETA, zero="0"), "proposal")
    new = ends.transform_filter("datum.x == datum.there")
    return [
        ends.mark_rule(color=INK, strokeDash=[2, 3]).encode(X, y, y2="zero:Q", strokeWidth=if_lit(4, 1.5)),
        new.mark_point(color=INK, opacity=1, strokeWidth=2).encode(X, y, size=if_lit(300, 90)),
    ]


def _past(first: int) -> alt.Chart:
    return alt.Chart(alt.NamedData("past")).transform_filter(f"datum.t >= {first} && datum.t <= {NOW}")


@lru_cache(maxsize=SPECS)
def density(method: str) -> dict[str, Any]:
    """Draw prior and posterior of θ; with them the coin's own θ, or the draws as bars and the last one as a point."""
    y = _height()
    prior, posterior = marked(beta("prior"), "prior"), marked(beta("here"), "posterior")
    layers = [
        posterior.mark_area(color=ACCENT, opacity=0.14 if method == "tosses" else 0.06).encode(X, y),
        posterior.mark_line(color=ACCENT).encode(X, y, strokeWidth=if_lit(5.5, 2.5)),
        prior.mark_line(color=INK, strokeDash=[5, 5]).encode(X, y, strokeWidth=if_lit(4.5, 1.5)),  # at the start on top
    ]
    if method == "tosses":
        truth = marked(alt.Chart(alt.NamedData("truth")), "bias")
        layers.append(truth.mark_rule(color=INK).encode(X, strokeWidth=if_lit(4, 1.5)))
    else:
        bars = (
            _past(1)
            .transform_joinaggregate(all="count()")
            .transform_calculate(x=f"min({1 - BIN}, floor(datum.x / {BIN}) * {BIN})")
            .transform_aggregate(drawn="count()", all="max(all)", groupby=["x"])
            .transform_calculate(y=f"datum.drawn / datum.all / {BIN}", x2=f"datum.x + {BIN}", zero="0")
        )
        last = alt.Chart(alt.NamedData("here")).transform_filter("isValid(datum.x)").transform_calculate(y="0")
        last = marked(last, "draw")
        layers.insert(0, bars.mark_rect(color=SOFT, opacity=0.3, clip=True).encode(X, y, x2="x2:Q", y2="zero:Q"))
        if method == "chain":
            layers += _heights(y)
        layers.append(last.mark_point(filled=True, color=INK, opacity=1).encode(X, y, size=if_lit(450, 150)))
    return finish(alt.layer(*layers).add_params(alt.param(name="top", value=1)))


@lru_cache(maxsize=SPECS)
def trace(method: str) -> dict[str, Any]:
    """Draw the predictive probability of heads toss by toss, or the draws and their running mean."""
    x = alt.X(
        "t:Q",
        title={"tosses": "tosses", "draws": "draws", "chain": "steps"}[method],
        scale=alt.Scale(domain=[0, alt.ExprRef(f"frame <= {CLOSE} ? min({CLOSE}, long) : long")], nice=False),
        axis=alt.Axis(grid=False, tickCount=4, tickMinStep=1),
    )
    scale = alt.Scale(domain=[alt.ExprRef("low"), alt.ExprRef("high")], nice=False, zero=False, clamp=True)
    y = alt.Y("mean:Q", title=None, scale=scale, axis=alt.Axis(tickCount=4, minExtent=28))
    truth = alt.Chart(alt.NamedData("truth")).mark_rule(color=INK, strokeWidth=1.5).encode(alt.Y("x:Q", scale=scale))
    past = _past(0 if method != "draws" else 1)
    mean = past.mark_line(color=ACCENT, strokeWidth=2.5).encode(x, y)
    if method == "tosses":
        under: Any = past.mark_area(color=ACCENT, opacity=0.15, clip=True).encode(
            x, alt.Y("low:Q", scale=scale), y2="high:Q"
        )
    elif method == "draws":
        under = past.mark_point(filled=True, size=10, color=SOFT, opacity=0.6).encode(x, alt.Y("x:Q", scale=scale))
    else:
        under = past.mark_line(color=SOFT, strokeWidth=1, opacity=0.7).encode(x, alt.Y("x:Q", scale=scale))
    axes = {"long": 1, "low": 0, "high": 1}
    return finish(alt.layer(under, truth, mean).add_params(*(alt.param(name=n, value=v) for n, v in axes.items())))
