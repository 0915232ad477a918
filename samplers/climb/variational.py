"""Variational Bayes for a mixture of Normal components: finite, or with a stick that is broken K - 1 times.

The posterior of labels z, weights π and parameters θ is approached by q(z) q(π) q(θ), in which the labels are
independent of the rest. Each factor in turn is set to the best one given the others, which raises a bound of the log
evidence. Bishop (2006, Pattern Recognition and Machine Learning), section 10.2; Blei & Jordan (2006, Variational
inference for Dirichlet process mixtures), section 3.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, for_each
from samplers.climb.halves import Climb, ClimbState, Start, sums_of
from samplers.conjugate.dirichlet import Dirichlet
from samplers.conjugate.family import AveragedFamily
from samplers.conjugate.parameters import Parameters


@dataclass(frozen=True, eq=False)
class DirichletWeights:
    """Weights of K components with a Dirichlet distribution."""

    dirichlet: Dirichlet  # that of the weights; of the pieces of a stick, those of the fractions

    def given(self, counts: np.ndarray) -> "DirichletWeights":
        """Return the same with points counted, in parts of points, shape (K,): they are added to the pseudo-counts."""
        return DirichletWeights(Dirichlet(self.dirichlet.pseudo_counts + counts))

    def expected_logs(self) -> np.ndarray:
        """Return the expected logarithm of each weight, ψ(aₖ) − ψ(Σ a), shape (K,)."""
        return self.dirichlet.expected_logs()

    def mean(self) -> np.ndarray:
        """Return the expected weights, shape (K,)."""
        return np.exp(self.dirichlet.log_mean())


class StickWeights(DirichletWeights):
    """Pieces of a stick: πₖ = vₖ ∏ (1 − vⱼ) over j < k, with independent Beta fractions v; the last piece is the rest.

    The pseudo-counts have shape (K − 1, 2): of the piece, and of all that comes after it.
    """

    def given(self, counts: np.ndarray) -> "StickWeights":
        """Return the same with points counted: those of a component, and those of all later ones (eqs 18 and 19)."""
        later = counts[::-1].cumsum()[::-1][1:]
        return StickWeights(Dirichlet(self.dirichlet.pseudo_counts + np.column_stack([counts[:-1], later])))

    def expected_logs(self) -> np.ndarray:
        """Return the expected log length of each piece, shape (K,)."""
        return _pieces(self.dirichlet.expected_logs())

    def mean(self) -> np.ndarray:
        """Return the expected length of each piece, shape (K,)."""
        return np.exp(_pieces(self.dirichlet.log_mean()))


def _pieces(logs: np.ndarray) -> np.ndarray:
    """Return log v plus the logs of 1 − v before it; of the last piece, only these."""
    before = np.concatenate([[0.0], logs[:, 1].cumsum()])
    return before + np.append(logs[:, 0], 0.0)


@dataclass(frozen=True, eq=False)
class Factors:
    """The factors q(π) and q(θ) of each component."""

    of_weights: DirichletWeights  # q(π)
    families: tuple[AveragedFamily, ...]  # q(θ) of each component
    penalty: float  # minus the divergence of both from the prior

    @property
    def weights(self) -> np.ndarray:
        """Expected weights, shape (K,)."""
        return self.of_weights.mean()

    @property
    def components(self) -> tuple[Parameters, ...]:
        """A typical Normal of each component: of the expected mean, and the inverse of the expected precision."""
        return tuple(family.typical() for family in self.families)

    def weight_terms(self) -> np.ndarray:
        """Return the expected log weights, shape (K,)."""
        return self.of_weights.expected_logs()

    def fit_terms(self, rows: np.ndarray) -> np.ndarray:
        """Return the expected log density of each point in each component, shape (N, K)."""
        return np.column_stack([family.expected_log_density(rows) for family in self.families])


class VariationalBayes(Climb):
    """Coordinate ascent: E sets q(z), M sets q(π) and q(θ).

    Parameters
    ----------
    data, family, components, start
        As for `Climb`.
    class_prior : float or array_like, optional
        Pseudo-count of each component in the Dirichlet prior of the weights, above 0: one number, or shape (K,).

    Raises
    ------
    TypeError, ValueError
        As for `Climb`, and if a pseudo-count is not above 0.

    Notes
    -----
    The bound is that of log p(points), which `samplers.mixtures.exact_labellings` has for a few points. What it lacks
    is KL(q‖posterior).
    """

    def __init__(
        self,
        data: ArrayLike,
        family: AveragedFamily,
        components: int,
        class_prior: ArrayLike = 1.0,
        start: Start = "random",
    ) -> None:
        super().__init__(data, family, components, start)
        self.class_prior = for_each("class_prior", class_prior, self.components)
        self.weights_prior = DirichletWeights(Dirichlet(self.class_prior))

    def maximise(self, responsibilities: np.ndarray, before: Factors | None) -> Factors:
        """Return the best q(π) and q(θ): the conjugate posteriors, with points counted in parts."""
        return self._factors(responsibilities, self.weights_prior, (self.family,) * self.components)

    def _factors(
        self, responsibilities: np.ndarray, weights: DirichletWeights, families: tuple[AveragedFamily, ...]
    ) -> Factors:
        """Add points, counted in parts, to distributions of the weights and of each component's parameters."""
        sums = [sums_of(self.data, shares) for shares in responsibilities.T]
        of_weights = weights.given(np.array([each.size for each in sums]))
        found = tuple(family.given(each) for family, each in zip(families, sums, strict=True))
        away = of_weights.dirichlet.divergence(self.weights_prior.dirichlet)
        return Factors(of_weights, found, -away - sum(each.divergence(self.family) for each in found))

    def variables(self, state: ClimbState) -> dict[str, Any]:
        """Return the same, and the pseudo-counts of the weights under q."""
        return {**super().variables(state), "pseudo_counts": state.parts.of_weights.dirichlet.pseudo_counts}


class TruncatedStick(VariationalBayes):
    """The same for a Dirichlet process mixture whose stick is broken K − 1 times; the last component has the rest.

    Parameters
    ----------
    data, family, components, start
        As for `Climb`, with K from 2: where the stick is cut off in q.
    concentration : float, optional
        α, above 0.

    Raises
    ------
    TypeError, ValueError
        As for `Climb`, and if the concentration is out of range.

    Notes
    -----
    Blei & Jordan cut q off, and not the model. The bound is the same for a model that is cut off there as well: what q
    has no part in costs nothing. That model is the one whose evidence can be listed.
    """

    def __init__(
        self,
        data: ArrayLike,
        family: AveragedFamily,
        components: int,
        concentration: float = 1.0,
        start: Start = "random",
    ) -> None:
        super().__init__(data, family, components, start=start)
        if self.components < 2:
            raise ValueError(f"components must be 2 or more to break a stick, got {components}")
        self.concentration = finite_above("concentration", concentration, 0)
        self.weights_prior = StickWeights(Dirichlet(np.tile([1.0, self.concentration], (self.components - 1, 1))))
