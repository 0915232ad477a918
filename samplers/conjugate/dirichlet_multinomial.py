"""Counts of categories with unknown probabilities: the Dirichlet-multinomial."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import lgamma
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from samplers.conjugate.dirichlet import Dirichlet, log_marginal_of_counts
from samplers.conjugate.family import Changeable, SlottedCluster, Sums, as_counts, as_vector, filled
from samplers.conjugate.parameters import Multinomial, log_coefficients
from samplers.log_density import NoMode


class Counts(NamedTuple):
    """One observation: the categories that occur, how often, their total, and the log multinomial coefficient."""

    occurring: list[tuple[int, int]]
    total: int
    log_coefficient: float


@dataclass(frozen=True, eq=False, init=False)
class DirichletMultinomial(Changeable):
    """Rows of counts x ~ Multinomial(total, probabilities of the cluster), and those ~ Dirichlet(prior).

    The multinomial coefficient is in every density, so that the densities of all rows with one total sum to 1. Gelman
    et al. (2013, Bayesian Data Analysis), section 3.4.

    Parameters
    ----------
    prior : array_like
        Pseudo-count of each category, shape (V,), above 0.

    Raises
    ------
    ValueError
        If a pseudo-count is not finite and positive, or if there are fewer than two.
    """

    prior: np.ndarray
    of_counts: ClassVar[bool] = True

    def __init__(self, prior: ArrayLike) -> None:
        object.__setattr__(self, "prior", as_vector("prior", prior))
        if self.dimension < 2 or (self.prior <= 0).any():
            raise ValueError(f"prior must be at least two numbers > 0, got {prior!r}")

    @property
    def dimension(self) -> int:
        """The number of categories."""
        return self.prior.size

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return counts in rows, shape (n, V).

        Raises
        ------
        ValueError
            If the data do not have the shape (n, V), or are not whole numbers from 0.
        """
        return as_counts(data, self.dimension)

    def observations(self, data: ArrayLike) -> list[Counts]:
        """Return each row's counts with what does not change about them. Errors as `rows`."""
        rows = self.rows(data)
        coefficients = log_coefficients(rows)
        return [
            Counts([(v, int(row[v])) for v in np.flatnonzero(row).tolist()], int(row.sum()), coefficient)
            for row, coefficient in zip(rows, coefficients.tolist(), strict=True)
        ]

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> "CountsCluster":
        """Return a cluster of these rows, shape (n, V); the capacity is not needed here."""
        return filled(CountsCluster(self), self.observations(data))

    def given(self, sums: Sums) -> Self:
        """Return the posterior given many rows at once: their counts are added to the pseudo-counts."""
        return self.with_counts(self.prior + sums.total)

    def to_the_power(self, times: float) -> Self:
        """Return the family whose density is this one's to a power: it is (pseudo-count - 1) that is multiplied."""
        return self.with_counts(times * (self.prior - 1) + 1)

    def marginal(self, columns: Sequence[int]) -> None:
        """Return None: without the other counts, the total of a row is not known."""

    def with_counts(self, prior: np.ndarray) -> Self:
        """Return the family with other pseudo-counts, shape (V,), which are not checked again."""
        return self._with(prior=prior)

    def mode(self) -> Multinomial:
        """Return the most probable probabilities, in proportion to the pseudo-counts less 1; errors as in `Family`.

        A pseudo-count below 1 draws its probability to 0, and is taken as 1.
        """
        counts = np.maximum(self.prior - 1, 0)
        if not counts.any():
            raise NoMode("where nothing was counted, and the prior is flat, all probabilities are as likely")
        return Multinomial(counts / counts.sum())

    def draw(self, rng: np.random.Generator) -> Multinomial:
        """Draw a cluster's probabilities."""
        return Multinomial(rng.dirichlet(self.prior))

    def typical(self) -> Multinomial:
        """Return the multinomial with the expected probabilities."""
        return Multinomial(self.prior / self.prior.sum())

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log probability of single rows given their totals, shape (n,)."""
        rows = self.rows(data)
        return log_coefficients(rows) + log_marginal_of_counts(rows, self.prior)

    def log_density_of(self, parameters: Multinomial) -> float:
        """Return the log density of a cluster's probabilities."""
        smallest = np.finfo(float).tiny  # a probability that was drawn as 0 was not 0 before it was rounded
        return Dirichlet(self.prior).log_density(np.log(np.maximum(parameters.probabilities, smallest)))

    def with_certain_centre(self, points: float) -> Self:
        """Return the family with the same expected probabilities, the pseudo-counts multiplied by `points`."""
        return self.with_counts(self.prior * points)

    def summary(self) -> dict[str, Any]:
        """Return the pseudo-counts."""
        return {"pseudo-counts": self.prior}


class CountsCluster(SlottedCluster):
    """Rows of counts of a `DirichletMultinomial` cluster: their sum, with the prior's pseudo-counts in it."""

    __slots__ = ("_family", "_log_coefficients", "_log_gammas", "_pseudo", "_seen", "_whole", "_words", "count")

    def __init__(self, family: DirichletMultinomial) -> None:
        self._family = family
        self._pseudo = family.prior.tolist()
        self._seen = [0] * family.dimension  # whole numbers: adding and taking back leaves no trace
        self._log_gammas = [lgamma(pseudo) for pseudo in self._pseudo]
        self._whole = math.fsum(self._pseudo)
        self._words = 0
        self._log_coefficients = 0.0
        self.count = 0

    def add(self, x: Counts) -> None:
        """Add a row."""
        self._shift(x, 1)

    def remove(self, x: Counts) -> None:
        """Remove a row that was added before."""
        self._shift(x, -1)

    def _shift(self, x: Counts, sign: int) -> None:
        for v, times in x.occurring:
            self._seen[v] += sign * times
            self._log_gammas[v] = lgamma(self._pseudo[v] + self._seen[v])
        self._words += sign * x.total
        self._log_coefficients += sign * x.log_coefficient
        self.count += sign

    def log_predictive(self, x: Counts) -> float:
        """Return the log probability of one more row, given its total."""
        whole = self._whole + self._words
        log_probability = x.log_coefficient + lgamma(whole) - lgamma(whole + x.total)
        for v, times in x.occurring:
            log_probability += lgamma(self._pseudo[v] + self._seen[v] + times) - self._log_gammas[v]
        return log_probability

    def log_marginal(self) -> float:
        """Return the log probability of all the rows given their totals, with the probabilities integrated out."""
        return self._log_coefficients + float(log_marginal_of_counts(self._seen, self._family.prior))

    def posterior(self) -> DirichletMultinomial:
        """Return the posterior of the probabilities."""
        return DirichletMultinomial(self._family.prior + self._seen)

    def copy(self) -> Self:
        other = super().copy()
        other._seen = self._seen.copy()
        other._log_gammas = self._log_gammas.copy()
        return other
