"""The plane of the points as rows of data: a predictive on a grid, its lines, and the lines of single weights."""

from __future__ import annotations

import numpy as np
from scipy.special import expit

from pages.drawing.contours import level_lines
from pages.drawing.plane import CELLS, GRID, REACH, Sets, crossings, grid_places, polylines, shade_rows
from pages.stages.logistic.fit import Fit

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the probability, drawn as lines
COARSE = np.linspace(-REACH[0], REACH[0], 39), np.linspace(-REACH[1], REACH[1], 29)
"""Where a line of the plane is looked for."""
LINES = 40  # draws of the weights that are drawn as lines


def maps(fit: Fit, t: int, weights: np.ndarray | None = None) -> Sets:
    """Return the map of a predictive p (or plug-in, for given weights) as 2 p - 1 or of a difference, and its lines."""
    settings = fit.settings
    places = grid_places()
    shown = fit.predict(settings.predictive, places) if weights is None else plug_in(fit, weights, places)
    if settings.against == "none":
        values, levels = 2 * shown - 1, [2 * level - 1 for level in LEVELS]
    else:
        values, levels = shown - fit.predict(settings.against, places), []
    values = values.round(9)  # what is left of 1/2 by rounding has no lines
    lines = list(level_lines(*GRID, values.reshape(CELLS[::-1]), levels if values.any() else []))
    drawn = polylines([line for _, line in lines], ("x", "y"), t)
    drawn["level"] = [round(level, 2) for level, line in lines for _ in line] or [1]
    coarse, straight = coarse_features(fit), settings.features == "linear"
    draws = [line for weights in fit.draws[:LINES] for line in zeros(coarse @ weights, straight)]
    return {
        "map": shade_rows(values, t),
        "levels": drawn,
        "draws": polylines(draws, ("x", "y"), t),
    }


def plug_in(fit: Fit, weights: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Return the probability of class 1 at places, shape (P, 2), by given weights."""
    probabilities: np.ndarray = expit(fit.features(places) @ weights)
    return probabilities


def zeros(activations: np.ndarray, straight: bool) -> list[np.ndarray]:
    """Return the lines where activations at the coarse crossings change sign; of straight ones, their ends."""
    if not np.isfinite(activations).all() or not activations.any():
        return []
    heights = activations.reshape([len(axis) for axis in COARSE[::-1]])
    return [line[[0, -1]] if straight else line for _, line in level_lines(*COARSE, heights, [0.0])]


def coarse_features(fit: Fit) -> np.ndarray:
    """Return features at the crossings of the coarse grid, shape (39 · 29, D)."""
    return fit.features(crossings(*COARSE))
