"""A mixture of finite mixtures: the number of components K is drawn from a prior, and learned like all else.

Miller & Harrison (2018, Mixture models with a prior on the number of components, Journal of the American Statistical
Association 113). With weights integrated out, who is together has a law as simple as the Chinese restaurant's, and the
same sampler draws from it; but a new component weighs the less, the better its prior knows that there are few. Given
data from a mixture of this kind, the posterior of K concentrates on the true number as points are added.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.conjugate import Family
from samplers.conjugate.dirichlet import Dirichlet
from samplers.crp.mixture import CRPMixture, MixtureState, Start


def log_terms(number_prior: ArrayLike, class_prior: float, points: int) -> np.ndarray:
    """Return the log terms of V(t), by t = 0, ..., N + 1 components with points and K = 1, ..., M; shape (N + 2, M).

    Parameters
    ----------
    number_prior : array_like
        Probabilities of K = 1, ..., M, shape (M,).
    class_prior : float
        γ, the pseudo-count of each component.
    points : int
        N.

    Notes
    -----
    V(t) = Σ_K p(K) K! / (K - t)! Γ(γK) / Γ(γK + N), a sum over K from t on. A partition has the probability
    V(t) Π_c Γ(γ + n_c) / Γ(γ) (Miller & Harrison 2018, section 3).
    """
    prior = np.asarray(number_prior, float)
    numbers = np.arange(1, len(prior) + 1)
    spare = numbers - np.arange(points + 2)[:, None]
    with np.errstate(divide="ignore"):
        terms = np.log(prior) + special.gammaln(numbers + 1) - special.gammaln(np.maximum(spare, 0) + 1)
    terms = terms + special.gammaln(class_prior * numbers) - special.gammaln(class_prior * numbers + points)
    return np.where(spare < 0, -np.inf, terms)


class UnknownNumber(CRPMixture):
    """A mixture whose number of components has a prior, sampled one label at a time.

    A point joins a component with n points in proportion to n + γ, and opens one in proportion to γ V(t + 1) / V(t),
    where t components have points without it; each times the density of the point there.

    Parameters
    ----------
    data, family, start
        As for `CRPMixture`.
    number_prior : array_like
        Probabilities of K = 1, ..., M, shape (M,), which add up to 1.
    class_prior : float
        γ, above 0: given K, the weights have a Dirichlet(γ, ..., γ) prior.

    Raises
    ------
    ValueError
        If a setting is out of range, or if the data are not what the family can take.

    Notes
    -----
    The state is that of a `CRPMixture`, whose concentration is γ here. K itself is integrated out;
    `number_given` has its distribution.
    """

    already_there = "points already there"

    def __init__(
        self,
        data: ArrayLike,
        family: Family,
        number_prior: Sequence[float],
        class_prior: float,
        *,
        start: Start = "together",
    ) -> None:
        super().__init__(data, family, finite_above("class_prior", class_prior, 0), start=start)
        self.number_prior = np.array(number_prior, float)
        self.number_prior.flags.writeable = False
        if self.number_prior.ndim != 1 or not (self.number_prior >= 0).all() or abs(self.number_prior.sum() - 1) > 1e-9:
            raise ValueError("number_prior must be probabilities that add up to 1")
        points = len(self.data)
        self._log = [-math.inf, *(math.log(size + class_prior) for size in range(1, points + 1))]
        self._terms = log_terms(self.number_prior, class_prior, points)
        self._coefficients: list[float] = special.logsumexp(self._terms, axis=1).tolist()

    def variables(self, state: MixtureState) -> dict[str, Any]:
        """Return the component of each point, how many have points, the probabilities of K, and the log joint."""
        return {
            "assignments": state.assignments,
            "components": len(state.clusters),
            "number": self.number_given(len(state.clusters)),
            "log_joint": self.log_joint(state),
        }

    def init(self, rng: np.random.Generator) -> MixtureState:
        """Return a first state, as `start` says."""
        if self.start != "prior":
            return super().init(rng)
        number = int(rng.choice(len(self.number_prior), p=self.number_prior)) + 1
        weights = np.exp(Dirichlet(np.full(number, self.concentration)).draw(rng))
        return self.state(rng.choice(number, size=len(self.data), p=weights / weights.sum()))

    def number_given(self, used: int) -> np.ndarray:
        """Return the probabilities of K = 1, ..., M given that a number of components have points, shape (M,)."""
        return np.exp(self._terms[used] - self._coefficients[used])

    def _log_weight_of_new(self, state: MixtureState) -> float:
        used = len(state.clusters)
        return math.log(self.concentration) + self._coefficients[used + 1] - self._coefficients[used]

    def _log_seating(self, state: MixtureState) -> float:
        drawn = math.fsum(math.lgamma(size + self.concentration) for size in state.counts)
        return self._coefficients[len(state.clusters)] + drawn - len(state.clusters) * math.lgamma(self.concentration)
