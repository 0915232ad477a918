"""The next customer's dish as a random distribution: a bar at each table's dish, and a curve for all new ones."""

from __future__ import annotations

from typing import Any

import numpy as np

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.contract.charts import Chart
from pages.drawing import palette
from pages.drawing.charts import INK, NOW, SOFT, axis, colored, finish, if_lit, rows
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once

ENDS = (-3.0, 3.0)  # of the axis
STREAM = 1  # of the seed: the dishes
NUMBER = 15  # pixels that a table's number takes, with some room
NAMED = 0.03  # from this share on, a dish carries its table's number
POINTS = 61  # of the curve


def dishes(seed: int, tables: int) -> np.ndarray:
    """Return the tables' dishes, drawn from G₀, the standard normal; shape (tables,)."""
    drawn = np.random.default_rng((seed, STREAM)).standard_normal(tables)
    places: np.ndarray = np.clip(drawn, *ENDS)
    return places


def shares(counts: np.ndarray, settings: CRPSeatingSettings) -> tuple[np.ndarray, np.ndarray]:
    """Return the probabilities of the tables' dishes and of a new dish, by the seating rule.

    Parameters
    ----------
    counts : numpy.ndarray
        Customers at each table, shape (iterations, tables); an empty one has no share.
    settings : CRPSeatingSettings
        Its concentration and discount count.

    Returns
    -------
    tables : numpy.ndarray
        Shape (iterations, tables).
    fresh : numpy.ndarray
        Shape (iterations,).
    """
    total = counts.sum(axis=1) + settings.concentration
    used = counts > 0
    own = (counts - settings.discount) * used / total[:, None]
    fresh = (settings.concentration + settings.discount * used.sum(axis=1)) / total
    return own, fresh


def chart(discount: float) -> Chart:
    """Return the chart; with a discount its limit has another name."""
    limit = "Pitman–Yor" if discount else "Dirichlet"
    return Chart(
        "menu",
        "Dish of the next customer",
        "· a new one: {fresh}",
        f"A bar at each table's dish, and a curve for all new ones: after ever more customers, the {limit} process.",
        menu(),
        [("ink", "a table’s dish"), (f"{palette.SOFT} solid", "a new dish, drawn from G₀")],
        aspect="8 / 5",
    )


def _apart(named: alt.Chart) -> alt.Chart:
    """Return the dishes whose numbers lie over no other: of two that would, the one with the larger share."""
    pixels = f"{{}} * width / {ENDS[1] - ENDS[0]}"
    named = named.transform_calculate(
        weight="datum.share - 1e-6 * datum.table",  # no two are alike
        cell=f"floor({pixels.format('datum.dish')} / ({NUMBER} * larger))",
    )
    named = named.transform_joinaggregate(most="max(weight)", groupby=["cell"])
    named = named.transform_filter("datum.weight == datum.most")  # now one between two others keeps them apart
    found = {f"{field}_{beside}": f"{beside}({field})" for beside in ("lag", "lead") for field in ("dish", "weight")}
    named = named.transform_window(sort=[alt.SortField("dish")], **found)
    clear = [
        f"!isValid(datum.dish_{beside}) || datum.weight > datum.weight_{beside} || "
        f"abs({pixels.format(f'(datum.dish - datum.dish_{beside})')}) >= {NUMBER} * larger"
        for beside in ("lag", "lead")
    ]
    return named.transform_filter(" && ".join(f"({each})" for each in clear))


@drawn_once
def menu() -> dict[str, Any]:
    """Draw the dishes; its parameters are ``alpha`` and ``bite``, the discount."""
    x, y = axis(alt.X, "dish", ENDS, "dish", grid=False), axis(alt.Y, "share", (0, 1), tickCount=4, minExtent=28)
    curve = rows("base").transform_calculate(point=f"sequence(0, {POINTS})").transform_flatten(["point"])
    curve = curve.transform_calculate(dish=f"{ENDS[0]} + datum.point * {(ENDS[1] - ENDS[0]) / (POINTS - 1)}")
    curve = curve.transform_calculate(share="datum.fresh * exp(-0.5 * datum.dish * datum.dish)", mark="'new'")
    served = rows("tables").transform_filter("datum.count > 0")
    served = served.transform_calculate(
        share=f"(datum.count - bite) / ({NOW} + alpha)", mark="'table-' + datum.table", foot="0"
    )
    bars = served.mark_rule().encode(x, y, alt.Y2("foot:Q"), colored(alt.Color), strokeWidth=if_lit(10, 6))
    named = _apart(served.transform_filter(f"datum.share >= {NAMED}"))
    layers = [
        curve.mark_area(color=SOFT, opacity=0.3, line={"color": SOFT}).encode(x, y),
        bars,
        named.mark_text(dy=-9, fontSize=12, color=INK).encode(x, y, alt.Text("table:N")),
    ]
    params = [alt.param(name=name, value=value) for name, value in (("alpha", 1), ("bite", 0))]
    return finish(alt.layer(*layers).add_params(*params))
