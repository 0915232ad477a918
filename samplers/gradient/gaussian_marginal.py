"""A mixture of round Gaussians with its labels summed out: the smallest model in which the modes trade names.

All components share one scale. With a scale of its own, a component that shrinks onto a single point makes the
likelihood grow without bound, and a gradient sampler falls into that hole; with a common one, the K! ways to name the
components are the only trouble there is, and that is what the pictures are of.
"""

from __future__ import annotations

from math import exp, inf, lgamma, log, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, for_each, whole_from
from samplers.conjugate.dirichlet import Dirichlet
from samplers.gradient import portable
from samplers.gradient.naive_bayes_marginal import LogSumExp, MarginalModel
from samplers.gradient.portable import dot, total
from samplers.gradient.unconstrained import CLOSE, Ordered, Simplexes

LOG_TWO_PI = log(2 * pi)


class GaussianParameters(NamedTuple):
    """Parameters of `GaussianMarginal` at a position, on their own scale."""

    weights: np.ndarray  # of the components, shape (K,)
    means: np.ndarray  # shape (K, D)
    scale: float  # standard deviation of every component along each axis


class GaussianMarginal(MarginalModel):
    """A mixture of Gaussians with one common scale and the labels summed out.

    A position has the K - 1 unconstrained numbers of the weights, the K times D of the means, row by row, and the log
    scale; what is held fixed is left out. With weights and scale fixed, two components and points on a line, a position
    is (mean 1, mean 2), and the density is a picture with two modes, each the mirror image of the other.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) on a line; at least one.
    components : int
        K, from 1.
    class_prior : float or array_like, optional
        Pseudo-count of each component in the Dirichlet prior of the weights, above 0: one number for all, or (K,).
    mean_prior : tuple of float, optional
        Mean and standard deviation of the Normal prior of every coordinate of every mean.
    log_scale_prior : tuple of float, optional
        Mean and standard deviation of the Normal prior of the log scale: the scale's prior is lognormal.
    weights : array_like, optional
        Fixed weights of the components, above 0 and summing to 1, shape (K,).
    scale : float, optional
        Fixed scale, above 0.
    ordered : bool, optional
        Whether the means ascend, which leaves one of the K! modes; on a line only.

    Raises
    ------
    TypeError
        If components is no integer.
    ValueError
        If the data are not finite points, or if a setting is out of range.

    Notes
    -----
    The prior of ordered means is that of independent ones, sorted: K! times as dense. If the components have the same
    prior weights, the density then integrates to the same evidence as without the order.

    Examples
    --------
    >>> model = GaussianMarginal([-1.9, -2.1, 2.0], 2, weights=[0.5, 0.5], scale=1.0)
    >>> model.log_density([-2.0, 2.0]) == model.log_density([2.0, -2.0]) > model.log_density([0.0, 0.0])
    True
    """

    def __init__(
        self,
        data: ArrayLike,
        components: int,
        *,
        class_prior: ArrayLike = 1.0,
        mean_prior: tuple[float, float] = (0.0, 3.0),
        log_scale_prior: tuple[float, float] = (0.0, 1.0),
        weights: ArrayLike | None = None,
        scale: float | None = None,
        ordered: bool = False,
    ) -> None:
        self.data = _as_points(data)
        self.components = whole_from("components", components, 1)
        self.class_prior = for_each("class_prior", class_prior, self.components)
        self.mean_prior = _as_normal("mean_prior", mean_prior)
        self.log_scale_prior = _as_normal("log_scale_prior", log_scale_prior)
        self.weights = None if weights is None else _as_weights(weights, self.components)
        self._log_weights = np.empty(0) if self.weights is None else portable.log(self.weights)
        self.scale = None if scale is None else finite_above("scale", scale, 0)
        axes = self.data.shape[1]
        if ordered and axes > 1:
            raise ValueError(f"means can be ordered on a line only, and the points have {axes} coordinates")
        self.ordered = ordered
        self._free_weights = self.components - 1 if weights is None else 0
        self._means_end = self._free_weights + self.components * axes
        self.dimension = self._means_end + (scale is None)

    def constrain(self, position: ArrayLike) -> GaussianParameters:
        """Return weights, means and scale of a position of shape (dimension,)."""
        place = self._place(position)
        return GaussianParameters(np.exp(place.log_weights), place.means, exp(place.log_scale))

    def unconstrain(self, weights: ArrayLike, means: ArrayLike, scale: float) -> np.ndarray:
        """Return the position of weights, shape (K,), means, shape (K, D), and scale; what is fixed is not looked at.

        Raises
        ------
        ValueError
            If a value is out of range: a weight or the scale not above 0, or means that do not ascend where they must.
        """
        centres = np.asarray(means, float).reshape(self.components, -1)
        if centres.shape[1] != self.data.shape[1]:
            raise ValueError(f"means must have the shape ({self.components}, {self.data.shape[1]})")
        parts = [Ordered.unconstrain(centres[:, 0]) if self.ordered else centres.ravel()]
        if self.weights is None:
            parts.insert(0, Simplexes.unconstrain(np.log(_as_weights(weights, self.components))))
        if self.scale is None:
            parts.append(np.array([log(finite_above("scale", scale, 0))]))
        return np.concatenate(parts)

    def log_density_and_gradient(self, position: ArrayLike) -> tuple[float, np.ndarray]:
        """Return log density and gradient of a position of shape (dimension,)."""
        place = self._place(position)
        distances = self._squared_distances(place)
        sums = LogSumExp(self._gamma(place, distances))
        shares, precision = sums.softmax, exp(-2 * place.log_scale)
        sizes = shares.sum(axis=0)

        parts = []
        if place.simplex:
            parts.append(place.simplex.pull_back(sizes + self.class_prior))  # -1 of the prior, +1 of the log-Jacobian
        centre, spread = self.mean_prior
        pulls = ((shares[:, :, None] * self.data[:, None, :]).sum(axis=0) - sizes[:, None] * place.means) * precision
        pulls -= (place.means - centre) / spread**2
        parts.append(place.order.pull_back(pulls[:, 0]) if place.order else pulls.ravel())
        if place.order:
            parts[-1][1:] += 1.0  # the log-Jacobian is the sum of all numbers but the first
        if self.scale is None:
            centre, spread = self.log_scale_prior
            pull = dot(shares, distances) * precision - self.data.size
            parts.append(np.array([pull - (place.log_scale - centre) / spread**2]))
        return total(self._terms(place, sums).values()), np.concatenate(parts)

    def log_density_terms(self, position: ArrayLike) -> dict[str, float]:
        """Return the terms of the log density: ``"priors"``, ``"points"`` and ``"log-Jacobian"``."""
        place = self._place(position)
        return self._terms(place, LogSumExp(self._gamma(place, self._squared_distances(place))))

    def log_joint_by_class(self, position: ArrayLike) -> np.ndarray:
        """Return γ: log weight and log density of each point in each component, shape (N, K)."""
        place = self._place(position)
        return self._gamma(place, self._squared_distances(place))

    def _place(self, position: ArrayLike) -> _Place:
        numbers = self._checked(position)
        simplex = None if self._log_weights.size else Simplexes(numbers[: self._free_weights])
        free_means = numbers[self._free_weights : self._means_end]
        order = Ordered(free_means) if self.ordered else None
        return _Place(
            simplex=simplex,
            order=order,
            log_weights=self._log_weights if simplex is None else simplex.log_probs,
            means=(free_means if order is None else order.values).reshape(self.components, -1),
            log_scale=float(numbers[-1]) if self.scale is None else log(self.scale),
        )

    def _squared_distances(self, place: _Place) -> np.ndarray:
        """Return the squared distance of each point to each mean, shape (N, K)."""
        return ((self.data[:, None, :] - place.means) ** 2).sum(axis=2)

    def _gamma(self, place: _Place, distances: np.ndarray) -> np.ndarray:
        axes = self.data.shape[1]
        height = place.log_weights - axes * (place.log_scale + LOG_TWO_PI / 2)
        return height - distances * (0.5 * exp(-2 * place.log_scale))

    def _terms(self, place: _Place, sums: LogSumExp) -> dict[str, float]:
        priors = _log_normal(place.means, self.mean_prior)
        log_jacobian = 0.0
        if place.simplex:
            priors += Dirichlet(self.class_prior).log_density(place.log_weights)
            log_jacobian += float(place.simplex.log_jacobian)
        if place.order:
            priors += lgamma(self.components + 1)
            log_jacobian += float(place.order.log_jacobian)
        if self.scale is None:
            priors += _log_normal(np.array(place.log_scale), self.log_scale_prior) - place.log_scale
            log_jacobian += place.log_scale
        return {"priors": priors, "points": float(sums.values.sum()), "log-Jacobian": log_jacobian}


class _Place(NamedTuple):
    """A position, read: what a part was made from is None where that part is fixed, or needs no making."""

    simplex: Simplexes | None
    order: Ordered | None
    log_weights: np.ndarray
    means: np.ndarray
    log_scale: float


def _log_normal(values: np.ndarray, prior: tuple[float, float]) -> float:
    """Return the log density of values that are independently Normal with this mean and standard deviation."""
    mean, deviation = prior
    squares = float((((values - mean) / deviation) ** 2).sum())
    return -0.5 * squares - values.size * (log(deviation) + LOG_TWO_PI / 2)


def _as_points(data: ArrayLike) -> np.ndarray:
    points = np.array(data, float)
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or not points.size or not np.isfinite(points).all():
        raise ValueError(f"data must be finite points of shape (N,) or (N, D), got the shape {np.shape(data)}")
    points.flags.writeable = False
    return points


def _as_normal(name: str, prior: tuple[float, float]) -> tuple[float, float]:
    mean, deviation = prior
    return finite_above(f"the mean of {name}", mean, -inf), finite_above(f"the deviation of {name}", deviation, 0)


def _as_weights(weights: ArrayLike, components: int) -> np.ndarray:
    values = np.array(weights, float)
    if values.shape != (components,) or not (values > 0).all() or not abs(values.sum() - 1) < CLOSE:
        raise ValueError(f"weights must be {components} numbers > 0 that sum to 1, got {weights!r}")
    return values
