"""Data with hidden binary features: tiny images, and scores in tests; simulated, so that the features are known."""

from dataclasses import dataclass

import numpy as np

from samplers.checks import whole_from

LEAST_ROWS = 3
MOST_ROWS = 100
SHAPES = (  # 6 by 6, one a corner, like those of Griffiths & Ghahramani (2011), section 5.4
    ".#....  ###...  .#....  ......  ......  ......",
    "...###  ...#.#  ...###  ......  ......  ......",
    "......  ......  ......  #.....  ##....  ###...",
    "......  ......  ......  ...###  ....#.  ....#.",
)
TESTS = (  # what a test asks for, besides the general factor: numbers, words, or space
    ("arithmetic", "numbers"),
    ("number series", "numbers"),
    ("estimation", "numbers"),
    ("vocabulary", "words"),
    ("reading", "words"),
    ("analogies", "words"),
    ("mental rotation", "space"),
    ("maps", "space"),
    ("paper folding", "space"),
)
FACTORS = ("general", "numbers", "words", "space")
PEOPLE, ABILITY = 36, 0.6  # standard deviation, over people, of what an ability adds to a score
NOISE = 0.4  # its standard deviation; it is Normal
SHARE = 0.3  # of the images that have a shape: with more, chains often find unions and differences of shapes instead
TINY = ((1.1, 0.1, 0.9, -0.1), (0.9, 1.2, 1.1, 0.8), (0.1, 1.0, -0.2, 1.1))  # left half, both, right half


@dataclass(frozen=True, eq=False)
class FeatureData:
    """Rows of numbers that hidden features add up to."""

    data: np.ndarray  # shape (N, D), read-only
    tile: tuple[int, int]  # rows and columns in which the D numbers of a row are drawn
    rows: tuple[str, ...]  # a name for each row; none, if they have numbers alone
    # matrix, loadings: Z, shape (N, K), and A, shape (K, D), that the data were made from
    matrix: np.ndarray
    loadings: np.ndarray


def shapes() -> np.ndarray:
    """Return the four hidden shapes as rows of 0 and 1, shape (4, 36)."""
    return np.array([[float(pixel == "#") for pixel in shape.replace(" ", "")] for shape in SHAPES])


def images(rows: int, seed: int) -> FeatureData:
    """Draw images of 6 by 6 pixels: each has each of four shapes with probability 0.3, and noise.

    Parameters
    ----------
    rows : int
        How many, from 3.
    seed : int
        Fewer images are the first ones of more.

    Raises
    ------
    ValueError
        If there are too few.
    """
    rng, loadings = np.random.default_rng(seed), shapes()
    matrix, pixels = np.empty((whole_from("rows", rows, LEAST_ROWS), 4), np.int8), np.empty((rows, 36))
    for row in range(rows):
        matrix[row] = rng.random(4) < SHARE
        pixels[row] = matrix[row] @ loadings + NOISE * rng.standard_normal(36)
    return _made(pixels, (6, 6), (), matrix, loadings)


def scores(seed: int) -> FeatureData:
    """Draw scores of 36 people in nine tests: a general factor helps in all, a special one in three of them.

    A row is a test, a column is a person, and a feature is an ability, which each person has to some degree.
    """
    rng = np.random.default_rng(seed)
    matrix = np.array([[1, *(kind == factor for factor in FACTORS[1:])] for _, kind in TESTS], np.int8)
    abilities = ABILITY * rng.standard_normal((len(FACTORS), PEOPLE))
    found = matrix @ abilities + NOISE * rng.standard_normal((len(TESTS), PEOPLE))
    return _made(found, (6, 6), tuple(name for name, _ in TESTS), matrix, abilities)


def tiny() -> FeatureData:
    """Return three images of 2 by 2 pixels, few enough to list every matrix: left half, both halves, right half."""
    halves = np.array([[1.0, 0, 1, 0], [0, 1.0, 0, 1]])
    return _made(np.array(TINY), (2, 2), (), np.array([[1, 0], [1, 1], [0, 1]], np.int8), halves)


def _made(
    data: np.ndarray, tile: tuple[int, int], rows: tuple[str, ...], matrix: np.ndarray, loadings: np.ndarray
) -> FeatureData:
    for array in (data, matrix, loadings):
        array.flags.writeable = False
    return FeatureData(data, tile, rows, matrix, loadings)
