"""The plane of the points as rows of data: a predictive on a grid, its lines, and the lines of single weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import expit

from pages.drawing.contours import level_lines
from pages.drawing.numbers import rounded
from pages.stages.logistic import charts
from pages.stages.logistic.fit import Fit

CELLS = (67, 50)  # of the map, across and down: nearly squares
LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)  # of the probability, drawn as lines
MAP = np.linspace(-charts.REACH[0], charts.REACH[0], CELLS[0]), np.linspace(-charts.REACH[1], charts.REACH[1], CELLS[1])
COARSE = np.linspace(-charts.REACH[0], charts.REACH[0], 39), np.linspace(-charts.REACH[1], charts.REACH[1], 29)
"""Where a line of the plane is looked for."""
LINES = 40  # draws of the weights that are drawn as lines
Sets = dict[str, dict[str, list]]


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
    lines = list(level_lines(*MAP, values.reshape(CELLS[::-1]), levels if values.any() else []))
    drawn = polylines([line for _, line in lines], ("x", "y"), t)
    drawn["level"] = [round(level, 2) for level, line in lines for _ in line] or [1]
    coarse, straight = coarse_features(fit), settings.features == "linear"
    draws = [line for weights in fit.draws[:LINES] for line in zeros(coarse @ weights, straight)]
    return {
        "map": {"t": [t] * len(places), "v": values.round(4).tolist()},
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


def polylines(lines: Sequence[np.ndarray], names: tuple[str, str], t: int) -> dict[str, list]:
    """Return lines as rows with the line's number and each corner's; a row outside of everything if there are none."""
    if not lines:
        return {"t": [-9], names[0]: [0], names[1]: [0], "line": [0]}
    corners = np.concatenate(lines)
    return {
        "t": [t] * len(corners),
        names[0]: rounded(corners[:, 0]),
        names[1]: rounded(corners[:, 1]),
        "line": [i for i, line in enumerate(lines) for _ in line],
    }


def grid_places() -> np.ndarray:
    """Return the places where maps are computed, shape (3,350, 2)."""
    return crossings(*MAP)


def coarse_features(fit: Fit) -> np.ndarray:
    """Return features at the crossings of the coarse grid, shape (39 · 29, D)."""
    return fit.features(crossings(*COARSE))


def crossings(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the crossings of two axes, shape (columns · rows, 2), the first coordinate changing fastest."""
    return np.column_stack([side.ravel() for side in np.meshgrid(x, y)])
