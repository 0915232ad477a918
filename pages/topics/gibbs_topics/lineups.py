"""The mode in which images of bars are one of twenty tiles, and the others are replicates, each from a draw."""

import numpy as np

from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.code.watch import Way, names
from pages.scenes.lineups import Lineups, Marks, PlainRound
from samplers.data.topics import SIDE
from samplers.topics.lda import LDA

GAP = 1.4  # between two images, in pixels
LARGEST, FULL = 0.1, 3  # radius of a pixel with three words or more, in units of the wall


def beside_lines(tile: np.ndarray) -> float:
    """Return the share of words outside the strongest row or column of its image, over images of shape (images, V)."""
    images = tile.reshape(len(tile), SIDE, SIDE)
    strongest = np.maximum(images.sum(axis=1).max(axis=1), images.sum(axis=2).max(axis=1))
    return float((1 - strongest / images.sum(axis=(1, 2))).mean())


class ImageLineups(Lineups[GibbsTopicsSettings]):
    """Lineups of a few images of bars."""

    number = "The share of words outside the strongest line of an image", beside_lines
    way = Way((LDA.replicate,), names("counts words", "mixture", "lengths", "drawn return"))
    inside = "four images, whose words are discs in their pixels,"
    rim = "A larger disc is more words, up to three."
    least = 0  # a size is a number of words

    def marks(self, made: PlainRound[GibbsTopicsSettings]) -> Marks:
        tiles = made.tiles()
        many = tiles.shape[1]
        columns, rows = (many + 1) // 2, 2
        image, pixel = np.divmod(np.arange(many * SIDE * SIDE), SIDE * SIDE)
        row, column = np.divmod(pixel, SIDE)
        across, down = columns * (SIDE + GAP) - GAP, rows * (SIDE + GAP) - GAP
        x = (image % columns * (SIDE + GAP) + column + 0.5) / across
        y = 1 - (image // columns * (SIDE + GAP) + row + 0.5) / down
        counts = tiles.reshape(len(tiles), -1)
        return Marks(
            np.broadcast_to(x, counts.shape),
            np.broadcast_to(y, counts.shape),
            np.zeros(counts.shape),
            LARGEST * np.sqrt((counts / FULL).clip(0, 1)),
        )
