"""Components in use in a state of a climb, and the distribution of the mean of a point's component."""

from math import sqrt
from typing import Any

import numpy as np

from samplers.climb.halves import Climb, ClimbState
from samplers.conjugate import NormalKnownVariance
from samplers.mixtures.exact_labellings import ExactLabels


def in_use(state: ClimbState) -> int:
    """Return the number of components that have half a point or more."""
    return int((state.responsibilities.sum(axis=0) >= 0.5).sum())


Mixed = tuple[np.ndarray, list[Any]]  # shares, shape (n,), and as many families


def of_q(state: ClimbState, point: int) -> Mixed:
    """Return the distribution of the mean of a point's component under q, as shares of families."""
    return state.responsibilities[point], list(state.parts.families)


def of_posterior(exact: ExactLabels, climb: Climb, point: int) -> Mixed:
    """Return the same under the exact posterior: a family for each set of points that may be with this one."""
    members = exact.labellings == exact.labellings[:, [point]]
    sets, which = np.unique(members, axis=0, return_inverse=True)
    shares = np.bincount(which.ravel(), exact.probabilities)
    return shares, [climb.family.cluster(climb.data[each]).posterior() for each in sets]


def of_mean(family: Any) -> tuple[float, float, float]:
    """Return location, scale and degrees of freedom of the first coordinate of a component's mean: a Student t."""
    if isinstance(family, NormalKnownVariance):
        return float(family.mean[0]), sqrt(family.prior_variance), np.inf
    df = family.df - family.dimension + 1
    return float(family.mean[0]), sqrt(family.scale[0, 0] / (family.kappa * df)), float(df)


def moments(shares: np.ndarray, families: list[Any]) -> tuple[float, float]:
    """Return mean and variance of the first coordinate of a mean whose distribution is a mixture of families."""
    found = np.array([of_mean(family) for family in families])
    with np.errstate(invalid="ignore"):
        stretch = np.where(np.isinf(found[:, 2]), 1.0, found[:, 2] / np.maximum(found[:, 2] - 2, 1e-9))
    mean = float(shares @ found[:, 0])
    return mean, float(shares @ (found[:, 1] ** 2 * stretch + (found[:, 0] - mean) ** 2))
