"""Gibbs sampling of a CRP mixture without conjugacy: auxiliary tables take the place of a new one.

Neal (2000, Markov chain sampling methods for Dirichlet process mixture models), Algorithm 8. Each table has a mean. A
point that has been taken out may join a table, or one of m auxiliary tables, whose means are draws of the prior, so no
integral over a new table's mean is needed. If the point sat alone, its own table is one of the m.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import whole_from
from samplers.crp.mixture import Start
from samplers.jumps.laplace_means import Mean
from samplers.jumps.tables import MEANS, MeanPrior, TablesState, TablesWithMeans
from samplers.recipe import Conditional, Distribution, Site

AUXILIARY = "auxiliary tables"  # the block that draws them
STEPS = 3  # Metropolis proposals for each mean in a sweep


@dataclass(frozen=True, eq=False)
class MeansConditional:
    """The means given the labels, known up to a constant: each is moved by a few Metropolis steps."""

    means: dict[int, Mean]  # the present means
    scales: dict[int, float]  # the standard deviation of the proposals of each
    log_posterior: Callable[[int, Mean], float]  # ``log_posterior(table, mean)``, up to a constant

    def log_density(self, value: dict[int, Mean]) -> float:
        """Return the log density of all means, up to a constant."""
        return math.fsum(self.log_posterior(table, mean) for table, mean in value.items())

    def draw(self, rng: np.random.Generator) -> dict[int, Mean]:
        """Move each mean by random-walk Metropolis."""
        found = {}
        for table, mean in self.means.items():
            now = self.log_posterior(table, mean)
            for _ in range(STEPS):
                away = rng.standard_normal(len(mean)).tolist()
                moved = tuple(value + self.scales[table] * step for value, step in zip(mean, away, strict=True))
                then = self.log_posterior(table, moved)
                if math.log(1 - rng.random()) < then - now:
                    mean, now = moved, then
            found[table] = mean
        return found


@dataclass(frozen=True, eq=False)
class FromThePrior:
    """Draws of the prior: the means of m auxiliary tables for each point."""

    family: MeanPrior
    points: int
    tables: int

    def draw(self, rng: np.random.Generator) -> list[list[Mean]]:
        """Draw the means, N lists of m."""
        drawn = iter(self.family.draw(rng, self.points * self.tables))
        return [list(islice(drawn, self.tables)) for _ in range(self.points)]


class AuxiliaryTables(TablesWithMeans[MeanPrior]):
    """A Dirichlet process mixture whose family need not be conjugate, sampled one label at a time.

    Parameters
    ----------
    data, family, concentration, start
        As for `TablesWithMeans`.
    tables : int, optional
        m, the number of auxiliary tables, from 1.

    Raises
    ------
    ValueError
        As there, and if there is no auxiliary table.

    Notes
    -----
    A table with n other points weighs n times the density of the point there, and an auxiliary one α/m times that
    density (Neal 2000, equation 5.1). A sweep also moves each table's mean, by Metropolis steps.
    """

    block = AUXILIARY

    def __init__(
        self,
        data: ArrayLike,
        family: MeanPrior,
        concentration: float,
        tables: int = 3,
        *,
        start: Start = "together",
    ) -> None:
        super().__init__(data, family, concentration, start=start)
        self.tables = whole_from("tables", tables, 1)

    def ahead(self) -> FromThePrior:
        """Return the distribution of what the next sweep offers: the auxiliary means."""
        return FromThePrior(self.family, len(self.data), self.tables)

    def offered(self, state: TablesState, point: int) -> list[Mean]:
        """Return the means of the auxiliary tables of a point that is out; if it sat alone, the first is its own."""
        drawn = state.auxiliary[point]
        return drawn if state.lone is None else [state.lone, *drawn[1:]]

    def score(self, state: TablesState, site: Site) -> Distribution:
        """Return the conditional of a point's table: the tables in use, then the auxiliary ones; or that of a block."""
        if site == MEANS:
            return MeansConditional(dict(state.means), self._scales(state), self._log_posterior(state))
        if isinstance(site, str):
            return self.ahead()
        new = self.offered(state, site)
        x, density = self._rows[site], self.family.log_density
        each = math.log(self.concentration / self.tables)
        return Conditional(
            {
                self.already_there: [*map(math.log, state.sizes.values()), *[each] * len(new)],
                self.fit: [density(x, mean) for mean in (*state.means.values(), *new)],
            }
        )

    def _scales(self, state: TablesState) -> dict[int, float]:
        """Return 2.4 / √D times about the standard deviation of each mean given its points."""
        width = 2.4 * math.sqrt(self.family.variance / self.family.dimension)
        return {table: width / math.sqrt(size) for table, size in state.sizes.items()}

    def _log_posterior(self, state: TablesState) -> Callable[[int, Mean], float]:
        labels = state.assignments
        middles = {table: self.data[labels == table].mean(axis=0).tolist() for table in state.means}

        def log_posterior(table: int, mean: Mean) -> float:  # without the scatter about the middle, which is constant
            squares = sum((value - middle) ** 2 for value, middle in zip(mean, middles[table], strict=True))
            return self.family.log_prior(mean) - state.sizes[table] * squares / (2 * self.family.variance)

        return log_posterior
