"""The Laplace approximation: a Normal at the mode of a posterior, and the evidence that it gives.

After Piyush Rai's lecture of 23 January 2019 (CS698X, Topics in Probabilistic Modeling and Inference), slides "Laplace
Approximation of Posterior Distribution" to "Laplace Approximation for Bayesian Logistic Regression"; evidence and its
maximum after Bishop (2006, Pattern Recognition and Machine Learning), section 4.4, equations 4.137 and 4.138.
"""

from collections.abc import Callable
from math import exp, log, pi
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.log_density import LogDensityWithHessian
from samplers.regression.optimise import newton_mode

FIRST_LOOKS = 25  # at precisions between the bounds: the evidence may have more than one peak


class Laplace(NamedTuple):
    """A Normal in place of a posterior."""

    mode: np.ndarray  # its mean: where the posterior is highest, shape (D,)
    covariance: np.ndarray  # H⁻¹, shape (D, D), with H the Hessian of minus the log density at the mode
    # log p(data), as it would be if the posterior were this Normal: log density at the mode + D/2 log 2π - 1/2 log|H|.
    # It is exact for least squares. It means nothing with a flat prior.
    log_evidence: float


def replicate_labels(features: np.ndarray, found: Laplace, rng: np.random.Generator) -> np.ndarray:
    """Draw a label of 0 or 1 for each row of features, shape (N, D), from one draw of the weights of the Normal."""
    weights = rng.multivariate_normal(found.mode, found.covariance)
    drawn: np.ndarray = (rng.random(len(features)) < special.expit(features @ weights)).astype(int)
    return drawn


def spread(found: Laplace) -> float:
    """Return the standard deviation of the Normal, as the geometric mean over all directions."""
    return float(np.exp(0.5 * np.linalg.slogdet(found.covariance)[1] / len(found.mode)))


def laplace_approximation(target: LogDensityWithHessian, start: ArrayLike | None = None) -> Laplace:
    """Return the Laplace approximation of any log density that can be climbed.

    Parameters
    ----------
    target : LogDensityWithHessian
        A regression, say, or a target on a line.
    start : array_like, optional
        Where the search for the mode begins, shape (D,); 0 if it is not given.

    Raises
    ------
    NoMode
        If there is none: see `samplers.regression.optimise.newton_mode`.
    """
    mode = newton_mode(target, start=start)
    factor = np.linalg.cholesky(mode.precision)
    root = np.linalg.inv(factor)
    half_log_determinant = float(np.log(factor.diagonal()).sum())
    log_evidence = mode.log_density + 0.5 * target.dimension * log(2 * pi) - half_log_determinant
    return Laplace(mode.position, root.T @ root, log_evidence)


class BestPrecision(NamedTuple):
    """The prior precision with the highest evidence."""

    # prior_precision, log_evidence: the precision, and Laplace's log evidence there
    prior_precision: float
    log_evidence: float
    at_bound: bool  # whether it is one of the bounds: the evidence still rises there


def best_prior_precision(evidence: Callable[[float], float], low: float = 1e-4, high: float = 1e4) -> BestPrecision:
    """Return the prior precision, one for all weights, at which the evidence is highest.

    Parameters
    ----------
    evidence : callable
        From a precision to Laplace's log evidence.
    low, high : float, optional
        Bounds within which it is sought, 0 < low < high.

    Raises
    ------
    ValueError
        If a bound is out of range.
    """
    from scipy.optimize import minimize_scalar  # here, as it takes 0.15 s to import

    low = finite_above("low", low, 0)
    logs = np.linspace(log(low), log(finite_above("high", high, low)), FIRST_LOOKS)

    def loss(log_precision: float) -> float:
        return -evidence(exp(log_precision))

    losses = [loss(value) for value in logs]
    at = int(np.argmin(losses))
    around = logs[max(at - 1, 0)], logs[min(at + 1, FIRST_LOOKS - 1)]
    found = minimize_scalar(loss, bounds=around, method="bounded", options={"xatol": 1e-6})
    if at in (0, FIRST_LOOKS - 1) and losses[at] <= found.fun:
        return BestPrecision(float(exp(logs[at])), -losses[at], at_bound=True)
    return BestPrecision(exp(found.x), -float(found.fun), at_bound=False)
