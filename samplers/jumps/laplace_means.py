"""Normal points whose mean has a Laplace prior: not conjugate, so a cluster's mean cannot be integrated out by formula.

Its marginal likelihood is a quadrature in each coordinate, which proves samplers that need no conjugacy.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.conjugate.family import as_rows, as_vector
from samplers.crp.exact_partitions import ExactPosterior, posterior_of_tables, seating_weights

REACH = 12.0  # standard deviations of a mean about the points, beyond which nothing is left

Mean = tuple[float, ...]


@dataclass(frozen=True, eq=False, init=False)
class LaplaceMeans:
    """Points x ~ Normal(mean, variance) in each coordinate, whose mean ~ Laplace(centre, scale).

    Parameters
    ----------
    centre : float or array_like
        The centre of the prior, shape (D,).
    scale : float
        Its scale b, above 0: the density is exp(-|mean - centre| / b) / 2b, with variance 2b².
    variance : float
        The known variance of a point about its cluster's mean, above 0.

    Raises
    ------
    ValueError
        If a number is out of range.
    """

    centre: np.ndarray
    scale: float
    variance: float
    of_counts: ClassVar[bool] = False

    def __init__(self, centre: ArrayLike, scale: float, variance: float) -> None:
        object.__setattr__(self, "centre", as_vector("centre", centre))
        object.__setattr__(self, "scale", finite_above("scale", scale, 0))
        object.__setattr__(self, "variance", finite_above("variance", variance, 0))

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return self.centre.size

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return points in rows, shape (n, D); errors as in `samplers.conjugate.family.as_rows`."""
        return as_rows(data, self.dimension)

    def draw(self, rng: np.random.Generator, size: int) -> list[Mean]:
        """Draw the means of this many clusters."""
        return list(map(tuple, rng.laplace(self.centre, self.scale, (size, self.dimension)).tolist()))

    def log_prior(self, mean: Mean) -> float:
        """Return the log density of a mean."""
        middles, constant, _ = self._constants
        away = sum([abs(value - middle) for value, middle in zip(mean, middles, strict=True)])
        return -away / self.scale - constant

    def log_density(self, x: Sequence[float], mean: Mean) -> float:
        """Return the log density of a point in a cluster with this mean."""
        squares = sum([(value - middle) ** 2 for value, middle in zip(x, mean, strict=True)])
        return -squares / (2 * self.variance) - self._constants[2]

    @cached_property
    def _constants(self) -> tuple[list[float], float, float]:
        """The centre, and the constants of the prior's and of a point's log density."""
        size = self.dimension
        return self.centre.tolist(), size * math.log(2 * self.scale), size / 2 * math.log(2 * math.pi * self.variance)

    def density(self, places: np.ndarray) -> np.ndarray:
        """Return the prior predictive density of a point at each of some places, shape (n, D); the result is (n,)."""
        found = np.ones(len(places))
        for column, centre in zip(places.T, self.centre.tolist(), strict=True):
            values, where = np.unique(column, return_inverse=True)
            found *= np.exp([self._of_one(values[[i]], centre) for i in range(len(values))])[where]
        return found

    def log_marginal(self, rows: np.ndarray) -> float:
        """Return the log density of a cluster's points, shape (n, D), n from 1, its mean integrated out by quadrature.

        Notes
        -----
        The coordinates are independent. The integrand has a kink at the prior's centre, where an integral begins and
        another ends; each is a Gauss–Legendre sum over pieces of it.
        """
        return math.fsum(self._of_one(column, centre) for column, centre in zip(rows.T, self.centre, strict=True))

    def _of_one(self, values: np.ndarray, centre: float) -> float:
        reach = REACH * math.sqrt(self.variance)
        low, high = float(values.min()) - reach, float(values.max()) + reach
        ends = sorted({low, min(max(centre, low), high), high})
        nodes, weights = _legendre()
        total = []
        for begin, end in pairwise(ends):
            edges = np.linspace(begin, end, 41)
            half = np.diff(edges)[:, None] / 2
            places = (edges[:-1, None] + half + half * nodes).ravel()
            logs = -((values[:, None] - places) ** 2).sum(axis=0) / (2 * self.variance)
            logs = logs - np.abs(places - centre) / self.scale
            total.append(special.logsumexp(logs + np.log((half * weights).ravel())))
        constant = len(values) / 2 * math.log(2 * math.pi * self.variance) + math.log(2 * self.scale)
        return float(special.logsumexp(total)) - constant


@cache
def _legendre() -> tuple[np.ndarray, np.ndarray]:
    nodes, weights = np.polynomial.legendre.leggauss(20)
    return nodes, weights


def exact_posterior(data: ArrayLike, family: LaplaceMeans, concentration: float) -> ExactPosterior:
    """Return the posterior over all partitions of at most 8 points, shape (N, D), as for a conjugate family."""
    rows = family.rows(data)
    weights = seating_weights(len(rows), concentration, None)
    return posterior_of_tables(weights, lambda members: family.log_marginal(rows[members]))
