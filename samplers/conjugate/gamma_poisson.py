"""Counts with an unknown rate: the Gamma-Poisson, whose predictive is a negative binomial."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma, log
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.conjugate.family import Changeable, SlottedCluster, Sums, as_counts, filled
from samplers.conjugate.parameters import Poisson
from samplers.log_density import NoMode


@dataclass(frozen=True)
class GammaPoisson(Changeable):
    """Counts x ~ Poisson(rate of the cluster), and rates ~ Gamma(shape, rate).

    Gelman et al. (2013, Bayesian Data Analysis), section 2.6: the predictive is negative binomial.

    Parameters
    ----------
    shape, rate : float
        Of the Gamma prior, above 0: as much as a total of `shape` in `rate` observations.

    Raises
    ------
    ValueError
        If a parameter is not finite and above 0.
    """

    shape: float
    rate: float
    of_counts: ClassVar[bool] = True
    dimension: ClassVar[int] = 1

    def __post_init__(self) -> None:
        finite_above("shape", self.shape, 0)
        finite_above("rate", self.rate, 0)

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return counts in rows, shape (n, 1).

        Raises
        ------
        ValueError
            If the data do not have the shape (n, 1) or (n,), or are not whole numbers from 0.
        """
        return as_counts(data, 1)

    def observations(self, data: ArrayLike) -> list[int]:
        """Return the counts. Errors as `rows`."""
        return [int(count) for count in self.rows(data)[:, 0].tolist()]

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> "RateCluster":
        """Return a cluster of these counts; the capacity is not needed here."""
        return filled(RateCluster(self), self.observations(data))

    def given(self, sums: Sums) -> Self:
        """Return the posterior given many counts at once: Gamma(shape + their sum, rate + their number)."""
        return self._with(shape=self.shape + float(sums.total[0]), rate=self.rate + float(sums.size))

    def to_the_power(self, times: float) -> Self:
        """Return the family whose density is this one's to a power."""
        return self._with(shape=times * (self.shape - 1) + 1, rate=times * self.rate)

    def marginal(self, columns: Sequence[int]) -> Self | None:
        """Return the family itself, or None without its only column."""
        return self if len(columns) else None

    def mode(self) -> Poisson:
        """Return the most probable rate, (shape - 1) / rate, or 0 below a shape of 1; errors as in `Family`."""
        if self.rate <= 0:
            raise NoMode("where nothing was counted, and the prior is flat, all rates are as likely")
        return Poisson(max(self.shape - 1, 0.0) / self.rate)

    def draw(self, rng: np.random.Generator) -> Poisson:
        """Draw a cluster's rate."""
        return Poisson(float(rng.gamma(self.shape, 1 / self.rate)))

    def typical(self) -> Poisson:
        """Return the Poisson with the expected rate."""
        return Poisson(self.shape / self.rate)

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log probability of single counts, shape (n,): negative binomial."""
        counts = self.rows(data)[:, 0]
        choose = special.gammaln(self.shape + counts) - special.gammaln(self.shape) - special.gammaln(counts + 1)
        return choose - self.shape * math.log1p(1 / self.rate) - counts * math.log1p(self.rate)

    def log_density_of(self, parameters: Poisson) -> float:
        """Return the log density of a cluster's rate."""
        rate = max(parameters.rate, np.finfo(float).tiny)
        return self.shape * log(self.rate) - lgamma(self.shape) + (self.shape - 1) * log(rate) - self.rate * rate

    def with_certain_centre(self, points: float) -> Self:
        """Return the family with the same expected rate, as certain as after a number of counts."""
        return self._with(shape=self.shape * points / self.rate, rate=points)

    def summary(self) -> dict[str, Any]:
        """Return the expected rate as the mean, and the number of observations that the prior is worth."""
        return {"mean": np.array([self.shape / self.rate]), "points": self.rate, "df": self.shape}


class RateCluster(SlottedCluster):
    """Counts of a `GammaPoisson` cluster: their sum and their number."""

    __slots__ = ("_family", "_log_factorials", "_sum", "count")

    def __init__(self, family: GammaPoisson) -> None:
        self._family, self._sum, self._log_factorials, self.count = family, 0, 0.0, 0

    def add(self, x: int) -> None:
        """Add a count."""
        self._shift(x, 1)

    def remove(self, x: int) -> None:
        """Remove a count that was added before."""
        self._shift(x, -1)

    def _shift(self, x: int, sign: int) -> None:
        self._sum += sign * x
        self._log_factorials += sign * lgamma(x + 1)
        self.count += sign

    def log_predictive(self, x: int) -> float:
        """Return the log probability of one more count."""
        shape, rate = self._family.shape + self._sum, self._family.rate + self.count
        choose = lgamma(shape + x) - lgamma(shape) - lgamma(x + 1)
        return choose - shape * math.log1p(1 / rate) - x * math.log1p(rate)

    def log_marginal(self) -> float:
        """Return the log probability of all the counts, with the rate integrated out."""
        shape, rate = self._family.shape, self._family.rate
        after = shape + self._sum
        gammas = lgamma(after) - lgamma(shape) - self._log_factorials
        return gammas + shape * log(rate) - after * log(rate + self.count)

    def posterior(self) -> GammaPoisson:
        """Return the posterior of the rate."""
        return GammaPoisson(self._family.shape + self._sum, self._family.rate + self.count)
