"""The plane of the points as rows of data: a predictive on a grid, its lines, and the lines of single weights."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logit

from pages.drawing.contours import level_lines
from pages.drawing.numbers import rounded
from pages.drawing.plane import CELLS, GRID, Sets, grid_places, map_rows, polylines, shade_rows
from pages.topics.logistic.fit import Fit

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the probability, drawn as lines
SURE = 1e-9  # from 0 and 1: a probability nearer to them has no finite log odds
LINES = 40  # draws of the weights that are drawn as lines
Lines = list[tuple[float, np.ndarray]]  # each with its level


def maps(fit: Fit, t: int, weights: np.ndarray | None = None) -> Sets:
    """Return the map of a predictive (or plug-in, for given weights) or of a difference, and its lines.

    That of two classes is shown as 2 p - 1, and that of a number as its density, in units of the highest.
    """
    shown = fit.map(fit.settings.averages) if weights is None else plug_in(fit, weights, grid_places())
    shaded, lines = SHADED[fit.settings.likelihood](fit, t, shown)
    drawn = polylines([line for _, line in lines], ("x", "y"), t)
    drawn["level"] = [round(level, 2) for level, line in lines for _ in line] or [1]
    return {"map": shaded, "levels": drawn, **_draws(fit, t, fit.draws[: LINES if weights is None else 0])}


def _draws(fit: Fit, t: int, weights: np.ndarray) -> Sets:
    """Return draws of the weights: the lines of each, and its place in the plane of two weights."""
    lines = [(number, line) for number, one in enumerate(weights, 1) for line in fit.lines(one)]
    drawn = polylines([line for _, line in lines], ("x", "y"), t)
    drawn["draw"] = [number for number, line in lines for _ in line] or [0]
    places = np.nan_to_num(weights[:, fit.settings.pair]) if len(weights) else np.zeros((1, 2))
    at: dict[str, list] = {
        "t": [t if len(weights) else -9] * len(places),
        "wx": rounded(places[:, 0]),
        "wy": rounded(places[:, 1]),
        "draw": list(range(1, len(places) + 1)),
    }
    return {"draws": drawn, "drawn": at}


def _of_two_classes(fit: Fit, t: int, shown: np.ndarray) -> tuple[dict[str, list], Lines]:
    if fit.settings.compared:
        return shade_rows((shown - fit.map(fit.settings.compared)).round(9), t), []
    values = (2 * shown - 1).round(9)
    if not values.any():  # what is left of 1/2 by rounding has no lines
        return shade_rows(values, t), []
    # Between two places of the grid log odds are straight, or nearly so, and a steep probability is a stair.
    heights = logit(np.clip(shown, SURE, 1 - SURE)).reshape(CELLS[::-1])
    return shade_rows(values, t), [
        (2 * level - 1, line) for level in LEVELS for _, line in level_lines(*GRID, heights, [logit(level)])
    ]


SHADED: dict[str, Callable[[Any, int, np.ndarray], tuple[dict[str, list], Lines]]] = {
    "logistic": _of_two_classes,
    "softmax": lambda _, t, shown: (map_rows(shown, t), []),
    "normal": lambda fit, t, shown: (shade_rows(shown / fit.highest, t), fit.band()),
}  # by the likelihood


def plug_in(fit: Fit, weights: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the probability of class 1, or of each of three classes, at places, shape (P, 2), by given weights."""
    return fit.by_weights(fit.features(places), weights[None])
