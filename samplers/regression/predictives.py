"""The probability of label 1 at new points, with weights that are Normal: five ways, and how good each is.

The activation a = wᵀx is Normal then, and the probability is the integral of σ(a) over its distribution, which has no
closed form. After Piyush Rai's lecture of 23 January 2019 (CS698X), slides "Logistic Regression: Predictive
Distributions" to "Predictive Posterior via Probit Approximation"; MacKay (1992, The evidence framework applied to
classification networks, Neural Computation 4), section 5.

All take ``features, mode, covariance``: the points' features, shape (P, D), and mean and covariance of the weights,
shapes (D,) and (D, D). They return shape (P,), and raise ValueError if the shapes do not fit together.

How far from the integral they are at most, whatever the mean of a, by its standard deviation sd (`predict_quadrature`
is within 1e-12 of it):

======  =======  ======  ======
sd      plug-in  probit  MacKay
======  =======  ======  ======
0       0        0.0177  0
0.5     0.0113   0.0164  0.0014
1       0.0391   0.0138  0.0046
2       0.1062   0.0092  0.0101
5       0.2431   0.0029  0.0157
50      0.4536   0.0000  0.0176
======  =======  ======  ======

So probit is within 0.003 whatever the mean only where sd > 4.92, and MacKay's formula only where sd < 0.76. The better
of the two, MacKay's below sd = 1.87 and probit above, is within 0.0096 everywhere. Where the mean is small beside sd,
as on the whole plane if no line separates the labels, both are within 0.003.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import whole_from
from samplers.regression.linear import in_blocks

Predictive = Callable[[ArrayLike, ArrayLike, ArrayLike], np.ndarray]


def activation(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and variance of the activation, μ_a = wᵀx and σ_a² = xᵀ Σ x, each of shape (P,)."""
    points, centre, spread = _checked(features, mode, covariance)
    variance = np.einsum("pd,pd->p", points @ spread, points)
    return points @ centre, np.maximum(variance, 0)


def predict_plugin(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Return σ(μ_a): the weights are taken to be at their mode, and the covariance is not looked at."""
    mean, _ = activation(features, mode, covariance)
    return special.expit(mean)


def predict_probit(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Return Φ(μ_a / √(8/π + σ_a²)): the exact integral of Φ(√(π/8) a), which is as steep as σ(a) at 0."""
    mean, variance = activation(features, mode, covariance)
    return special.ndtr(mean / np.sqrt(8 / np.pi + variance))


def predict_mackay(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Return σ(μ_a / √(1 + π σ_a²/8)): MacKay (1992), equation 9; the plug-in's formula with a smaller activation."""
    mean, variance = activation(features, mode, covariance)
    return special.expit(mean / np.sqrt(1 + np.pi / 8 * variance))


def predict_quadrature(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> np.ndarray:
    """Return the integral of σ(a) over the Normal distribution of the activation, within 1e-12.

    Notes
    -----
    By the trapezoidal rule, whose error falls exponentially with the number of nodes for functions that are analytic in
    a strip (Trefethen & Weideman 2014, The exponentially convergent trapezoidal rule, SIAM Review 56, theorem 5.1). A
    standard deviation below 1 has it over the activation. For others the integral is turned round, so that the number
    of nodes need not grow: σ(a) is P(L < a) for a logistic variate L, and the probability is the mean of
    Φ((μ_a - L) / σ_a) over L. Either integrand has its poles at ±πi or beyond, and nodes half a unit apart.
    """
    return _moment(*activation(features, mode, covariance), 1)


def draw_weights(mode: ArrayLike, covariance: ArrayLike, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return weights drawn from N(mode, covariance), shape (draws, D).

    Raises
    ------
    ValueError
        If the covariance is not positive definite, or the number of draws not a whole number from 1.
    """
    _, centre, spread = _checked(np.empty((0, np.size(mode))), mode, covariance)
    try:
        factor = np.linalg.cholesky(spread)
    except np.linalg.LinAlgError:
        raise ValueError("covariance must be positive definite for weights to be drawn") from None
    return centre + rng.standard_normal((whole_from("draws", draws, 1), len(centre))) @ factor.T


def predict_from_weights(features: ArrayLike, weights: ArrayLike, shares: ArrayLike | None = None) -> np.ndarray:
    """Return the mean of σ(w_sᵀx) over given weights, such as `draw_weights` or a chain has, shape (P,).

    Parameters
    ----------
    features : array_like
        Shape (P, D).
    weights : array_like
        Shape (S, D), with S >= 1.
    shares : array_like, optional
        Of each of them in the mean, summing to 1, shape (S,); if left out, all alike.

    Raises
    ------
    ValueError
        If the shapes do not fit together.
    """
    points, vectors = np.asarray(features, float), np.asarray(weights, float)
    if vectors.ndim != 2 or not len(vectors) or points.ndim != 2 or points.shape[1] != vectors.shape[1]:
        raise ValueError(
            f"features and weights must have shapes (P, D) and (S, D), S >= 1, got {points.shape} and {vectors.shape}"
        )
    each = np.full(len(vectors), 1 / len(vectors)) if shares is None else np.asarray(shares, float)
    return in_blocks(lambda block: special.expit(block @ vectors.T) @ each, points, len(vectors))


def monte_carlo_error(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike, draws: int) -> np.ndarray:
    """Return the standard error of `predict_from_weights` with S draws at each point: that of σ(a), over √S.

    It is computed by quadrature and not from draws, and so holds for a single one as well. As all points share the
    draws, so do neighbours their errors.
    """
    mean, variance = activation(features, mode, covariance)
    of_one = _moment(mean, variance, 2) - _moment(mean, variance, 1) ** 2
    return np.sqrt(np.maximum(of_one, 0) / whole_from("draws", draws, 1))


PREDICTIVES: dict[str, Predictive] = {
    "plug-in": predict_plugin,
    "probit": predict_probit,
    "MacKay": predict_mackay,
    "quadrature": predict_quadrature,
}
"""Those that need no draws, by name."""

_STEP = 0.5
_NORMAL_NODES = np.arange(-17, 18) * _STEP  # ±8.5, beyond which a Normal has 2e-17
_NORMAL_WEIGHTS = np.exp(-0.5 * _NORMAL_NODES**2) * (_STEP / np.sqrt(2 * np.pi))
_LOGISTIC_NODES = np.arange(-60, 61) * _STEP  # ±30, beyond which a logistic distribution has 2e-13
_LOGISTIC_WEIGHTS = special.expit(_LOGISTIC_NODES) * special.expit(-_LOGISTIC_NODES) * _STEP


def _moment(mean: np.ndarray, variance: np.ndarray, power: int) -> np.ndarray:
    """Return the mean of σ(a)^power, shape (P,), of a ~ N(mean, variance)."""
    deviation = np.sqrt(variance)
    wide = deviation >= 1
    rises = power * special.expit(_LOGISTIC_NODES) ** (power - 1) * _LOGISTIC_WEIGHTS  # of σ(a)^power along a

    def narrow_moment(normal: np.ndarray) -> np.ndarray:
        activations = normal[:, :1] + normal[:, 1:] * _NORMAL_NODES
        return special.expit(activations) ** power @ _NORMAL_WEIGHTS

    def wide_moment(normal: np.ndarray) -> np.ndarray:
        return special.ndtr((normal[:, :1] - _LOGISTIC_NODES) / normal[:, 1:]) @ rises

    normals, moments = np.column_stack([mean, deviation]), np.empty(len(mean))
    moments[wide] = in_blocks(wide_moment, normals[wide], len(_LOGISTIC_NODES))
    moments[~wide] = in_blocks(narrow_moment, normals[~wide], len(_NORMAL_NODES))
    return moments


def _checked(features: ArrayLike, mode: ArrayLike, covariance: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    points, centre, spread = np.asarray(features, float), np.asarray(mode, float), np.asarray(covariance, float)
    weights = centre.size
    if centre.shape != (weights,) or spread.shape != (weights, weights) or points.shape[1:] != (weights,):
        raise ValueError(
            "features, mode and covariance must have shapes (P, D), (D,) and (D, D), "
            f"got {points.shape}, {centre.shape} and {spread.shape}"
        )
    return points, centre, spread
