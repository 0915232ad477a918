"""Softmax regression: logistic regression for K classes, with a weight for each class and feature.

The extension that Piyush Rai's lecture of 23 January 2019 (CS698X) names under "Some Comments"; gradient and Hessian as
in Bishop (2006, Pattern Recognition and Machine Learning), section 4.3.4, equations 4.109 and 4.110.
"""

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import for_each, whole_from
from samplers.regression.linear import LinearModel, as_classes, as_features, in_blocks


@dataclass(frozen=True, eq=False)
class SoftmaxRegression(LinearModel):
    """Labels y with P(y = k) = exp(w_kᵀx) / Σ_j exp(w_jᵀx), and weights w ~ N(0, 1/λ).

    All K D weights are one vector, class after class. One weight vector added to every class changes nothing of
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
        features, classes = as_features(self.features), whole_from("classes", self.classes, 2)
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "labels", as_classes(self.labels, len(features), classes))
        object.__setattr__(self, "_is_class", np.eye(classes)[self.labels])
        self._set_prior(np.tile(for_each("prior_precision", self.prior_precision, features.shape[1]), classes))

    @property
    def _cells(self) -> int:
        return len(self.features) * self.classes

    def _log_likelihood(self, weights: np.ndarray) -> np.ndarray:
        activations = weights.reshape(-1, self.features.shape[1]) @ self.features.T
        activations = activations.reshape(len(weights), self.classes, -1)
        activations -= activations.max(axis=1, keepdims=True)
        of_label = activations[:, self.labels, np.arange(len(self.labels))]
        return (of_label - np.log(np.exp(activations).sum(axis=1))).sum(axis=1)

    def _minus_likelihood_derivatives(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        features, classes = self.features, self.classes
        probabilities = special.softmax(features @ weights.reshape(classes, -1).T, axis=1)
        blocks = np.zeros((classes, features.shape[1]) * 2)
        for one, other in combinations(range(classes), 2):  # p (1 - p) of a class is its p times the sum of the others'
            scaled = features * np.sqrt(probabilities[:, one] * probabilities[:, other])[:, None]
            shared = scaled.T @ scaled
            for mine, yours in ((one, other), (other, one)):
                blocks[mine, :, mine] += shared
                blocks[mine, :, yours] = -shared
        return ((probabilities - self._is_class).T @ features).ravel(), blocks.reshape(self.dimension, -1)


def predict_softmax(features: ArrayLike, weights: ArrayLike, shares: ArrayLike | None = None) -> np.ndarray:
    """Return each class's probability, shape (P, K), averaged over weights: the mode alone, or draws from around it.

    Rows sum to 1.

    Parameters
    ----------
    features : array_like
        Shape (P, D).
    weights : array_like
        Shape (S, K D), with S >= 1, class after class.
    shares : array_like, optional
        Of each of them in the average, summing to 1, shape (S,); if left out, all alike.

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    """
    points, vectors = np.asarray(features, float), np.asarray(weights, float)
    if points.ndim != 2 or vectors.ndim != 2 or not len(vectors) or vectors.shape[1] % points.shape[1]:
        raise ValueError(
            f"features and weights must have shapes (P, D) and (S, K D), S >= 1, got {points.shape} and {vectors.shape}"
        )
    by_class = np.ascontiguousarray(vectors.reshape(len(vectors), -1, points.shape[1]).swapaxes(0, 1))
    each = np.full(len(vectors), 1 / len(vectors)) if shares is None else np.asarray(shares, float)

    def mean(block: np.ndarray) -> np.ndarray:
        found = by_class @ block.T  # classes, draws, points: the classes are few, and summed a whole table at a time
        found -= found.max(axis=0)
        np.exp(found, out=found)
        found /= found.sum(axis=0)
        return (each @ found).T

    return in_blocks(mean, points, by_class.shape[0] * by_class.shape[1])
