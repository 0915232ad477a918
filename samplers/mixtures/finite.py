"""A mixture of a fixed number of components, with weights and parameters integrated out or in plain sight.

Collapsed, a label is drawn given the other labels: P(z_i = k | z_-i, x) is proportional to (n_k + class_prior_k) times
the predictive density of x_i in component k, with point i in neither (Neal 2000, Markov chain sampling methods for
Dirichlet process mixture models, section 3). Uncollapsed, it is drawn given weights and parameters alone, and these are
drawn once a sweep given the labels (Gelman et al. 2013, Bayesian Data Analysis, section 22.2).
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, Self, get_args

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import whole_from
from samplers.conjugate import Cluster, Family, Parameters
from samplers.conjugate.dirichlet import Dirichlet
from samplers.mixtures.labels import WEIGHTS, LabelSampler, LabelState, as_labels

PARAMETERS = "parameters"  # the name of the block that redraws them
Start = Literal["random", "together", "k-means++", "prior"]


class FiniteMixtureState(LabelState):
    """Labels of points, and what is known of each component.

    Attributes
    ----------
    clusters : list of Cluster
        What each component knows of its points; empty if the sampler is not collapsed.
    parameters : tuple of Normal or Multinomial
        Of each component; empty if they are integrated out.
    """

    __slots__ = ("clusters", "parameters")

    def __init__(self, labels: list[int], counts: list[int]) -> None:
        super().__init__(labels, counts)
        self.clusters: list[Cluster] = []
        self.parameters: tuple[Parameters, ...] = ()

    def copy(self) -> Self:
        twin = super().copy()
        twin.clusters = [cluster.copy() for cluster in self.clusters]
        return twin


class ParametersConditional:
    """The conditional of all components' parameters given points and labels: independent, each by its posterior."""

    def __init__(self, posteriors: Sequence[Family]) -> None:
        self.posteriors = tuple(posteriors)

    def draw(self, rng: np.random.Generator) -> tuple[Parameters, ...]:
        """Draw the parameters of every component."""
        return tuple(posterior.draw(rng) for posterior in self.posteriors)

    def log_density(self, parameters: Sequence[Parameters]) -> float:
        """Return the log density of parameters, one set for each component."""
        return math.fsum(p.log_density_of(theta) for p, theta in zip(self.posteriors, parameters, strict=True))


class FiniteMixture(LabelSampler[FiniteMixtureState]):
    """A mixture of K components from a conjugate family.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; at least one.
    family : Family
        The prior of a component's parameters; see `samplers.conjugate`.
    components : int
        K, from 1.
    class_prior : float or array_like
        Pseudo-count of each component in the Dirichlet prior of the weights, above 0: one number that every component
        gets, or shape (K,).
    collapsed : bool, optional
        Whether weights and parameters are integrated out. If not, a sweep visits the labels, then the block
        ``"weights"``, whose values are their logarithms, and the block ``"parameters"``.
    labels : array_like of int, optional
        Component of each point, shape (N,), and -1 where it is hidden. Known labels stay. All are hidden if left out.
    start : {"random", "together", "k-means++", "prior"}, optional
        How `init` labels points that have no label: each by chance, all in the first component, or by the nearest of K
        points that are drawn to lie far apart (Arthur & Vassilvitskii 2007, k-means++: the advantages of careful
        seeding). With ``"prior"`` all is drawn before any point has been looked at: weights, labels given them, and
        parameters.

    Raises
    ------
    TypeError
        If components is no integer.
    ValueError
        If a setting is out of range, or if the data are not what the family can take.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.conjugate import NormalKnownVariance
    >>> sampler = FiniteMixture([-3.1, -2.9, 3.0], NormalKnownVariance(0, 4, 0.5), components=2, class_prior=1.0)
    >>> state = Chain(sampler, seed=1)[20]
    >>> state.assignments[0] == state.assignments[1], sorted(state.counts)
    (np.True_, [1, 2])
    """

    already_there = "points already there"
    fit = "fit"

    def __init__(
        self,
        data: ArrayLike,
        family: Family,
        components: int,
        class_prior: ArrayLike,
        collapsed: bool = True,
        *,
        labels: ArrayLike | None = None,
        start: Start = "random",
    ) -> None:
        self.data = family.rows(data)
        self.data.flags.writeable = False
        if not len(self.data):
            raise ValueError("data must hold at least one point")
        if start not in get_args(Start):
            raise ValueError(f"start must be 'random', 'together', 'k-means++' or 'prior', got {start!r}")
        if start == "k-means++" and np.isnan(self.data).any():
            raise ValueError("start must not be 'k-means++' where numbers are missing: there are no distances")
        self.family = family
        self.collapsed = collapsed
        self.start = start
        self.components = classes = whole_from("components", components, 1)
        known = as_labels(labels, len(self.data), classes)
        super().__init__(known, classes, class_prior, *(("collapsed", None) if collapsed else ("explicit", PARAMETERS)))
        self._observations = family.observations(self.data)
        self._prior = ParametersConditional([family] * self.classes)
        self._empty = family.cluster(capacity=len(self.data))

    def init(self, rng: np.random.Generator) -> FiniteMixtureState:
        """Return a first state, as `start` says; unless all comes from the prior, blocks are drawn given the labels."""
        if self.start != "prior":
            return super().init(rng)
        log_weights = Dirichlet(self.class_prior).draw(rng)
        labels = rng.choice(self.classes, size=len(self.data), p=np.exp(log_weights))
        state = self.state(self._with_known(labels))
        if not self.collapsed:
            self.remember(state, WEIGHTS, log_weights)
            self.remember(state, PARAMETERS, self._prior.draw(rng))
        return state

    def replicate(self, labels: ArrayLike, rng: np.random.Generator) -> np.ndarray:
        """Draw as many new points as there are from the predictive distribution given labels of the points.

        Weights and parameters are drawn once, given the labels; then a label and a place for each new point. With the
        labels of a draw from the posterior, it is a replicate of the data (Gelman et al. 2013, Bayesian Data Analysis,
        section 6.3), whether or not the chain keeps weights and parameters.

        Parameters
        ----------
        labels : array_like of int
            Component of each point, shape (N,), from 0 and below K.

        Returns
        -------
        numpy.ndarray
            Shape (N, D).
        """
        now = np.asarray(labels, int)
        log_weights = Dirichlet(self.class_prior + np.bincount(now, minlength=self.classes)).draw(rng)
        drawn = rng.choice(self.classes, size=len(now), p=np.exp(log_weights - np.logaddexp.reduce(log_weights)))
        points = np.empty_like(self.data)
        for component, cluster in enumerate(self._filled(now.tolist())):
            here = drawn == component
            points[here] = cluster.posterior().draw(rng).points(int(here.sum()), rng)
        return points

    def variables(self, state: FiniteMixtureState) -> dict[str, Any]:
        """Return the same, and mean and standard deviations of each component where these are explicit."""
        found = super().variables(state)
        if not self.collapsed:
            found["means"] = np.array([parameters.mean for parameters in state.parameters])
            found["deviations"] = np.array([parameters.deviations for parameters in state.parameters])
        return found

    def _bare_state(self, labels: list[int], counts: list[int]) -> FiniteMixtureState:
        state = FiniteMixtureState(labels, counts)
        state.clusters = self._filled(labels) if self.collapsed else []
        return state

    def _first_labels(self, rng: np.random.Generator) -> np.ndarray:
        if self.start == "together":
            return np.zeros(len(self.data), int)
        if self.start == "k-means++":
            return nearest_seed(self.data, self.classes, rng)
        return super()._first_labels(rng)

    def _filled(self, labels: list[int]) -> list[Cluster]:
        clusters = [self._empty.copy() for _ in range(self.classes)]
        for x, label in zip(self._observations, labels, strict=True):
            clusters[label].add(x)
        return clusters

    def _fits(self, state: FiniteMixtureState, item: int) -> list[float]:
        x = self._observations[item]
        return [cluster.log_predictive(x) for cluster in state.clusters]

    def _put_in(self, state: FiniteMixtureState, item: int, label: int) -> None:
        state.clusters[label].add(self._observations[item])

    def _take_out(self, state: FiniteMixtureState, item: int, label: int) -> None:
        if state.counts[label]:
            state.clusters[label].remove(self._observations[item])
        else:
            state.clusters[label] = self._empty.copy()  # as new, without what rounding has left

    def _content_conditional(self, state: FiniteMixtureState) -> ParametersConditional:
        return ParametersConditional([cluster.posterior() for cluster in self._filled(state.labels)])

    def _typical_content(self, state: FiniteMixtureState) -> tuple[Parameters, ...]:
        return tuple(posterior.typical() for posterior in self._content_conditional(state).posteriors)

    def _set_content(self, state: FiniteMixtureState, value: Any) -> None:
        state.parameters = value
        state.fits = np.column_stack([parameters.log_density(self.data) for parameters in value]).tolist()

    def _log_content(self, state: FiniteMixtureState) -> float:
        if self.collapsed:
            return math.fsum(cluster.log_marginal() for cluster in state.clusters)
        return self._prior.log_density(state.parameters) + math.fsum(
            fits[label] for fits, label in zip(state.fits, state.labels, strict=True)
        )


def nearest_seed(data: np.ndarray, seeds: int, rng: np.random.Generator) -> np.ndarray:
    """Draw points as seeds, each with probability proportional to its squared distance from the seeds before it.

    Return the place among the seeds of the one nearest to each point; without further places, points come twice.
    """
    squares = np.empty((len(data), 0))
    for _ in range(seeds):
        nearest = squares.min(axis=1, initial=np.inf)
        far = np.isfinite(nearest).all() and nearest.any()
        chosen = rng.choice(len(data), p=nearest / nearest.sum() if far else None)
        squares = np.column_stack([squares, ((data - data[chosen]) ** 2).sum(axis=1)])
    return squares.argmin(axis=1)
