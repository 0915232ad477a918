"""Softmax regression: logistic regression for K classes, with a weight for each class and feature.

The extension that Piyush Rai's lecture of 23 January 2019 (CS698X) names under "Some Comments"; gradient and Hessian as
in Bishop (2006, Pattern Recognition and Machine Learning), section 4.3.4, equations 4.109 and 4.110.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import whole_from
from samplers.regression.laplace import laplace_approximation
from samplers.regression.linear import LinearModel, as_classes, as_features, as_precisions, in_blocks
from samplers.regression.predictives import draw_weights


@dataclass(frozen=True, eq=False)
class SoftmaxRegression(LinearModel):
    """Labels y with P(y = k) = exp(w_kᵀx) / Σ_j exp(w_jᵀx), and weights w ~ N(0, 1/λ).

    All K D weights stand in one vector, class after class. One weight vector added to every class changes nothing of
    what is observed; only the prior holds that direction, and therefore it may not be flat.

    Parameters
    ----------
    features : array_like
        x, one row for each observation, shape (N, D), finite.
    labels : array_like
        y, 0 to K - 1, shape (N,).
    classes : int
        K, from 2.
    prior_precision : array_like
        λ > 0: one number for all weights, or shape (D,), the same for every class.

    Raises
    ------
    ValueError
        If a shape or a value is out of range.

    Notes
    -----
    With two classes the difference w_1 - w_0 has the posterior of `LogisticRegression` with prior precision λ/2.
    """

    features: np.ndarray
    labels: np.ndarray
    classes: int
    prior_precision: float | np.ndarray
    _is_class: np.ndarray = field(init=False, repr=False)  # 1 where the observation is of the class: shape (N, K)

    def __post_init__(self) -> None:
        """Check the data and the settings."""
        features, classes = as_features(self.features), whole_from("classes", self.classes, 2)
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "labels", as_classes(self.labels, len(features), classes))
        object.__setattr__(self, "_is_class", np.eye(classes)[self.labels])
        self._set_prior(np.tile(as_precisions(self.prior_precision, features.shape[1]), classes))

    @property
    def _cells(self) -> int:
        return len(self.features) * self.classes

    def _log_likelihood(self, weights: np.ndarray) -> np.ndarray:
        activations = weights.reshape(-1, self.features.shape[1]) @ self.features.T
        activations = activations.reshape(len(weights), self.classes, -1)
        activations -= activations.max(axis=1, keepdims=True)
        of_label = activations[:, self.labels, np.arange(len(self.labels))]
        log_likelihood: np.ndarray = (of_label - np.log(np.exp(activations).sum(axis=1))).sum(axis=1)
        return log_likelihood

    def _minus_likelihood_derivatives(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        features, classes = self.features, self.classes
        probabilities = special.softmax(features @ weights.reshape(classes, -1).T, axis=1)
        scaled = (probabilities[:, :, None] * features[:, None, :]).reshape(len(features), self.dimension)
        hessian = -scaled.T @ scaled
        for label in range(classes):
            own = slice(label * features.shape[1], (label + 1) * features.shape[1])
            hessian[own, own] += scaled[:, own].T @ features
        return ((probabilities - self._is_class).T @ features).ravel(), (hessian + hessian.T) / 2


def softmax_laplace(
    features: np.ndarray, labels: np.ndarray, classes: int, prior_precision: float | np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return mode and covariance of the Laplace approximation. Arguments and errors as for `SoftmaxRegression`.

    Returns
    -------
    mode, covariance : numpy.ndarray
        Shapes (K D,) and (K D, K D), class after class.
    """
    mode, covariance, _ = laplace_approximation(SoftmaxRegression(features, labels, classes, prior_precision))
    return mode, covariance


def predict_softmax_plugin(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Return each class's probability with the weights at their mode.

    Parameters
    ----------
    features : array_like
        Shape (P, D).
    mode, covariance : array_like
        Of the weights, shapes (K D,) and (K D, K D); the covariance is not looked at.

    Returns
    -------
    numpy.ndarray
        Shape (P, K); rows sum to 1.

    Raises
    ------
    ValueError
        If the mode is not a multiple of D long.
    """
    return _mean_softmax(np.asarray(features, float), np.asarray(mode, float)[None])


def predict_softmax_monte_carlo(
    features: ArrayLike, mode: ArrayLike, covariance: ArrayLike, draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Return each class's probability, averaged over weights drawn from their Normal, the same for all points.

    Parameters
    ----------
    features, mode, covariance : array_like
        As for `predict_softmax_plugin`.
    draws : int
        S, from 1.
    rng : numpy.random.Generator
        Where the draws come from.

    Returns
    -------
    numpy.ndarray
        Shape (P, K); rows sum to 1.

    Raises
    ------
    ValueError
        If the mode is not a multiple of D long, or the covariance not positive definite.
    """
    return _mean_softmax(np.asarray(features, float), draw_weights(mode, covariance, draws, rng))


def _mean_softmax(points: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the mean over weights of shape (S, K D) of each class's probability, shape (P, K)."""
    if points.ndim != 2 or weights.shape[1] % points.shape[1]:
        raise ValueError(
            f"features must have shape (P, D) and the weights be K D, got {points.shape} and {weights.shape[1]} weights"
        )
    by_class = weights.reshape(len(weights), -1, points.shape[1])

    def mean(block: np.ndarray) -> np.ndarray:
        activations = np.moveaxis(by_class @ block.T, 1, -1)  # draws, points, classes
        averaged: np.ndarray = special.softmax(activations, axis=-1).mean(axis=0)
        return averaged

    return in_blocks(mean, points, by_class.shape[0] * by_class.shape[1])
