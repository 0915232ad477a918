"""A mixture with as many clusters as the data ask for: collapsed Gibbs sampling of a CRP mixture.

Neal (2000, Markov chain sampling methods for Dirichlet process mixture models), Algorithm 3; Gershman & Blei (2012, A
tutorial on Bayesian nonparametric models), sections 2.3 and 4. The parameters of the clusters are integrated out; what
moves is who sits with whom, and the concentration if it has a prior.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.conjugate import Cluster, Family
from samplers.crp.facts import log_joint_of_counts
from samplers.recipe import Conditional, Distribution, GibbsSampler, Site

CONCENTRATION = "concentration"  # the name of the block that redraws it
Start = Literal["together", "apart", "prior"]


class MixtureState:
    """Who sits where, and what each table knows about its points.

    Attributes
    ----------
    labels : list of int
        Table of each point. A point that has been taken out keeps the label of the table it left.
    clusters : dict of int to Cluster
        The tables in use by their ids, in the order in which they were opened.
    concentration : float
        α: how ready a point is to open a table.

    Notes
    -----
    A table keeps its id as long as anyone sits there. A new one gets the smallest id that is free; but a point that sat
    alone and stays alone gets its old id back, so that nothing changes colour where nothing has changed.
    """

    __slots__ = ("clusters", "concentration", "labels")

    def __init__(self, labels: list[int], clusters: dict[int, Cluster], concentration: float) -> None:
        self.labels = labels
        self.clusters = clusters
        self.concentration = concentration

    @property
    def assignments(self) -> np.ndarray:
        """Table id of each point: integers of shape (N,), a new array."""
        return np.array(self.labels, np.int64)

    @property
    def tables(self) -> list[int]:
        """Ids of the tables in use, in the order of the options that `CRPMixture.score` gives."""
        return list(self.clusters)

    @property
    def counts(self) -> list[int]:
        """How many points sit at each of the `tables`."""
        return [cluster.count for cluster in self.clusters.values()]

    def copy(self) -> MixtureState:
        """Return a state that can change while this one stays as it is."""
        clusters = {table: cluster.copy() for table, cluster in self.clusters.items()}
        return MixtureState(self.labels.copy(), clusters, self.concentration)


@dataclass(eq=False)
class ConcentrationConditional:
    """The concentration given the number of tables: Escobar & West (1995), section 6, equations 13 and 14.

    Parameters
    ----------
    current : float
        The concentration as it is.
    tables, points : int
        K and N.
    shape, rate : float
        Of its Gamma prior.

    Attributes
    ----------
    auxiliary : float or None
        The number between 0 and 1 that `draw` has drawn to make the rest a mixture of two Gamma distributions.
    """

    current: float
    tables: int
    points: int
    shape: float
    rate: float
    auxiliary: float | None = field(default=None, init=False)

    def log_density(self, value: float) -> float:
        """Return log p(α | K, N) up to a constant: Gamma prior times α^K Γ(α) / Γ(α + N)."""
        log_density = (self.shape + self.tables - 1) * math.log(value) - self.rate * value
        return log_density + math.lgamma(value) - math.lgamma(value + self.points)

    def draw(self, rng: np.random.Generator) -> float:
        """Draw the auxiliary number given the concentration, then the concentration given it."""
        self.auxiliary = rng.beta(self.current + 1, self.points)
        rate = self.rate - math.log(self.auxiliary)
        shape = self.shape + self.tables
        odds = (shape - 1) / (self.points * rate)
        if rng.random() * (1 + odds) >= odds:
            shape -= 1
        return max(rng.gamma(shape, 1 / rate), np.finfo(float).tiny)  # a very small one must not become 0


class CRPMixture(GibbsSampler[MixtureState]):
    """A Dirichlet process mixture of a conjugate family, sampled one label at a time.

    Each point sits at a table by the Chinese restaurant process, each table has parameters drawn from the family, and
    the table's points are drawn given these.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; at least one.
    family : Family
        The prior of a cluster's parameters; see `samplers.conjugate`.
    concentration : float
        α, above 0. If it has a prior, the value that it starts from.
    start : {"together", "apart", "prior"}, optional
        How `init` seats the points: all at one table, each at its own, or one after the other by the Chinese restaurant
        process, which does not look at the data.
    concentration_prior : tuple of float, optional
        Shape and rate of a Gamma prior for the concentration, both above 0. With it, each sweep ends by redrawing the
        concentration.

    Raises
    ------
    ValueError
        If a setting is out of range, or if the data are not what the family can take.

    Notes
    -----
    A point i sits at a table with probability proportional to the number of others there times the table's predictive
    density at the point, and at a new one proportional to α times the prior's (Neal 2000, equation 3.7).

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.conjugate import NormalKnownVariance
    >>> sampler = CRPMixture([-3.1, -2.9, 3.0], NormalKnownVariance(0, 4, 0.5), concentration=1.0)
    >>> state = Chain(sampler, seed=1)[20]
    >>> state.assignments[0] == state.assignments[1], sorted(state.counts)
    (np.True_, [1, 2])
    """

    of_a_posterior = True
    already_there = "customers already there"
    fit = "fit"

    def __init__(
        self,
        data: ArrayLike,
        family: Family,
        concentration: float,
        *,
        start: Start = "together",
        concentration_prior: tuple[float, float] | None = None,
    ) -> None:
        self.data = family.rows(data)
        if not len(self.data):
            raise ValueError("data must hold at least one point")
        self.data.flags.writeable = False
        if start not in get_args(Start):
            raise ValueError(f"start must be 'together', 'apart' or 'prior', got {start!r}")
        if concentration_prior is not None:
            shape, rate = concentration_prior
            concentration_prior = (finite_above("prior shape", shape, 0), finite_above("prior rate", rate, 0))
        self.family = family
        self.concentration = finite_above("concentration", concentration, 0)
        self.start = start
        self.concentration_prior = concentration_prior
        self._observations = family.observations(self.data)
        self._empty = family.cluster(capacity=len(self.data))
        self._fit_of_new = [self._empty.log_predictive(x) for x in self._observations]
        self._log = [-math.inf, *(math.log(points) for points in range(1, len(self.data) + 1))]

    def state(self, assignments: Iterable[int]) -> MixtureState:
        """Return the state with these table ids, and the concentration that the sampler starts from.

        Parameters
        ----------
        assignments : iterable of int
            Table id of each point, shape (N,), from 0.

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
        """Return the table of each point, how many tables there are, the concentration and the log joint."""
        return {
            "assignments": state.assignments,
            "tables": len(state.clusters),
            "concentration": state.concentration,
            "log_joint": self.log_joint(state),
        }

    def init(self, rng: np.random.Generator) -> MixtureState:
        """Return a first state, as `start` says."""
        points = len(self.data)
        if self.start == "prior":
            return self.state(_seating(points, self.concentration, rng))
        return self.state([0] * points if self.start == "together" else range(points))

    def sites(self, state: MixtureState) -> Iterator[Site]:
        """Yield every point in order, then the block ``"concentration"`` if it has a prior."""
        yield from range(len(self.data))
        if self.concentration_prior is not None:
            yield CONCENTRATION

    def forget(self, state: MixtureState, site: Site) -> None:
        """Lift a point from its table; a table that is left empty goes with it."""
        if isinstance(site, str):
            return
        table = state.labels[site]
        cluster = state.clusters[table]
        cluster.remove(self._observations[site])
        if not cluster.count:
            del state.clusters[table]

    def score(self, state: MixtureState, site: Site) -> Distribution:
        """Return the conditional of a point's table, or of the concentration.

        The options are ``state.tables`` in order, and last a new table. ``"customers already there"`` is the log of
        the others at the table, or of the concentration; ``"fit"`` the log predictive density of the point there.
        """
        if isinstance(site, str):
            assert self.concentration_prior is not None
            prior, tables = self.concentration_prior, len(state.clusters)
            return ConcentrationConditional(state.concentration, tables, len(self.data), *prior)
        x, log = self._observations[site], self._log
        customers, fit = [], []
        for cluster in state.clusters.values():  # one loop for both: two comprehensions take a third longer
            customers.append(log[cluster.count])
            fit.append(cluster.log_predictive(x))
        customers.append(self._log_weight_of_new(state))
        fit.append(self._fit_of_new[site])
        return Conditional({self.already_there: customers, self.fit: fit})

    def remember(self, state: MixtureState, site: Site, value: Any) -> None:
        """Seat a point at the table of that option, or set the concentration."""
        if isinstance(site, str):
            state.concentration = value
        else:
            tables = list(state.clusters)
            self._seat(state, site, tables[value] if value < len(tables) else self._new_id(state, site))

    def log_joint(self, state: MixtureState) -> float:
        """Return log p(data, assignments), and the prior density of the concentration too if it has one."""
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
        """Return the log probability of who sits together."""
        return log_joint_of_counts(state.counts, state.concentration, 0.0)

    def _new_id(self, state: MixtureState, point: int) -> int:
        left = state.labels[point]
        return left if left not in state.clusters else next(table for table in count() if table not in state.clusters)

    def _seat(self, state: MixtureState, point: int, table: int) -> None:
        cluster = state.clusters.get(table)
        if cluster is None:
            cluster = state.clusters[table] = self._empty.copy()
        cluster.add(self._observations[point])
        state.labels[point] = table

    def _seat_all(self, state: MixtureState) -> None:
        """Set the tables afresh by the labels."""
        state.clusters.clear()
        for point, table in enumerate(state.labels):
            self._seat(state, point, table)


def _seating(points: int, concentration: float, rng: np.random.Generator) -> list[int]:
    """Draw a seating by the Chinese restaurant process: sit with an earlier one at random, or open a table."""
    labels: list[int] = []
    for seated, dart in enumerate(rng.random(points).tolist()):
        place = int(dart * (seated + concentration))
        labels.append(labels[place] if place < seated else max(labels, default=-1) + 1)
    return labels


def co_clustering(assignments: ArrayLike) -> np.ndarray:
    """Return how often each two points sit together in a run, shape (N, N): the estimate of P(z_i = z_j | data).

    Parameters
    ----------
    assignments : array_like
        Labels, shape (sweeps, N); only who sits together counts.
    """
    labels = np.asarray(assignments)
    if labels.ndim != 2 or not labels.size:
        raise ValueError(f"assignments must have the shape (sweeps, points), got {labels.shape}")
    together = np.zeros((labels.shape[1],) * 2)
    for row in labels:
        together += row[:, None] == row
    return together / len(labels)
