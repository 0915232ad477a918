"""Four losses of the same points: their curves, and how wide the weights are by Laplace and by quadrature."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from pages.drawing.cards import quiet, table
from pages.drawing.charts import INK, axis, finish
from pages.drawing.lazy import alt
from pages.drawing.numbers import counted, fixed, significant
from pages.drawing.once import drawn_once
from pages.drawing.palette import COLORS
from pages.topics.logistic.charts import ROOM_FOR_NUMBERS
from pages.topics.logistic.fit import Fit
from samplers.regression.losses import LOSSES, LossSpread, PenalisedLoss, exact_deviations, loss_spread

MARGINS = np.linspace(-2.0, 3.0, 101)
STEPPED = "Huber"  # its second derivative jumps: it is looked at between two margins, and drawn in steps
LOOKS: dict[str, Any] = {"squared": COLORS[0], "logistic": INK, "Huber": COLORS[2], "hinge": COLORS[1]}
LEGEND = [("ink" if color == INK else f"{color} solid", name) for name, color in LOOKS.items()]


@drawn_once
def chart() -> dict[str, Any]:
    """Draw the losses over the margin, and their second derivatives dashed."""
    x = axis(alt.X, "m", (-2, 3), "margin: wᵀx with the sign of the label", clamp=True, grid=False, tickCount=5)
    y = axis(alt.Y, "v", (0, 3), tickCount=4, minExtent=ROOM_FOR_NUMBERS)
    lines: list[alt.Chart] = []
    for name, loss in LOSSES.items():
        between = (MARGINS[1] - MARGINS[0]) / 2 if name == STEPPED else 0.0
        parts = {"1.6": loss.curvature(MARGINS + between), "2.4": loss.value(MARGINS)}
        for width, values in parts.items():
            rows = [{"m": m, "v": v} for m, v in zip(MARGINS.round(2).tolist(), values.round(4).tolist(), strict=True)]
            bends = width == "1.6"
            line = alt.Chart(alt.Data(values=rows)).mark_line(
                color=LOOKS[name],
                strokeWidth=float(width),
                strokeDash=[4, 3] if bends else [1, 0],
                opacity=0.8 if bends else 1.0,
                clip=True,
                interpolate="step-after" if bends and name == STEPPED else "linear",
            )
            lines.append(line.encode(x, y))
    return finish(alt.layer(*lines))


@lru_cache(maxsize=32)
def _found(
    rows: tuple[tuple[float, float], ...], labels: tuple[int, ...], precision: float, name: str
) -> tuple[LossSpread, np.ndarray]:
    model = PenalisedLoss(np.reshape(rows, (-1, 2)), np.array(labels, int), precision, LOSSES[name])
    found = loss_spread(model)
    return found, exact_deviations(model, found.mode)


def cards(fit: Fit) -> str:
    """Return mode and spread of the weights by each loss, of two classes with two weights and a prior."""
    settings = fit.settings
    if settings.likelihood != "logistic" or settings.features != "linear" or settings.bias == "on":
        return quiet("The losses need two classes and two weights: take linear features without a bias.")
    if settings.flat:
        return quiet("Without a prior, some of these losses have no single minimum. Take the Normal prior.")
    rows, points, labels = [], tuple(map(tuple, fit.points.tolist())), tuple(fit.labels.tolist())
    for name in LOSSES:
        found, exact = _found(points, labels, settings.prior_precision, name)
        corners = f", {counted(found.corners, 'point')} on the corner" if found.corners else ""
        rows.append(
            (
                name.capitalize(),
                _pair(found.mode),
                f"{found.bends} of {len(labels)}{corners}",
                f"<b>{_pair(found.laplace)}</b>",
                f"<b>{_pair(exact)}</b>",
            )
        )
    heads = ("loss", "mode", "points whose loss bends", "sd by Laplace", "sd by quadrature")
    return table(heads, rows, "formulas") + quiet(
        f"The density of the weights is exp(−losses − λ/2 · wᵀw) with λ = {significant(settings.prior_precision)}. "
        "Laplace’s Normal takes its width from the second derivative at the mode: λ, and what the losses that bend add."
    )


def _pair(values: np.ndarray) -> str:
    return f"({fixed(float(values[0]), 3)}, {fixed(float(values[1]), 3)})"
