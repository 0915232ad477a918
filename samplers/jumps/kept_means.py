"""Gibbs sampling of a conjugate CRP mixture whose tables keep their means: the ancestor of the collapsed sampler.

Neal (2000, Markov chain sampling methods for Dirichlet process mixture models), Algorithm 2. A point joins a table by
the density at the table's mean. A new table weighs α times the prior predictive, and its mean is a draw of the
posterior given the point alone. After the points, each mean is drawn given the points of its table.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.conjugate import NormalKnownVariance
from samplers.conjugate.family import as_rows
from samplers.jumps.laplace_means import Mean
from samplers.jumps.tables import MEANS, TablesState, TablesWithMeans
from samplers.recipe import Conditional, Distribution, Site

NUMBERS = "numbers for new means"  # the block that draws them


@dataclass(frozen=True, eq=False)
class NormalMeans:
    """Points x ~ Normal(mean, variance) in each coordinate, whose mean has a Normal prior, which is conjugate.

    Parameters
    ----------
    prior : NormalKnownVariance
        The prior of a cluster's mean, and the variance of its points.
    """

    prior: NormalKnownVariance
    of_counts: ClassVar[bool] = False

    @property
    def variance(self) -> float:
        """The variance of a point about its cluster's mean."""
        return self.prior.variance

    @property
    def dimension(self) -> int:
        """The number of coordinates."""
        return self.prior.dimension

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return points in rows, shape (n, D); errors as in `samplers.conjugate.family.as_rows`."""
        return as_rows(data, self.dimension)

    def draw(self, rng: np.random.Generator, size: int) -> list[Mean]:
        """Draw the means of this many clusters."""
        away = math.sqrt(self.prior.prior_variance) * rng.standard_normal((size, self.dimension))
        return list(map(tuple, (self.prior.mean + away).tolist()))

    def given(self, rows: np.ndarray) -> NormalKnownVariance:
        """Return the posterior of the mean of a cluster with these points, shape (n, D)."""
        return self.prior.cluster(rows).posterior()

    def log_prior(self, mean: Mean) -> float:
        """Return the log density of a mean."""
        return _log_normal(mean, self.prior.mean.tolist(), self.prior.prior_variance)

    def log_density(self, x: Sequence[float], mean: Mean) -> float:
        """Return the log density of a point in a cluster with this mean."""
        return _log_normal(x, mean, self.variance)

    def log_predictive(self, x: Sequence[float]) -> float:
        """Return the log density of a point in a cluster of its own."""
        return _log_normal(x, self.prior.mean.tolist(), self.variance + self.prior.prior_variance)

    def density(self, places: np.ndarray) -> np.ndarray:
        """Return the prior predictive density of a point at each of some places, shape (n, D); the result is (n,)."""
        return np.exp(self.prior.log_density(places))


def _log_normal(x: Sequence[float], mean: Sequence[float], variance: float) -> float:
    squares = sum((value - middle) ** 2 for value, middle in zip(x, mean, strict=True))
    return -squares / (2 * variance) - len(x) / 2 * math.log(2 * math.pi * variance)


@dataclass(frozen=True, eq=False)
class PosteriorMeans:
    """The means given the labels: independent Normals."""

    posteriors: dict[int, NormalKnownVariance]  # the posterior of each table's mean

    def log_density(self, value: dict[int, Mean]) -> float:
        """Return the log density of all means."""
        return math.fsum(
            _log_normal(mean, self.posteriors[table].mean.tolist(), self.posteriors[table].prior_variance)
            for table, mean in value.items()
        )

    def draw(self, rng: np.random.Generator) -> dict[int, Mean]:
        """Draw every mean."""
        return {table: tuple(family.draw(rng).mean.tolist()) for table, family in self.posteriors.items()}


@dataclass(frozen=True, eq=False)
class StandardNormals:
    """A standard Normal number for each coordinate of each point: they make the means of new tables."""

    points: int
    dimension: int

    def draw(self, rng: np.random.Generator) -> list[list[Mean]]:
        """Draw the numbers, for each point a list with one tuple of D."""
        return [[tuple(row)] for row in rng.standard_normal((self.points, self.dimension)).tolist()]


class KeptMeans(TablesWithMeans[NormalMeans]):
    """A Dirichlet process mixture of Normals with a conjugate prior, whose tables keep their means within a sweep.

    Parameters
    ----------
    data, family, concentration, start
        As for `TablesWithMeans`, with a conjugate family.

    Raises
    ------
    ValueError
        As there.

    Notes
    -----
    A table with n other points weighs n times the density of the point at the table's mean, and a new one α times the
    prior predictive (Neal 2000, Algorithm 2). `TablesState.auxiliary` has the standard Normal numbers that make a new
    table's mean.
    """

    block = NUMBERS

    def ahead(self) -> StandardNormals:
        """Return the distribution of the numbers for the next sweep."""
        return StandardNormals(len(self.data), self.family.dimension)

    def offered(self, state: TablesState, point: int) -> list[Mean]:
        """Return the mean of the new table of a point that is out: a draw of the posterior given this point."""
        return [self.mean_of(self.family.given(self.data[[point]]), state.auxiliary[point][0])]

    def mean_of(self, family: NormalKnownVariance, numbers: Mean) -> Mean:
        """Return the draw of a mean that standard Normal numbers make."""
        scale = math.sqrt(family.prior_variance)
        return tuple(middle + scale * number for middle, number in zip(family.mean.tolist(), numbers, strict=True))

    def score(self, state: TablesState, site: Site) -> Distribution:
        """Return the conditional of a point's table: the tables in use, then a new one; or that of a block."""
        if site == MEANS:
            labels = state.assignments
            return PosteriorMeans({table: self.family.given(self.data[labels == table]) for table in state.means})
        if isinstance(site, str):
            return self.ahead()
        x, density = self._rows[site], self.family.log_density
        return Conditional(
            {
                self.already_there: [*map(math.log, state.sizes.values()), math.log(self.concentration)],
                self.fit: [*(density(x, mean) for mean in state.means.values()), self.family.log_predictive(x)],
            }
        )
