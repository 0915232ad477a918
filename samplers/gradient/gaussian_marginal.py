"""Round Gaussians on a line with their labels summed out: the smallest model in which the modes trade names.

Weights and scale are known, and all components have the same. With a scale of its own, a component that shrinks onto a
single point makes the likelihood grow without bound, and a gradient sampler falls into that hole; with a common one,
the K! ways to name the components are the only trouble there is, and that is what the pictures are of.
"""

from math import inf, lgamma, log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers import portable
from samplers.checks import finite_above, whole_from
from samplers.gradient.naive_bayes_marginal import LogSumExp, MarginalModel
from samplers.gradient.plane_targets import LOG_TWO_PI
from samplers.gradient.unconstrained import Ordered
from samplers.portable import total


class GaussianParameters(NamedTuple):
    """Parameters of `GaussianMarginal` at a position, on their own scale."""

    means: np.ndarray  # shape (K,)


class GaussianMarginal(MarginalModel):
    """A mixture of Gaussians on a line with equal weights, one known scale and the labels summed out.

    A position has one number for each mean. With two components it is (mean 1, mean 2), and the density is a picture
    with two modes, each the mirror image of the other.

    Parameters
    ----------
    data : array_like
        Points, shape (N,); at least one.
    components : int
        K, from 1.
    mean_prior : tuple of float, optional
        Mean and standard deviation of the Normal prior of every mean.
    scale : float, optional
        Standard deviation of every component, above 0.
    ordered : bool, optional
        Whether the means ascend, which leaves one of the K! modes.

    Raises
    ------
    TypeError
        If components is no integer.
    ValueError
        If the data are not finite points, or if a setting is out of range.

    Notes
    -----
    The prior of ordered means is that of independent ones, sorted: K! times as dense. So the density integrates to the
    same evidence as without the order.

    Examples
    --------
    >>> model = GaussianMarginal([-1.9, -2.1, 2.0], 2)
    >>> model.log_density([-2.0, 2.0]) == model.log_density([2.0, -2.0]) > model.log_density([0.0, 0.0])
    True
    """

    def __init__(
        self,
        data: ArrayLike,
        components: int,
        *,
        mean_prior: tuple[float, float] = (0.0, 3.0),
        scale: float = 1.0,
        ordered: bool = False,
    ) -> None:
        self.data = np.array(data, float)
        if self.data.ndim != 1 or not self.data.size or not np.isfinite(self.data).all():
            raise ValueError(f"data must be finite points of shape (N,), got the shape {self.data.shape}")
        self.data.flags.writeable = False
        self.dimension = self.components = whole_from("components", components, 1)
        centre, spread = mean_prior
        self.mean_prior = finite_above("the prior mean", centre, -inf), finite_above("the prior deviation", spread, 0)
        self.scale = finite_above("scale", scale, 0)
        self.ordered = ordered
        log_weights = portable.log(np.full(components, 1 / components))
        self._height = log_weights - (log(self.scale) + LOG_TWO_PI / 2)  # log weight and log density of a point at 0

    def constrain(self, position: ArrayLike) -> GaussianParameters:
        """Return the means of a position of shape (K,)."""
        return GaussianParameters(self._read(position)[0])

    def log_density_and_gradient(self, position: ArrayLike) -> tuple[float, np.ndarray]:
        """Return log density and gradient of a position of shape (K,)."""
        means, order = self._read(position)
        sums = LogSumExp(self._gamma(means))
        shares, (centre, spread) = sums.softmax, self.mean_prior
        pulls = (shares * self.data[:, None]).sum(axis=0) - shares.sum(axis=0) * means
        gradient = pulls * self.scale**-2.0 - (means - centre) / spread**2
        if order:
            gradient = order.pull_back(gradient)
            gradient[1:] += 1.0  # the log-Jacobian is the sum of all numbers but the first
        return total(self._terms(means, order, sums).values()), gradient

    def log_density_terms(self, position: ArrayLike) -> dict[str, float]:
        """Return the terms of the log density: ``"priors"``, ``"points"`` and ``"log-Jacobian"``."""
        means, order = self._read(position)
        return self._terms(means, order, LogSumExp(self._gamma(means)))

    def log_joint_by_class(self, position: ArrayLike) -> np.ndarray:
        """Return γ: log weight and log density of each point in each component, shape (N, K)."""
        return self._gamma(self._read(position)[0])

    def _read(self, position: ArrayLike) -> tuple[np.ndarray, Ordered | None]:
        """Return the means, and what they were made from if they are ordered."""
        numbers = self._checked(position)
        order = Ordered(numbers) if self.ordered else None
        return numbers if order is None else order.values, order

    def _gamma(self, means: np.ndarray) -> np.ndarray:
        return self._height - (self.data[:, None] - means) ** 2 * (0.5 * self.scale**-2.0)

    def _terms(self, means: np.ndarray, order: Ordered | None, sums: LogSumExp) -> dict[str, float]:
        centre, spread = self.mean_prior
        squares = float((((means - centre) / spread) ** 2).sum())
        prior = -0.5 * squares - self.dimension * (log(spread) + LOG_TWO_PI / 2)
        log_jacobian = 0.0
        if order:
            prior += lgamma(self.dimension + 1)  # sorted, they are K! times as dense
            log_jacobian = float(order.log_jacobian)
        return {"priors": prior, "points": float(sums.values.sum()), "log-Jacobian": log_jacobian}
