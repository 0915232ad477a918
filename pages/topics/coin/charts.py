"""The charts of one coin."""

from functools import lru_cache
from typing import Any

import altair as alt

from pages.contract.charts import Chart
from pages.drawing.charts import ACCENT, INK, SPECS, axis, finish, if_lit, iterations, marked, past, rows
from pages.drawing.marks import beta

X = axis(alt.X, "x", (0, 1), "θ", grid=False, tickCount=6)
Y = axis(alt.Y, "y", (0, alt.ExprRef("top")), tickCount=4, minExtent=28)


def charts() -> list[Chart]:
    """Return the charts, the main picture first."""
    return [
        Chart(
            "density",
            "Density of θ, the probability of heads",
            "· {heads} {heads:heads|head|heads}, {tails} {tails:tails|tail|tails}: Beta({a}, {b})",
            "The prior and the posterior density of the probability of heads, from 0 to 1.",
            density(),
            [("dashed", "prior"), ("accent", "posterior"), ("ink", "the coin’s own θ")],
            aspect="8 / 5",
        ),
        Chart(
            "trace",
            "Probability of heads next",
            "· {mean}",
            "The posterior predictive against the tosses, and the coin’s own θ.",
            trace(),
            [("accent", "predictive, ± 1 sd of θ"), ("ink", "the coin’s own θ")],
        ),
    ]


def curves(fill: float) -> list[alt.Chart]:
    """Draw the densities of prior and posterior, with an area of this opacity under the posterior."""
    prior, posterior = marked(beta("prior"), "prior"), marked(beta("here"), "posterior")
    return [
        posterior.mark_area(color=ACCENT, opacity=fill).encode(X, Y),
        posterior.mark_line(color=ACCENT).encode(X, Y, strokeWidth=if_lit(5.5, 2.5)),
        prior.mark_line(color=INK, strokeDash=[5, 5]).encode(X, Y, strokeWidth=if_lit(4.5, 1.5)),  # at the start on top
    ]


@lru_cache(maxsize=SPECS)
def density() -> dict[str, Any]:
    """Draw prior and posterior of θ, and the coin's own θ."""
    bias = marked(rows("truth"), "bias").mark_rule(color=INK).encode(X, strokeWidth=if_lit(4, 1.5))
    return finish(alt.layer(*curves(0.14), bias).add_params(alt.param(name="top", value=1)))


@lru_cache(maxsize=SPECS)
def trace() -> dict[str, Any]:
    """Draw the predictive probability of heads toss by toss, and one standard deviation of θ around it."""
    x = iterations("tosses", alt.ExprRef("long"))
    theta, low, mean = (axis(alt.Y, name, (0, 1), tickCount=4, minExtent=28) for name in ("x", "low", "mean"))
    around = past().mark_area(color=ACCENT, opacity=0.15, clip=True).encode(x, low, y2="high:Q")
    bias = rows("truth").mark_rule(color=INK, strokeWidth=1.5).encode(theta)
    line = past().mark_line(color=ACCENT, strokeWidth=2.5).encode(x, mean)
    return finish(alt.layer(around, bias, line).add_params(alt.param(name="long", value=1)))
