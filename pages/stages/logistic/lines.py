"""Lines of the plane on which numbers change sign: there the weights are undecided."""

from __future__ import annotations

import numpy as np

from pages.drawing.contours import level_lines
from pages.drawing.plane import REACH

COARSE = np.linspace(-REACH[0], REACH[0], 39), np.linspace(-REACH[1], REACH[1], 29)
"""The grid on which a line of the plane is searched."""


def zeros(activations: np.ndarray, straight: bool) -> list[np.ndarray]:
    """Return the lines where activations at the coarse crossings change sign; of straight ones, their ends."""
    if not np.isfinite(activations).all() or not activations.any():
        return []
    x, y = COARSE
    heights = activations.reshape(len(y), len(x))
    if straight:  # four corners have it all
        x, y, heights = x[[0, -1]], y[[0, -1]], heights[[0, -1]][:, [0, -1]]
    return [line for _, line in level_lines(x, y, heights, [0.0])]
