"""The mode in which the examples are one of twenty tiles, and the others are replicates from the posterior."""

import numpy as np

from lessons.topics.generative import GenerativeSettings
from pages.code.watch import Way, names
from pages.scenes.lineups import RADIUS, Lineups, Marks, PlainRound, shares
from samplers.generative.classifier import ClassPosterior


def left_across(tile: np.ndarray) -> float:
    """Return 1 - r² on average over the classes of a tile, shape (N, 3) with labels: r relates the two features."""
    classes = (tile[tile[:, 2] == label, :2] for label in np.unique(tile[:, 2]))
    found = [1 - np.corrcoef(points.T)[0, 1] ** 2 for points in classes if len(points) > 2]
    return float(np.mean(found)) if found else 1.0


class ExampleLineups(Lineups[GenerativeSettings]):
    """Lineups of examples of two numbers, with their classes."""

    number = "The share of a class's spread that is left once its features are related by a line", left_across
    way = Way((ClassPosterior.replicate,), names("classes rows", "here", "family", "rows return"))
    inside = "as many examples, coloured by class,"

    def marks(self, made: PlainRound[GenerativeSettings]) -> Marks:
        tiles = made.tiles()
        x, y = shares(tiles[:, :, 0]), shares(tiles[:, :, 1])
        return Marks(x, y, tiles[:, :, 2], np.full(x.shape, RADIUS))
