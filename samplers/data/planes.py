"""Points in the plane with labels, simulated from a seed; features of them; and a kernel that shows one by one.

With the same seed a set of more points begins with the points of a smaller one, so that you can watch a posterior
narrow as data come in. Coordinates lie within about ±4.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import whole_from
from samplers.recipe import Kernel

MOST_POINTS = 100_000
Labelled = tuple[np.ndarray, np.ndarray]  # coordinates, shape (N, 2), and labels, shape (N,)

DIRECTION = np.array([0.8, 0.6])  # across the line that parts the labels, towards label 1
GAP = 0.6  # between that line and the nearest point of the separable set
MEAN, DEVIATION = 1.0, 1.1  # of the overlapping blobs: centres at ±MEAN along the direction

FEW = (((-2.5, -1.0), (-1.2, 1.4), (-0.6, -1.8), (0.9, -0.4), (1.6, 2.1), (2.7, 0.3)), (0, 0, 0, 1, 1, 1))
OUTLIER = (-3.4, -2.6)  # labelled 1, among the zeros
CENTRES = 2.0 * np.array([[0.0, 1.0], [-(0.75**0.5), -0.5], [0.75**0.5, -0.5]])  # of three classes
LINE, NOISE = (0.5, 0.7), 1.0  # intercept and slope, and the standard deviation around them


def separable(points: int = 40, seed: int = 0) -> Labelled:
    """Draw two clouds with a gap of 1.2 between them, along a line through the origin: coordinates and labels.

    Parameters
    ----------
    points : int, optional
        N, 0 to 100,000. Labels alternate, 0 first.
    seed : int, optional
        From 0.

    Raises
    ------
    ValueError
        If the number or the seed is out of range.
    """
    labels, normal = _draw(points, seed)
    across = (2 * labels - 1) * (GAP + np.minimum(0.8 * np.abs(normal[:, 0]), 2.8))
    return _turned(across, 1.2 * normal[:, 1]), labels


def overlapping(points: int = 40, seed: int = 0) -> Labelled:
    """Draw two round clouds that overlap: the labels' log odds are 2 MEAN / DEVIATION² along DIRECTION.

    Even who knows the weights takes about two points in eleven for another's. Arguments and errors as for `separable`.
    """
    labels, normal = _draw(points, seed)
    return _turned(MEAN * (2 * labels - 1) + DEVIATION * normal[:, 0], DEVIATION * normal[:, 1]), labels


def xor(points: int = 40, seed: int = 0) -> Labelled:
    """Draw four clouds, label 1 where the coordinates have one sign: no line parts them, but their product does.

    Arguments and errors as for `separable`.
    """
    labels, normal = _draw(points, seed)
    above = np.arange(len(labels)) // 2 % 2 * 2 - 1  # -1, -1, 1, 1, ...: every four points fill every cloud
    centres = 1.7 * np.column_stack([above * (2 * labels - 1), above])
    return centres + 0.6 * normal, labels


def few(points: int = 6, seed: int = 0) -> Labelled:
    """Return six points that can be separated: little is known of the line. There is one such set."""
    return np.array(FEW[0]), np.array(FEW[1])


def outlier(points: int = 40, seed: int = 0) -> Labelled:
    """Draw the separable set, but with a first point deep among the zeros that is labelled 1.

    Arguments and errors as for `separable`.
    """
    coordinates, labels = separable(points, seed)
    coordinates[:1], labels[:1] = OUTLIER, 1
    return coordinates, labels


def three(points: int = 60, seed: int = 0) -> Labelled:
    """Draw three round clouds that overlap a little, labelled 0, 1 and 2 in turn.

    Arguments and errors as for `separable`.
    """
    _, normal = _draw(points, seed)
    labels = np.arange(points) % 3
    return CENTRES[labels] + 0.9 * normal, labels


def line(points: int = 20, seed: int = 0) -> Labelled:
    """Draw numbers (second coordinate) that lie around a line above places (first coordinate); all labels are 0.

    Arguments and errors as for `separable`.
    """
    _, normal = _draw(points, seed)
    places = 1.5 * normal[:, 0]
    return np.column_stack([places, LINE[0] + LINE[1] * places + NOISE * normal[:, 1]]), np.zeros(points, int)


PLANES: dict[str, Callable[[int, int], Labelled]] = {
    "separable": separable,
    "overlapping": overlapping,
    "xor": xor,
    "few": few,
    "outlier": outlier,
    "three": three,
    "line": line,
}
"""The sets by name."""


@dataclass(frozen=True)
class GrowingData(Kernel[int, None]):
    """One more observation a step, without chance. A state is how many have arrived; there is nothing to record.

    Parameters
    ----------
    most : int
        How many there are: then it stays.
    """

    most: int

    def init(self, rng: np.random.Generator) -> int:
        """Return 0."""
        return 0

    def variables(self, state: int) -> dict[str, int]:
        """Return how many have arrived."""
        return {"observations": state}

    def step(self, state: int, rng: np.random.Generator) -> tuple[int, None]:
        """Return one more, as long as there is one."""
        return min(state + 1, self.most), None


FeatureMap = Literal["linear", "quadratic", "rbf"]
RBF_CENTRES = np.array([[x, y] for x in (-3.0, -1.0, 1.0, 3.0) for y in (-3.0, -1.0, 1.0, 3.0)])
RBF_CENTRES.flags.writeable = False
RBF_WIDTH = 1.5


def features_of(points: ArrayLike, feature_map: FeatureMap = "linear", bias: bool = True) -> np.ndarray:
    """Return the features of points in the plane, shape (P, D), in the order of `feature_names`.

    Parameters
    ----------
    points : array_like
        Shape (P, 2).
    feature_map : str, optional
        ``"linear"``: x, y. ``"quadratic"``: x, y, x², xy, y². ``"rbf"``: exp(-|point - centre|² / (2 width²)) for each
        of 4 x 4 centres, with the width 1.5.
    bias : bool, optional
        Whether a feature that is 1 everywhere comes first.

    Raises
    ------
    ValueError
        If a shape or a setting is out of range.
    """
    at = np.asarray(points, float)
    if at.ndim != 2 or at.shape[1] != 2:
        raise ValueError(f"points must have shape (.., 2), got {at.shape}")
    x, y = at.T
    if feature_map == "linear":
        columns = [x, y]
    elif feature_map == "quadratic":
        columns = [x, y, x**2, x * y, y**2]
    elif feature_map == "rbf":
        away = at[:, None, :] - RBF_CENTRES
        columns = list(np.exp(-0.5 * (away**2).sum(axis=2) / RBF_WIDTH**2).T)
    else:
        raise ValueError(f"feature_map must be one of {', '.join(get_args(FeatureMap))}, got {feature_map!r}")
    return np.column_stack([np.ones(len(at)), *columns] if bias else columns)


def feature_names(feature_map: FeatureMap = "linear", bias: bool = True) -> tuple[str, ...]:
    """Return a short name for each of the features: arguments as for `features_of`."""
    names = {
        "linear": ("x", "y"),
        "quadratic": ("x", "y", "x²", "xy", "y²"),
        "rbf": tuple(f"near ({x:g}, {y:g})" for x, y in RBF_CENTRES),
    }
    return ("1",) * bias + names[feature_map]


def _draw(points: int, seed: int) -> Labelled:
    """Check the arguments; return labels that alternate, and two standard Normal numbers for each point."""
    if whole_from("points", points, 0) > MOST_POINTS:
        raise ValueError(f"points must be {MOST_POINTS:,} or less, got {points}")
    normal = np.random.default_rng(whole_from("seed", seed, 0)).standard_normal((points, 2))
    return np.arange(points) % 2, normal


def _turned(across: np.ndarray, along: np.ndarray) -> np.ndarray:
    """Return points by their distances from the line and along it, shape (N, 2)."""
    return np.outer(across, DIRECTION) + np.outer(along, [-DIRECTION[1], DIRECTION[0]])
