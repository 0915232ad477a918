"""EM for a mixture of Normal components, its MAP form, and k-means, which is its limit.

Dempster, Laird & Rubin (1977, Maximum likelihood from incomplete data via the EM algorithm); Bishop (2006, Pattern
Recognition and Machine Learning), sections 9.1 to 9.3.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import for_each
from samplers.climb.halves import Climb, Start, sums_of
from samplers.conjugate.dirichlet import Dirichlet
from samplers.conjugate.family import AveragedFamily, Sums
from samplers.conjugate.parameters import Normal, Parameters
from samplers.log_density import NoMode


@dataclass(frozen=True, eq=False)
class Point:
    """Weights and components, one set of them."""

    weights: np.ndarray  # shape (K,), adding up to 1
    components: tuple[Parameters, ...]  # k of them
    penalty: float = 0.0  # the log prior of these; 0 for the likelihood alone

    def weight_terms(self) -> np.ndarray:
        """Return the log weights, shape (K,); -inf where a weight is 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.weights)

    def fit_terms(self, rows: np.ndarray) -> np.ndarray:
        """Return the log density of each point in each component, shape (N, K)."""
        return np.column_stack([component.log_density(rows) for component in self.components])


class EM(Climb):
    """EM: E sets the responsibilities, M the weights and components that fit best, or that are most probable.

    Parameters
    ----------
    data, family, components, start
        As for `Climb`; of the likelihood alone, the family says only whether the spread is known.
    class_prior : float or array_like, optional
        Pseudo-count of each component in the Dirichlet prior of the weights, 1 or more: one number, or shape (K,).
    prior : bool, optional
        Whether M looks for the most probable components, with the prior (MAP), or for those that fit best.

    Raises
    ------
    TypeError, ValueError
        As for `Climb`, and if a pseudo-count is below 1: then a weight of 0 is infinitely probable.

    Notes
    -----
    With the prior, the level is log p(points, weights, components); without it the log likelihood. Without a prior and
    with a spread of its own for each component, the likelihood has no maximum: one that closes in on a single point
    fits without bound (Bishop 2006, section 9.2.1). The climb then is `stuck`, at the last components that had a
    density.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.conjugate import NormalKnownVariance
    >>> state = Chain(EM([-3.1, -2.9, 3.0], NormalKnownVariance(0, 4, 0.5), 2, start="k-means++"), seed=1)[20]
    >>> sorted(round(weight, 3) for weight in state.parts.weights.tolist())
    [0.333, 0.667]
    """

    def __init__(
        self,
        data: ArrayLike,
        family: AveragedFamily,
        components: int,
        class_prior: ArrayLike = 1.0,
        prior: bool = False,
        start: Start = "random",
    ) -> None:
        super().__init__(data, family, components, start)
        self.class_prior = for_each("class_prior", class_prior, self.components)
        if (self.class_prior < 1).any():
            raise ValueError(f"class_prior must be 1 or more for a mode to exist, got {class_prior!r}")
        self.prior = prior
        self._climbed = family if prior else family.to_the_power(0)

    def maximise(self, responsibilities: np.ndarray, before: Point | None) -> Point:
        """Return the best weights and components; without a prior, an empty one keeps what it had.

        At the start, a component whose points have no best spread begins with the one that is most probable.
        """
        sums = [sums_of(self.data, shares) for shares in responsibilities.T]
        components = tuple(self._component(number, each, before) for number, each in enumerate(sums))
        counts = np.array([each.size for each in sums])
        if not counts.any():
            raise NoMode("no component has any part of a point")
        more = counts + (self.class_prior - 1) if self.prior else counts  # else a share below rounding would be 0
        weights = more / more.sum()
        return Point(weights, components, self._log_prior(weights, components) if self.prior else 0.0)

    def _component(self, number: int, sums: Sums, before: Point | None) -> Parameters:
        if not sums.size and before and not self.prior:
            return before.components[number]
        try:
            return (self._climbed if sums.size else self.family).given(sums).mode()
        except NoMode:
            if before:
                raise
            return self.family.given(sums).mode()

    def _log_prior(self, weights: np.ndarray, components: tuple[Parameters, ...]) -> float:
        of_weights = special.xlogy(self.class_prior - 1, weights).sum() + Dirichlet(self.class_prior).log_density(
            np.zeros(self.components)
        )
        return float(of_weights) + sum(self.family.log_density_of(component) for component in components)


@dataclass(frozen=True, eq=False)
class Centres(Point):
    """Components of one round shape, of which only the means count, and weights that do not."""

    def weight_terms(self) -> np.ndarray:
        """Return nothing to choose by: 0 for each."""
        return np.zeros(len(self.components))

    def fit_terms(self, rows: np.ndarray) -> np.ndarray:
        """Return minus half the squared distance of each point from each mean, shape (N, K)."""
        means = np.array([component.mean for component in self.components])
        return -0.5 * np.asarray(((rows[:, None] - means) ** 2).sum(axis=2))


class KMeans(Climb):
    """k-means (Lloyd 1982, Least squares quantization in PCM): each point belongs to the nearest mean.

    It is what EM does with a known variance that goes to 0: the responsibilities become 0 and 1, and the variance times
    the log likelihood becomes minus half the sum of squares, which is the bound here (Bishop 2006, section 9.3.2).

    Arguments and errors as for `Climb`. The family gives only the spread that is drawn.
    """

    summed: ClassVar[bool] = False

    def share(self, parts: Centres) -> np.ndarray:
        """Return a 1 for the nearest mean and 0 for the others; of two as near, the first."""
        nearest = parts.fit_terms(self.data).argmax(axis=1)
        return (nearest[:, None] == np.arange(self.components)).astype(float)

    def maximise(self, responsibilities: np.ndarray, before: Centres | None) -> Centres:
        """Return the mean of each component's points; an empty one keeps the mean that it had."""
        counts = responsibilities.sum(axis=0)
        means = [
            shares @ self.data / count if count else before.components[number].mean if before else self.data[0]
            for number, (shares, count) in enumerate(zip(responsibilities.T, counts, strict=True))
        ]
        spread = np.diag(self.family.typical().deviations ** 2)
        return Centres(counts / counts.sum(), tuple(Normal(mean, spread) for mean in means))
