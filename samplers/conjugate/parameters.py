"""Parameters of one cluster: the distributions of its points, with their densities.

Triangular systems are given to NumPy's general solver: SciPy's own one starts threads even for two unknowns, which on
busy cores takes a thousand times as long.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy import special


class Parameters(Protocol):
    """The distribution of a cluster's points."""

    @property
    def mean(self) -> np.ndarray:
        """Expected point, shape (D,); of counts, the expected share of each category."""

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviation of each coordinate, shape (D,); of shape (0,) where the mean says all."""

    def log_density(self, data: np.ndarray) -> np.ndarray:
        """Return the log density of each point, shape (n,)."""

    def marginal(self, columns: Sequence[int]) -> "Parameters | None":
        """Return the distribution of some of the columns; None if they say nothing without the others."""

    def points(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw points, shape (count, D)."""


@dataclass(frozen=True, eq=False)
class Normal:
    """A normal distribution of points.

    Parameters
    ----------
    mean : numpy.ndarray
        Shape (D,).
    covariance : numpy.ndarray
        Shape (D, D), symmetric and positive definite.
    """

    mean: np.ndarray
    covariance: np.ndarray

    @property
    def deviations(self) -> np.ndarray:
        """Standard deviation of each coordinate, shape (D,)."""
        return np.sqrt(np.diag(self.covariance))

    def log_density(self, data: np.ndarray) -> np.ndarray:
        """Return the log density of points of shape (n, D), shape (n,)."""
        root = np.linalg.cholesky(self.covariance)
        white = np.linalg.solve(root, (data - self.mean).T)
        constant = np.log(np.diag(root)).sum() + len(root) / 2 * math.log(2 * math.pi)
        return -constant - (white**2).sum(axis=0) / 2

    def marginal(self, columns: Sequence[int]) -> "Normal":
        """Return the distribution of some of the coordinates."""
        kept = list(columns)
        return Normal(self.mean[kept], self.covariance[np.ix_(kept, kept)])

    def points(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw points, shape (count, D)."""
        noise = rng.standard_normal((count, self.mean.size))
        return self.mean + noise @ np.linalg.cholesky(self.covariance).T

    def student_t(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Return location, scale matrix and degrees of freedom (infinitely many)."""
        return self.mean, self.covariance, math.inf


@dataclass(frozen=True, eq=False)
class Multinomial:
    """A multinomial distribution of counts.

    Parameters
    ----------
    probabilities : numpy.ndarray
        Shape (V,), summing to 1.
    """

    probabilities: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Expected share of each category: the probabilities, shape (V,)."""
        return self.probabilities

    @property
    def deviations(self) -> np.ndarray:
        """Nothing, shape (0,): how far counts spread follows from the probabilities."""
        return np.empty(0)

    def log_density(self, data: np.ndarray) -> np.ndarray:
        """Return the log probability of rows of counts given their totals, shape (n,), with the coefficient in it."""
        return log_coefficients(data) + special.xlogy(data, self.probabilities).sum(axis=1)

    def marginal(self, columns: Sequence[int]) -> None:
        """Return None: without the other counts, the total of a row is not known."""

    def points(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw rows with a total of 1, shape (count, V)."""
        return rng.multinomial(np.ones(count, int), self.probabilities).astype(float)


@dataclass(frozen=True)
class Poisson:
    """A Poisson distribution of one count.

    Parameters
    ----------
    rate : float
        The expected count, from 0.
    """

    rate: float

    @property
    def mean(self) -> np.ndarray:
        """The rate, shape (1,)."""
        return np.array([self.rate])

    @property
    def deviations(self) -> np.ndarray:
        """Its root, shape (1,)."""
        return np.array([math.sqrt(self.rate)])

    def log_density(self, data: np.ndarray) -> np.ndarray:
        """Return the log probability of counts of shape (n, 1), shape (n,)."""
        counts = data[:, 0]
        return special.xlogy(counts, self.rate) - self.rate - special.gammaln(counts + 1)

    def marginal(self, columns: Sequence[int]) -> "Poisson | None":
        """Return the distribution itself, or None without its only column."""
        return self if len(columns) else None

    def points(self, count: int, rng: np.random.Generator) -> np.ndarray:
        """Draw counts, shape (count, 1)."""
        return rng.poisson(self.rate, (count, 1)).astype(float)


def log_coefficients(rows: np.ndarray) -> np.ndarray:
    """Return the log multinomial coefficient of each row of counts, shape (n,)."""
    return special.gammaln(rows.sum(axis=1) + 1) - special.gammaln(rows + 1).sum(axis=1)
