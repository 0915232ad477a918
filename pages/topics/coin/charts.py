"""The charts of one coin."""

from __future__ import annotations

from typing import Any

from pages.contract.charts import Chart
from pages.drawing.charts import ACCENT, INK, axis, finish, if_lit, iterations, marked, past, rows
from pages.drawing.lazy import alt
from pages.drawing.marks import beta, written
from pages.drawing.once import drawn_once


def charts(truth: bool) -> list[Chart]:
    """Return the charts, the main picture first; with the line of the coin's own θ, or without it."""
    own = [("ink", "the coin’s own θ")] * truth
    return [
        Chart(
            "density",
            "Density of θ, the probability of heads",
            "· {heads} {heads:heads|head|heads}, {tails} {tails:tails|tail|tails}: Beta({a}, {b})",
            "The prior and the posterior density of the probability of heads, from 0 to 1.",
            density(),
            [("dashed", "prior"), ("accent", "posterior")],
            aspect="8 / 5",
        ),
        Chart(
            "trace",
            "Probability of heads next",
            "· {mean}",
            "The posterior predictive against the tosses, and the coin’s own θ.",
            trace(),
            [("accent", "predictive, ± 1 sd of θ"), *own],
        ),
    ]


def axes() -> tuple[alt.X, alt.Y]:
    """Return the axes of θ and of its density."""
    x = axis(alt.X, "x", (0, 1), "θ", grid=False, tickCount=6)
    return x, axis(alt.Y, "y", (0, alt.ExprRef("top")), tickCount=4, minExtent=28)


def curves(fill: float) -> list[alt.Chart]:
    """Draw the densities of prior and posterior, with an area of this opacity under the posterior."""
    prior, posterior = marked(beta("prior"), "prior"), marked(beta("here"), "posterior")
    return [
        posterior.mark_area(color=ACCENT, opacity=fill).encode(*axes()),
        posterior.mark_line(color=ACCENT).encode(*axes(), strokeWidth=if_lit(5.5, 2.5)),
        # at the start on top
        prior.mark_line(color=INK, strokeDash=[5, 5]).encode(*axes(), strokeWidth=if_lit(4.5, 1.5)),
    ]


@drawn_once
def density() -> dict[str, Any]:
    """Draw prior and posterior of θ, and the coin's own θ."""
    bias = marked(rows("truth"), "bias").mark_rule(color=INK).encode(axes()[0], strokeWidth=if_lit(4, 1.5))
    to_the_left = "datum.x > 0.5"  # of the line, where the label has room
    side = {"align": alt.ExprRef(f"{to_the_left} ? 'right' : 'left'"), "dx": alt.ExprRef(f"{to_the_left} ? -6 : 6")}
    named = written(rows("truth"), y=alt.ExprRef("height - 6"), baseline="bottom", fontSize=13, **side)
    names = (text.encode(axes()[0], text=alt.value("the coin’s own θ")) for text in named)
    return finish(alt.layer(*curves(0.14), bias, *names).add_params(alt.param(name="top", value=1)))


@drawn_once
def trace() -> dict[str, Any]:
    """Draw the predictive probability of heads toss by toss, and one standard deviation of θ around it."""
    x = iterations("tosses", alt.ExprRef("long"))
    theta, low, mean = (axis(alt.Y, name, (0, 1), tickCount=4, minExtent=28) for name in ("x", "low", "mean"))
    around = past().mark_area(color=ACCENT, opacity=0.15, clip=True).encode(x, low, y2="high:Q")
    bias = rows("truth").mark_rule(color=INK, strokeWidth=1.5).encode(theta)
    line = past().mark_line(color=ACCENT, strokeWidth=2.5).encode(x, mean)
    return finish(alt.layer(around, bias, line).add_params(alt.param(name="long", value=1)))
