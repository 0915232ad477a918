"""Posterior predictive checks: numbers of a data set, compared with those of sets drawn from the model.

Gelman, Meng & Stern (1996, Posterior predictive assessment of model fitness via realized discrepancies, Statistica
Sinica 6). A number in which the data lie outside all the sets that the model draws is one that the model cannot make.
"""

from collections.abc import Callable

import numpy as np
from scipy.spatial import KDTree


def to_the_nearest(points: np.ndarray) -> float:
    """Return the mean distance of points, shape (N, D), N from 2, to their nearest neighbours: how tightly they lie."""
    distances, _ = KDTree(points).query(points, k=[2])  # the nearest is the point itself
    return float(np.mean(distances))


def to_the_farthest(points: np.ndarray) -> float:
    """Return the distance of the farthest of points, shape (N, D), N from 1, from their mean: how far outliers lie."""
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


STATISTICS: dict[str, Callable[[np.ndarray], float]] = {
    "from a point to its nearest neighbour, on average": to_the_nearest,
    "from the middle to the farthest point": to_the_farthest,
}
"""Numbers of a data set by name: all are distances."""
