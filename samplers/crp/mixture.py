"""Collapsed Gibbs sampling of a CRP mixture, which infers the number of clusters.

Neal (2000, Markov chain sampling methods for Dirichlet process mixture models), Algorithm 3; Gershman & Blei (2012, A
tutorial on Bayesian nonparametric models), sections 2.3 and 4. The clusters' parameters are integrated out; a
sweep redraws the table of each point, and the concentration if it has a prior.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, Self, TypeVar, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.conjugate import Cluster, Family
from samplers.crp.facts import log_joint_of_counts
from samplers.recipe import Conditional, Distribution, GibbsSampler, Site

CONCENTRATION = "concentration"  # the name of the block that redraws it
Start = Literal["together", "apart", "prior"]


class Seated(ABC):
    """The table of each point; a subclass has what belongs to each table that is in use.

    Attributes
    ----------
    labels : list of int
        The table of each point. A point that has been taken out keeps the label of its old table.
    """

    __slots__ = ("labels",)
    labels: list[int]

    @property
    @abstractmethod
    def in_use(self) -> Mapping[int, Any]:
        """The groups of the tables in use, by their ids, in order of opening."""

    @abstractmethod
    def copy(self) -> Self:
        """Return an independent copy of the state."""

    @property
    def assignments(self) -> np.ndarray:
        """The table id of each point: a new array of integers, shape (N,)."""
        return np.array(self.labels, np.int64)

    @property
    def tables(self) -> list[int]:
        """The ids of the tables in use, in the order of the options of `score`."""
        return list(self.in_use)


SeatedState = TypeVar("SeatedState", bound=Seated)


class SeatingSampler(GibbsSampler[SeatedState]):
    """Base class of the Gibbs samplers that seat points at tables.

    Parameters
    ----------
    rows : numpy.ndarray
        The points, shape (N, D); at least one.
    concentration : float
        α, above 0.
    start : {"together", "apart", "prior"}
        How `first_labels` seats the points: see `CRPMixture`.

    Raises
    ------
    ValueError
        If there is no point, or a setting is out of range.
    """

    of_a_posterior = True
    already_there = "customers already there"
    fit = "fit"

    def __init__(self, rows: np.ndarray, concentration: float, start: Start) -> None:
        self.data = rows
        if not len(self.data):
            raise ValueError("data must hold at least one point")
        self.data.flags.writeable = False
        if start not in get_args(Start):
            raise ValueError(f"start must be 'together', 'apart' or 'prior', got {start!r}")
        self.concentration = finite_above("concentration", concentration, 0)
        self.start = start

    def first_labels(self, rng: np.random.Generator) -> Iterable[int]:
        """Return the table of each point at the start."""
        points = len(self.data)
        if self.start == "prior":
            return seating(points, self.concentration, rng)
        return [0] * points if self.start == "together" else range(points)

    def _new_id(self, state: SeatedState, point: int) -> int:
        left, taken = state.labels[point], state.in_use
        return left if left not in taken else next(table for table in count() if table not in taken)


class MixtureState(Seated):
    """The table of each point, and the sufficient statistics of each table.

    Attributes
    ----------
    clusters : dict of int to Cluster
        The tables in use by id, in order of opening.
    concentration : float
        α, the weight of a new table.

    Notes
    -----
    A table keeps its id while it has points. A new table gets the smallest free id, with one exception: a point that
    was alone and stays alone gets its old id back, so its colour on the screen does not change.
    """

    __slots__ = ("clusters", "concentration")

    def __init__(self, labels: list[int], clusters: dict[int, Cluster], concentration: float) -> None:
        self.labels = labels
        self.clusters = clusters
        self.concentration = concentration

    @property
    def in_use(self) -> dict[int, Cluster]:
        """The clusters."""
        return self.clusters

    @property
    def counts(self) -> list[int]:
        """The number of points at each of the `tables`."""
        return [cluster.count for cluster in self.clusters.values()]

    def copy(self) -> Self:
        clusters = {table: cluster.copy() for table, cluster in self.clusters.items()}
        return type(self)(self.labels.copy(), clusters, self.concentration)


@dataclass(eq=False)
class ConcentrationConditional:
    """The concentration given the number of tables: Escobar & West (1995), section 6, equations 13 and 14.

    Parameters
    ----------
    current : float
        The current concentration.
    tables, points : int
        K and N.
    shape, rate : float
        The parameters of the concentration's Gamma prior.
    """

    current: float
    tables: int
    points: int
    shape: float
    rate: float
    # the auxiliary number between 0 and 1 that `draw` drew; given it, the conditional is a mixture of two Gamma
    # distributions
    auxiliary: float | None = field(default=None, init=False)

    def log_density(self, value: float) -> float:
        """Return log p(α | K, N) up to a constant: Gamma prior times α^K Γ(α) / Γ(α + N)."""
        log_density = (self.shape + self.tables - 1) * math.log(value) - self.rate * value
        return log_density + math.lgamma(value) - math.lgamma(value + self.points)

    def draw(self, rng: np.random.Generator) -> float:
        """Draw the auxiliary number given the concentration, then the concentration given that number."""
        self.auxiliary = rng.beta(self.current + 1, self.points)
        rate = self.rate - math.log(self.auxiliary)
        shape = self.shape + self.tables
        odds = (shape - 1) / (self.points * rate)
        if rng.random() * (1 + odds) >= odds:
            shape -= 1
        return max(rng.gamma(shape, 1 / rate), np.finfo(float).tiny)  # a very small one must not become 0


class CRPMixture(SeatingSampler[MixtureState]):
    """A Dirichlet process mixture of a conjugate family, sampled one label at a time.

    The Chinese restaurant process seats the points at tables, the family draws the parameters of each table, and
    these generate the table's points.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; at least one.
    family : Family
        The prior of a cluster's parameters; see `samplers.conjugate`.
    concentration : float
        α, above 0. If it has a prior, its first value.
    start : {"together", "apart", "prior"}, optional
        How `init` seats the points: all at one table, each at its own table, or by the Chinese restaurant process,
        which ignores the data.
    concentration_prior : tuple of float, optional
        The shape and rate of a Gamma prior for the concentration, both above 0. With it, each sweep ends with a redraw
        of the concentration.

    Raises
    ------
    ValueError
        If a setting is out of range, or the family does not accept the data.

    Notes
    -----
    The probability of a table is proportional to the number of other points there times the table's predictive density
    at the point; that of a new table is proportional to α times the prior predictive density (Neal 2000, equation 3.7).

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.conjugate import NormalKnownVariance
    >>> sampler = CRPMixture([-3.1, -2.9, 3.0], NormalKnownVariance(0, 4, 0.5), concentration=1.0)
    >>> state = Chain(sampler, seed=1)[20]
    >>> state.assignments[0] == state.assignments[1], sorted(state.counts)
    (np.True_, [1, 2])
    """

    def __init__(
        self,
        data: ArrayLike,
        family: Family,
        concentration: float,
        *,
        start: Start = "together",
        concentration_prior: tuple[float, float] | None = None,
    ) -> None:
        super().__init__(family.rows(data), concentration, start)
        if concentration_prior is not None:
            shape, rate = concentration_prior
            concentration_prior = (finite_above("prior shape", shape, 0), finite_above("prior rate", rate, 0))
        self.family = family
        self.concentration_prior = concentration_prior
        self._observations = family.observations(self.data)
        self._empty = family.cluster(capacity=len(self.data))
        self._fit_of_new = [self._empty.log_predictive(x) for x in self._observations]
        self._log = [-math.inf, *(math.log(points) for points in range(1, len(self.data) + 1))]

    def state(self, assignments: Iterable[int]) -> MixtureState:
        """Return the state with these table ids and the sampler's first concentration.

        Parameters
        ----------
        assignments : iterable of int
            The table id of each point, shape (N,), from 0.

        Raises
        ------
        ValueError
            If there are not N ids, or if one is negative.
        """
        labels = [int(label) for label in assignments]
        if len(labels) != len(self.data) or min(labels) < 0:
            raise ValueError(f"assignments must be {len(self.data)} table ids from 0, got {labels}")
        state = MixtureState(labels, {}, self.concentration)
        self._seat_all(state)
        return state

    def variables(self, state: MixtureState) -> dict[str, Any]:
        """Return the table of each point, the number of tables, the concentration and the log joint."""
        return {
            "assignments": state.assignments,
            "tables": len(state.clusters),
            "concentration": state.concentration,
            "log_joint": self.log_joint(state),
        }

    def init(self, rng: np.random.Generator) -> MixtureState:
        """Return a first state, according to `start`."""
        return self.state(self.first_labels(rng))

    def sites(self, state: MixtureState) -> Iterator[Site]:
        """Yield every point in order, then the block ``"concentration"`` if it has a prior."""
        yield from range(len(self.data))
        if self.concentration_prior is not None:
            yield CONCENTRATION

    def forget(self, state: MixtureState, site: Site) -> None:
        """Take a point out of its table, and delete the table if it is then empty."""
        if isinstance(site, str):
            return
        table = state.labels[site]
        cluster = state.clusters[table]
        cluster.remove(self._observations[site])
        if not cluster.count:
            del state.clusters[table]

    def score(self, state: MixtureState, site: Site) -> Distribution:
        """Return the conditional of a point's table, or of the concentration.

        The options are ``state.tables`` in order, then a new table. ``"customers already there"`` is the log of the
        number of other points at the table, or of the concentration for a new one; ``"fit"`` is the log predictive
        density of the point there.
        """
        if isinstance(site, str):
            assert self.concentration_prior is not None
            prior, tables = self.concentration_prior, len(state.clusters)
            return ConcentrationConditional(state.concentration, tables, len(self.data), *prior)
        x, log = self._observations[site], self._log
        customers, fit = [], []
        for cluster in state.clusters.values():  # one loop for both, as two comprehensions take a third longer
            customers.append(log[cluster.count])
            fit.append(cluster.log_predictive(x))
        customers.append(self._log_weight_of_new(state))
        fit.append(self._fit_of_new[site])
        return Conditional({self.already_there: customers, self.fit: fit})

    def remember(self, state: MixtureState, site: Site, value: Any) -> None:
        """Seat a point at the table of the drawn option, or set the concentration."""
        if isinstance(site, str):
            state.concentration = value
        else:
            tables = list(state.clusters)
            self._seat(state, site, tables[value] if value < len(tables) else self._new_id(state, site))

    def log_joint(self, state: MixtureState) -> float:
        """Return log p(data, assignments), plus the log prior density of the concentration if it has a prior."""
        log_joint = self._log_seating(state)
        log_joint += math.fsum(cluster.log_marginal() for cluster in state.clusters.values())
        if self.concentration_prior is not None:
            shape, rate = self.concentration_prior
            log_joint += shape * math.log(rate) - math.lgamma(shape)
            log_joint += (shape - 1) * math.log(state.concentration) - rate * state.concentration
        return log_joint

    def _log_weight_of_new(self, state: MixtureState) -> float:
        """Return the log weight of a new table for a point that has been taken out."""
        return math.log(state.concentration)

    def _log_seating(self, state: MixtureState) -> float:
        """Return the log probability of the partition."""
        return log_joint_of_counts(state.counts, state.concentration, 0.0)

    def _seat(self, state: MixtureState, point: int, table: int) -> None:
        cluster = state.clusters.get(table)
        if cluster is None:
            cluster = state.clusters[table] = self._empty.copy()
        cluster.add(self._observations[point])
        state.labels[point] = table

    def _seat_all(self, state: MixtureState) -> None:
        """Rebuild the tables from the labels."""
        state.clusters.clear()
        for point, table in enumerate(state.labels):
            self._seat(state, point, table)


def seating(points: int, concentration: float, rng: np.random.Generator) -> list[int]:
    """Draw a seating by the Chinese restaurant process: each point joins a random earlier one or opens a table."""
    labels: list[int] = []
    for seated, dart in enumerate(rng.random(points).tolist()):
        place = int(dart * (seated + concentration))
        labels.append(labels[place] if place < seated else max(labels, default=-1) + 1)
    return labels


def co_clustering(assignments: ArrayLike) -> np.ndarray:
    """Return the share of sweeps in which two points sit together, shape (N, N): an estimate of P(z_i = z_j | data).

    Parameters
    ----------
    assignments : array_like
        Labels, shape (sweeps, N); only the partition of each sweep matters.
    """
    labels = np.asarray(assignments)
    if labels.ndim != 2 or not labels.size:
        raise ValueError(f"assignments must have the shape (sweeps, points), got {labels.shape}")
    together = np.zeros((labels.shape[1],) * 2)
    for row in labels:
        together += row[:, None] == row
    return together / len(labels)
