"""Gibbs sampling of a CRP mixture without conjugacy: auxiliary tables take the place of a new one.

Neal (2000, Markov chain sampling methods for Dirichlet process mixture models), Algorithm 8. Each table has a mean. A
point that has been taken out may join a table, or one of m auxiliary tables, whose means are draws of the prior, so no
integral over a new table's mean is needed. If the point sat alone, its own table is one of the m.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import whole_from
from samplers.crp.facts import log_joint_of_counts
from samplers.crp.mixture import Seated, SeatingSampler, Start
from samplers.jumps.laplace_means import Mean
from samplers.recipe import Conditional, Distribution, Site

MEANS, AUXILIARY = "means", "auxiliary tables"  # the blocks of a sweep
STEPS = 3  # Metropolis proposals for each mean in a sweep


class MeanPrior(Protocol):
    """The prior of a cluster's mean, and the density of its points, as `LaplaceMeans` has them."""

    of_counts: ClassVar[bool]

    @property
    def variance(self) -> float:
        """The variance of a point about its cluster's mean."""

    @property
    def dimension(self) -> int:
        """The number of coordinates."""

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return points in rows, shape (n, D)."""

    def draw(self, rng: np.random.Generator) -> Mean:
        """Draw a cluster's mean."""

    def log_prior(self, mean: Mean) -> float:
        """Return the log density of a mean."""

    def log_density(self, x: Sequence[float], mean: Mean) -> float:
        """Return the log density of a point in a cluster with this mean."""


@dataclass
class TablesState(Seated):
    """The table of each point, and each table's mean.

    Attributes
    ----------
    means : dict of int to tuple of float
        The means of the tables in use by id, in order of opening.
    sizes : dict of int to int
        The number of points at each of them.
    auxiliary : list of list of tuple of float
        For each point, the means of m auxiliary tables, for its next update.
    lone : tuple of float or None
        The mean of the table that the point now taken out has left empty.
    lifted : int or None
        The point that is out.
    """

    labels: list[int]
    means: dict[int, Mean]
    sizes: dict[int, int]
    auxiliary: list[list[Mean]]
    lone: Mean | None = None
    lifted: int | None = None

    @property
    def in_use(self) -> dict[int, Mean]:
        """The means."""
        return self.means

    @property
    def counts(self) -> list[int]:
        """The number of points at each of the `tables`."""
        return list(self.sizes.values())

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        auxiliary = [list(means) for means in self.auxiliary]
        return type(self)(self.labels.copy(), dict(self.means), dict(self.sizes), auxiliary, self.lone, self.lifted)


@dataclass(frozen=True, eq=False)
class MeansConditional:
    """The means given the labels, known up to a constant: each is moved by a few Metropolis steps.

    Attributes
    ----------
    means : dict of int to tuple of float
        The present means.
    scales : dict of int to float
        The standard deviation of the proposals of each.
    log_posterior : callable
        ``log_posterior(table, mean)``, up to a constant.
    """

    means: dict[int, Mean]
    scales: dict[int, float]
    log_posterior: Callable[[int, Mean], float]

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
        return [[self.family.draw(rng) for _ in range(self.tables)] for _ in range(self.points)]


class AuxiliaryTables(SeatingSampler[TablesState]):
    """A Dirichlet process mixture whose family need not be conjugate, sampled one label at a time.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D); at least one.
    family : MeanPrior
        The prior of a cluster's mean, and the density of its points.
    concentration : float
        α, above 0.
    tables : int, optional
        m, the number of auxiliary tables, from 1.
    start : {"together", "apart", "prior"}, optional
        All points at one table, each at its own, or drawn from the prior, which ignores the data.

    Raises
    ------
    ValueError
        If a setting is out of range, or the family does not accept the data.

    Notes
    -----
    A table with n other points weighs n times the density of the point there, and an auxiliary one α/m times that
    density (Neal 2000, equation 5.1). Auxiliary means do not depend on the state, so they are drawn for a whole sweep,
    at the end of the one before. A sweep also moves each table's mean, by Metropolis steps.
    """

    def __init__(
        self,
        data: ArrayLike,
        family: MeanPrior,
        concentration: float,
        tables: int = 3,
        *,
        start: Start = "together",
    ) -> None:
        super().__init__(family.rows(data), concentration, start)
        self.family = family
        self.tables = whole_from("tables", tables, 1)
        self._rows = [tuple(row) for row in self.data.tolist()]

    def variables(self, state: TablesState) -> dict[str, Any]:
        """Return the table of each point, the number of tables, their means, and the log joint."""
        return {
            "assignments": state.assignments,
            "tables": len(state.means),
            "means": np.array(list(state.means.values())),
            "log_joint": self.log_joint(state),
        }

    def init(self, rng: np.random.Generator) -> TablesState:
        """Return a first state: a table's mean is that of its points."""
        return self.state(self.first_labels(rng), self.ahead().draw(rng))

    def ahead(self) -> Any:
        """Return the distribution of what the next sweep offers: the auxiliary means."""
        return FromThePrior(self.family, len(self.data), self.tables)

    def state(self, labels: Iterable[int], auxiliary: Sequence[list[Mean]]) -> TablesState:
        """Return the state with these labels and auxiliary means; a table's mean is that of its points."""
        found = [int(label) for label in labels]
        members = {table: [i for i, label in enumerate(found) if label == table] for table in dict.fromkeys(found)}
        means = {table: tuple(self.data[points].mean(axis=0).tolist()) for table, points in members.items()}
        return TablesState(found, means, {table: len(points) for table, points in members.items()}, list(auxiliary))

    def sites(self, state: TablesState) -> Iterator[Site]:
        """Yield every point in order, then the means, then the auxiliary tables of the next sweep."""
        yield from range(len(self.data))
        yield MEANS
        yield AUXILIARY

    def forget(self, state: TablesState, site: Site) -> None:
        """Take a point out of its table; a table that it leaves empty becomes an auxiliary one."""
        if isinstance(site, str):
            return
        table = state.labels[site]
        state.sizes[table] -= 1
        state.lifted, state.lone = site, None
        if not state.sizes[table]:
            state.lone = state.means.pop(table)
            del state.sizes[table]

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

    def remember(self, state: TablesState, site: Site, value: Any) -> None:
        """Seat a point, whose auxiliary table joins the tables in use if it was drawn; or set a block."""
        if site == MEANS:
            state.means.update(value)
        elif isinstance(site, str):
            state.auxiliary = value
        else:
            tables = state.tables
            if value < len(tables):
                table = tables[value]
            else:
                table = self._new_id(state, site)
                state.means[table] = self.offered(state, site)[value - len(tables)]
            state.sizes[table] = state.sizes.get(table, 0) + 1
            state.labels[site] = table
            state.lifted = state.lone = None

    def log_joint(self, state: TablesState) -> float:
        """Return log p(data, assignments, means)."""
        fit = (
            self.family.log_density(x, state.means[table]) for x, table in zip(self._rows, state.labels, strict=True)
        )
        prior = (self.family.log_prior(mean) for mean in state.means.values())
        return log_joint_of_counts(state.counts, self.concentration, 0.0) + math.fsum(fit) + math.fsum(prior)

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
