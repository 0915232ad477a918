"""The chart of a concentration that is learned: what came up so far, its prior, and the exact posterior where known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.contract.charts import Chart
from pages.contract.columns import FLOAT32, Columns, Data
from pages.drawing.charts import ACCENT, INK, axis, finish, rows
from pages.drawing.lazy import alt
from pages.drawing.numbers import rounded
from pages.drawing.once import drawn_once

MOST = 6.0  # where the axis ends; the last bar stands for all larger values as well
BARS = 24
EDGES = np.linspace(0, MOST, BARS + 1)
LINE = np.linspace(0.02, MOST, 150)
TOP = 1.5  # of the axis of densities


@dataclass(frozen=True, eq=False)
class Concentration:
    """A concentration that is learned, as it is drawn."""

    draws: np.ndarray  # after each sweep, filled as the run grows, shape (sweeps + 1,)
    prior: np.ndarray  # density of the prior at `LINE`
    exact: np.ndarray | None  # density of the exact posterior there

    def chart(self) -> Chart:
        """Return the chart."""
        exact = [("ink", "exact")] if self.exact is not None else []
        return Chart(
            "alpha",
            "Concentration α so far",
            "· now {alpha}",
            "How often each value of the concentration has come up so far, beside its prior and the exact posterior "
            "where that is known.",
            _spec(self.exact is not None),
            [("block", "this chain"), ("accent", "α now"), ("dashed", "prior"), *exact],
        )

    def data(self) -> Data:
        """Return the data sets, of which frames change the shares and the present value."""
        line: dict[str, list[Any]] = {"x": rounded(LINE), "prior": rounded(self.prior), "exact": [None] * len(LINE)}
        if self.exact is not None:
            line["exact"] = rounded(self.exact)
        bars = {"low": EDGES[:-1].tolist(), "high": EDGES[1:].tolist(), "density": FLOAT32}
        return {"alphas": bars, "alpha_line": line, "alpha_now": {"x": FLOAT32}}

    def columns(self, start: int, stop: int) -> Columns:
        """Return the columns of sweeps from `start` and below `stop`."""
        draws = self.draws[1:stop]
        places = np.minimum((draws / MOST * BARS).astype(int), BARS - 1)
        hits = places[:, None] == np.arange(BARS)
        until = np.concatenate([np.zeros((1, BARS)), hits.cumsum(axis=0)])[start:stop]
        share = until / np.maximum(np.arange(start, stop), 1)[:, None]
        now = self.draws[start:stop]
        return {
            ("alphas", "density"): share * BARS / MOST,
            ("alpha_now", "x"): np.minimum(now, MOST),
            ("say", "alpha"): now,
        }


@drawn_once
def _spec(exact: bool) -> dict[str, Any]:
    x = axis(alt.X, "x", (0, MOST), "α", grid=False, tickCount=6)
    y = axis(alt.Y, "y", (0, TOP), clamp=True, tickCount=3)
    heights = rows("alphas").transform_calculate(x="datum.low", y="datum.density", zero="0")
    bars = heights.mark_bar(color=ACCENT, opacity=0.55, clip=True).encode(x, y, x2="high:Q", y2="zero:Q")
    line = rows("alpha_line").transform_calculate(y="datum.prior")
    layers = [bars, line.mark_line(color=INK, strokeWidth=1.2, strokeDash=[5, 3]).encode(x, y, order="x:Q")]
    if exact:
        known = rows("alpha_line").transform_calculate(y="datum.exact")
        layers.append(known.mark_line(color=INK, strokeWidth=2).encode(x, y, order="x:Q"))
    layers.append(rows("alpha_now", "x").mark_rule(color=ACCENT, strokeWidth=2).encode(x))
    return finish(alt.layer(*layers))
