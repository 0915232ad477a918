"""Gibbs sampling of a Dirichlet process mixture whose tables keep their means, and redraw them in each sweep.

What two algorithms of Neal (2000, Markov chain sampling methods for Dirichlet process mixture models) share: 2, in
`samplers.jumps.kept_means`, for a conjugate prior, and 8, in `samplers.jumps.auxiliary`, for any.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.crp.facts import log_joint_of_counts
from samplers.crp.mixture import Seated, SeatingSampler, Start
from samplers.jumps.laplace_means import Mean
from samplers.recipe import Distribution, Site

MEANS = "means"  # the block that redraws them


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

    def draw(self, rng: np.random.Generator, size: int) -> list[Mean]:
        """Draw the means of this many clusters."""

    def log_prior(self, mean: Mean) -> float:
        """Return the log density of a mean."""

    def log_density(self, x: Sequence[float], mean: Mean) -> float:
        """Return the log density of a point in a cluster with this mean."""


@dataclass
class TablesState(Seated):
    """The table of each point, and each table's mean."""

    labels: list[int]
    means: dict[int, Mean]  # the means of the tables in use by id, in order of opening
    sizes: dict[int, int]  # the number of points at each of them
    # for each point, what was drawn ahead for its next update: means of auxiliary tables, or what makes a new mean
    auxiliary: list[list[Mean]]
    lone: Mean | None = None  # the mean of the table that the point now taken out has left empty
    lifted: int | None = None  # the point that is out

    @property
    def in_use(self) -> dict[int, Mean]:
        """The means."""
        return self.means

    @property
    def counts(self) -> list[int]:
        """The number of points at each of the `tables`."""
        return list(self.sizes.values())

    def copy(self) -> Self:
        auxiliary = [list(means) for means in self.auxiliary]
        return type(self)(self.labels.copy(), dict(self.means), dict(self.sizes), auxiliary, self.lone, self.lifted)


F = TypeVar("F", bound=MeanPrior)


class TablesWithMeans(SeatingSampler[TablesState], Generic[F]):
    """A Dirichlet process mixture, sampled one label at a time, whose tables have means.

    A subclass says what a point is offered beside the tables in use, how its table is scored, and how means are drawn.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D); at least one.
    family : MeanPrior
        The prior of a cluster's mean, and the density of its points.
    concentration : float
        α, above 0.
    start : {"together", "apart", "prior"}, optional
        As for `samplers.crp.mixture.CRPMixture`.

    Raises
    ------
    ValueError
        If a setting is out of range, or the family does not accept the data.

    Notes
    -----
    What is offered does not depend on the state, so it is drawn for a whole sweep, at the end of the one before.

    Attributes
    ----------
    block : str
        The name of the block that draws it.
    """

    block: ClassVar[str]

    def __init__(self, data: ArrayLike, family: F, concentration: float, *, start: Start = "together") -> None:
        super().__init__(family.rows(data), concentration, start)
        self.family = family
        self._rows = [tuple(row) for row in self.data.tolist()]

    @abstractmethod
    def ahead(self) -> Distribution:
        """Return the distribution of what the next sweep needs: for each point a list of tuples of D numbers."""

    @abstractmethod
    def offered(self, state: TablesState, point: int) -> list[Mean]:
        """Return the means of the tables that a point that is out may open."""

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

    def state(self, labels: Iterable[int], auxiliary: Sequence[list[Mean]]) -> TablesState:
        """Return the state with these labels and auxiliary means; a table's mean is that of its points."""
        found = [int(label) for label in labels]
        members = {table: [i for i, label in enumerate(found) if label == table] for table in dict.fromkeys(found)}
        means = {table: tuple(self.data[points].mean(axis=0).tolist()) for table, points in members.items()}
        return TablesState(found, means, {table: len(points) for table, points in members.items()}, list(auxiliary))

    def sites(self, state: TablesState) -> Iterator[Site]:
        """Yield every point in order, then the means, then what the next sweep needs."""
        yield from range(len(self.data))
        yield MEANS
        yield self.block

    def forget(self, state: TablesState, site: Site) -> None:
        """Take a point out of its table; the mean of a table that it leaves empty is `TablesState.lone`."""
        if isinstance(site, str):
            return
        table = state.labels[site]
        state.sizes[table] -= 1
        state.lifted, state.lone = site, None
        if not state.sizes[table]:
            state.lone = state.means.pop(table)
            del state.sizes[table]

    def remember(self, state: TablesState, site: Site, value: Any) -> None:
        """Seat a point, at a table in use or at one that was offered; or set a block."""
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
