"""Derivatives by differences."""

import numpy as np


def central_differences(function, at, step=1e-5):
    """Derivatives of a function along each coordinate, on the last axis."""
    at = np.asarray(at, float)
    moves = step * np.eye(at.size)
    return np.stack([np.subtract(function(at + move), function(at - move)) / (2 * step) for move in moves], axis=-1)
