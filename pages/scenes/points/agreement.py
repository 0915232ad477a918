"""What R-hat compares, as a picture: where the parts of the chains lie, and how far each of them spreads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pages.drawing.charts import vega_lite
from pages.drawing.lazy import alt
from pages.drawing.once import drawn_once
from pages.drawing.palette import ACCENT
from pages.drawing.parts import chart
from samplers.diagnostics.convergence import parts_of

TITLE = "<p><b>What R-hat compares</b>: how far apart the means (dots) lie, and how wide each part is (bars)</p>"


def compared(name: str, draws: Sequence[np.ndarray]) -> str:
    """Return the parts of the chains' draws as a chart: the mean of each, and a standard deviation to both sides."""
    parts = parts_of(np.array(draws, float))
    means, spreads = parts.mean(axis=1), parts.std(axis=1, ddof=1)
    rows = [
        {"part": part, "mean": float(mean), "low": float(mean - spread), "high": float(mean + spread)}
        for part, mean, spread in zip(_names(len(draws)), means, spreads, strict=True)
    ]
    return TITLE + chart(_spec(name), f"{name}: the mean and the spread of each part", parts=rows)


def _names(chains: int) -> list[str]:
    """Return the names of the parts, in their order."""
    if chains > 1:
        return [f"chain {chain + 1}, {half} half" for half in ("first", "second") for chain in range(chains)]
    return [f"quarter {quarter}" for quarter in (1, 3, 2, 4)]


@drawn_once
def _spec(name: str) -> dict[str, Any]:
    each = alt.Chart(alt.NamedData("parts"))
    y = alt.Y("part:N", title=None, axis=alt.Axis(domain=False, ticks=False))
    x = alt.X("low:Q", title=name, scale=alt.Scale(zero=False))
    bars = each.mark_rule(color=ACCENT, strokeWidth=5, opacity=0.4).encode(x, y, x2="high:Q")
    dots = each.mark_point(filled=True, size=70, color=ACCENT, opacity=1).encode(alt.X("mean:Q"), y)
    return vega_lite(alt.layer(bars, dots).properties(height=110))
