"""Normal points whose variance is known and whose mean is not."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.conjugate.family import Changeable, SlottedCluster, Sums, as_rows, as_table, as_vector, filled
from samplers.conjugate.parameters import Normal
from samplers.log_density import NoMode

Pair = tuple[float, float]


@dataclass(frozen=True, eq=False, init=False)
class NormalFamily(Changeable):
    """Base class of priors of normal points."""

    mean: np.ndarray
    of_counts: ClassVar[bool] = False

    @property
    def dimension(self) -> int:
        """The number of coordinates of a point."""
        return self.mean.size

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return points in rows, shape (n, D).

        Raises
        ------
        ValueError
            If the data do not have the shape (n, D), or (n,) in 1-D, or are not finite.
        """
        return as_rows(data, self.dimension)

    def observations(self, data: ArrayLike) -> list[Any]:
        """Return the points as pairs of floats, the second 0 in 1-D; in 3-D and above, as arrays. Errors as `rows`."""
        rows = self.rows(data)
        return as_pairs(rows) if self.dimension <= 2 else list(rows)


@dataclass(frozen=True, eq=False, init=False)
class NormalKnownVariance(NormalFamily):
    """Points x ~ Normal(mean of the cluster, variance), and that mean ~ Normal(mean, prior_variance), in 1-D or 2-D.

    In 2-D both variances hold for either coordinate, and the coordinates are independent. The prior counts as
    ``variance / prior_variance`` points at its mean (Murphy 2007, Conjugate Bayesian analysis of the Gaussian
    distribution, section 2).

    Parameters
    ----------
    mean : float or array_like
        Prior mean of a cluster's mean, shape (D,) with D = 1 or 2.
    prior_variance : float
        Prior variance of a cluster's mean, above 0.
    variance : float
        Variance of a point about its cluster's mean, above 0.

    Raises
    ------
    ValueError
        If a variance is not finite and positive, or the mean is not one or two finite numbers.
    """

    prior_variance: float
    variance: float

    def __init__(self, mean: ArrayLike, prior_variance: float, variance: float) -> None:
        object.__setattr__(self, "mean", as_vector("mean", mean))
        if self.dimension > 2:
            raise ValueError(f"mean must have 1 or 2 entries, got {self.dimension}")
        object.__setattr__(self, "prior_variance", finite_above("prior_variance", prior_variance, 0))
        object.__setattr__(self, "variance", finite_above("variance", variance, 0))

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> "KnownVarianceCluster":
        """Return a cluster of these points, shape (n, D), with tables up to the capacity."""
        observations = self.observations(data)
        return filled(KnownVarianceCluster(self, max(capacity, len(observations))), observations)

    def given(self, sums: Sums) -> Self:
        """Return the posterior of the mean given many points at once."""
        before = self.variance / self.prior_variance
        points = before + sums.size
        return self._with(mean=(before * self.mean + sums.total) / points, prior_variance=self.variance / points)

    def to_the_power(self, times: float) -> Self:
        """Return the family with the prior precision of the mean multiplied by the power; 0 makes it flat."""
        return self._with(prior_variance=self.prior_variance / times if times else math.inf)

    def marginal(self, columns: Sequence[int]) -> Self:
        """Return the family of some of the coordinates."""
        return self._with(mean=self.mean[list(columns)])

    def mode(self) -> Normal:
        """Return the normal at the most probable mean, which is the expected one; errors as in `Family`."""
        if math.isinf(self.prior_variance):
            raise NoMode("without a prior and without points every mean is as likely")
        return self.typical()

    def draw(self, rng: np.random.Generator) -> Normal:
        """Draw a cluster's mean; the covariance is the known one."""
        mean = self.mean + math.sqrt(self.prior_variance) * rng.standard_normal(self.dimension)
        return Normal(mean, self.variance * np.eye(self.dimension))

    def typical(self) -> Normal:
        """Return the normal at the expected mean, with the known variance."""
        return Normal(self.mean, self.variance * np.eye(self.dimension))

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log density of single points, Normal(mean, variance + prior_variance), shape (n,)."""
        _, half_precision, constant, _ = _terms_by_count(self.dimension, self.variance, self.prior_variance, 0)[0]
        squares: np.ndarray = ((as_rows(data, self.dimension) - self.mean) ** 2).sum(axis=1)
        return constant - half_precision * squares

    def log_density_of(self, parameters: Normal) -> float:
        """Return the log density of a cluster's mean."""
        spread = self.prior_variance * np.eye(self.dimension)
        return float(Normal(self.mean, spread).log_density(parameters.mean[None])[0])

    def student_t(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Return location, scale matrix and degrees of freedom (infinitely many) of a single point."""
        return self.mean, (self.prior_variance + self.variance) * np.eye(self.dimension), math.inf

    def expected_log_density(self, rows: np.ndarray) -> np.ndarray:
        """Return the expected log density of points over the mean (Bishop 2006, section 10.2.1), shape (n,)."""
        less = self.dimension * self.prior_variance / (2 * self.variance)
        return self.typical().log_density(rows) - less

    def divergence(self, other: Self) -> float:
        """Return KL(this‖other) of two distributions of the mean; the variance is known to both."""
        ratio, away = self.prior_variance / other.prior_variance, self.mean - other.mean
        squares = float((away**2).sum()) / other.prior_variance
        return 0.5 * (self.dimension * (ratio - 1 - math.log(ratio)) + squares)

    def with_certain_centre(self, points: float) -> Self:
        """Return the family with a prior mean that is worth a number of points."""
        return self._with(prior_variance=self.variance / points)

    def summary(self) -> dict[str, Any]:
        """Return the prior mean, and the standard deviation of a cluster's mean about it."""
        return {"mean": self.mean, "deviation": self.prior_variance**0.5}


class KnownVarianceCluster(SlottedCluster):
    """Points of a `NormalKnownVariance` cluster: their count, the posterior mean and the scatter."""

    __slots__ = ("_constant", "_family", "_half_precision", "_rows", "_scatter", "_x", "_y", "count")

    def __init__(self, family: NormalKnownVariance, capacity: int) -> None:
        self._family = family
        self._rows = _terms_by_count(family.dimension, family.variance, family.prior_variance, capacity)
        self._x, self._y = as_pairs(family.mean[None])[0]
        self._scatter = 0.0  # sum of squares about the posterior mean, with the prior's term
        self._settle(0)

    def add(self, x: Pair) -> None:
        """Add a point."""
        points = self._rows[self.count][0]
        right, up = x[0] - self._x, x[1] - self._y
        self._scatter += points / (points + 1.0) * (right * right + up * up)
        self._x += right / (points + 1.0)
        self._y += up / (points + 1.0)
        self._settle(self.count + 1)

    def remove(self, x: Pair) -> None:
        """Remove a point that was added before."""
        points = self._rows[self.count - 1][0]
        right, up = x[0] - self._x, x[1] - self._y
        self._scatter -= (points + 1.0) / points * (right * right + up * up)
        self._x -= right / points
        self._y -= up / points
        self._settle(self.count - 1)

    def _settle(self, count: int) -> None:
        if count >= len(self._rows):
            family = self._family
            self._rows = _terms_by_count(family.dimension, family.variance, family.prior_variance, 2 * count)
        self.count = count
        _, self._half_precision, self._constant, _ = self._rows[count]

    def log_predictive(self, x: Pair) -> float:
        """Return the log density of one more point: normal about the posterior mean."""
        right = x[0] - self._x
        up = x[1] - self._y
        return self._constant - self._half_precision * (right * right + up * up)

    def log_marginal(self) -> float:
        """Return the log density of all the points, with the mean integrated out."""
        return self._rows[self.count][3] - self._scatter / (2 * self._family.variance)

    def posterior(self) -> NormalKnownVariance:
        """Return the posterior of the mean."""
        family = self._family
        mean = np.array([self._x, self._y][: family.dimension])
        return family._with(mean=mean, prior_variance=family.variance / self._rows[self.count][0])


@lru_cache(maxsize=32)  # a short chain's clusters cost less than these rows
def _terms_by_count(
    dimension: int, variance: float, prior_variance: float, capacity: int
) -> Sequence[tuple[float, ...]]:
    """Return the terms that depend on the count alone, one row for each count from 0 to the capacity.

    A row holds the points that the posterior mean rests on (the prior's included), half the precision and the log
    normaliser of the predictive, and the log marginal without the sum of squares.
    """
    counts = np.arange(capacity + 1)
    prior_points = variance / prior_variance
    points = prior_points + counts
    precision = points / (points + 1) / variance
    constant = dimension / 2 * np.log(precision / (2 * math.pi))
    marginal = np.log(prior_points / points) - counts * math.log(2 * math.pi * variance)
    return as_table(points, precision / 2, constant, dimension / 2 * marginal)


def as_pairs(rows: np.ndarray) -> list[Pair]:
    """Return points of shape (n, 1) or (n, 2) as pairs of floats: a point on a line lies in the plane, at height 0."""
    heights = rows[:, 1] if rows.shape[1] == 2 else np.zeros(len(rows))
    return list(zip(rows[:, 0].tolist(), heights.tolist(), strict=True))
