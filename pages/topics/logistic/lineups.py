"""The mode in which labels of the data are one of twenty tiles, and the others are replicates by Laplace's Normal."""

import numpy as np
from scipy.spatial import KDTree

from lessons.topics.logistic import LogisticSettings
from pages.code.watch import Way, names
from pages.scenes.lineups import RADIUS, Lineups, Marks, PlainRound, shares
from samplers.regression.laplace import replicate_labels


def unlike(tile: np.ndarray) -> float:
    """Return the share of points, shape (N, 3) with labels, whose nearest neighbour has another label."""
    points, labels = tile[:, :2], tile[:, 2]
    nearest = np.asarray(KDTree(points).query(points, k=[2])[1])[:, 0]  # the very nearest is the point itself
    return float((labels[nearest] != labels).mean())


class LabelLineups(Lineups[LogisticSettings]):
    """Lineups of points in their places, with labels."""

    number = "Points whose nearest neighbour has another label", unlike
    way = Way((replicate_labels,), names("weights", "drawn return"))
    inside = "the same points, coloured by class,"

    def marks(self, made: PlainRound[LogisticSettings]) -> Marks:
        tiles = made.tiles()
        x, y = shares(tiles[:, :, 0]), shares(tiles[:, :, 1])
        return Marks(x, y, tiles[:, :, 2], np.full(x.shape, RADIUS))
