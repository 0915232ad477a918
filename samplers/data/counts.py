"""Blobs for samplers that want counts, and two humps on a line that are hard to keep apart.

Whole numbers from 0 are what a multinomial component takes: it looks at the direction from the origin in which a point
lies. So where blobs lie as seen from there decides whether it can separate them.
"""

import numpy as np
from numpy.typing import ArrayLike

from samplers.data.blobs import Blob, Dataset, draw_blobs, draw_labels, in_place

MOST_COUNT = 50  # the largest count on either axis
TWO_DIRECTIONS = (
    Blob(0.34, (12, 9), (3.4, 2.8)),
    Blob(0.33, (34, 25), (6.0, 4.0), -35),
    Blob(0.33, (12, 38), (4.2, 6.0), 10),
)
HUMPS = (-1.2, 1.2)


def two_directions(points: int, seed: int) -> Dataset:
    """Draw from three Normal blobs of different mean and spread, of which two lie in one direction from the origin.

    They are counts from 0 to 50, made by `as_counts`, in random order, a third of them from each blob. The first two
    blobs are seen from the origin at about 36 degrees, the third at about 72. Arguments and errors as for
    `samplers.data.blobs.draw_blobs`.
    """
    drawn = draw_blobs(TWO_DIRECTIONS, points, seed)
    return Dataset(as_counts(drawn.data), drawn.labels, drawn.columns)


def two_humps(points: int, seed: int) -> Dataset:
    """Draw from two Normals on a line, at -1.2 and 1.2 and of standard deviation 1.

    With few points the two are so hard to keep apart that their labels change places every now and then. Arguments and
    errors as for `samplers.data.blobs.draw_blobs`.
    """
    rng, labels = draw_labels(np.array([0.5, 0.5]), points, seed)
    counts = np.bincount(labels, minlength=2)
    draws = [mean + rng.standard_normal((count, 1)) for mean, count in zip(HUMPS, counts, strict=True)]
    return Dataset(in_place(labels, draws), labels, ("x",))


def as_counts(data: ArrayLike) -> np.ndarray:
    """Return points, shape (N, D), as whole numbers from 0 to 50, in floats of the same shape.

    An axis that goes below 0 is shifted so that its smallest value is 0. Then all axes are stretched alike, so that the
    largest value is 50, and rounded. An axis that lies above 0 stays where it is: directions from the origin are
    what a multinomial sees.
    """
    rows = np.asarray(data, float)
    rows = rows - np.minimum(rows.min(axis=0), 0.0)
    largest = rows.max() or 1.0
    return np.rint(rows / largest * MOST_COUNT)
