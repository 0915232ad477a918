"""The Normal that is nearest to a density on a line by KL(q‖p): variational inference with one Normal.

Bishop (2006), Pattern Recognition and Machine Learning, sections 10.1 and 10.6. Averages over a Normal are sums over
equally spaced places, which for smooth functions are exact to rounding errors.
"""

from collections.abc import Callable
from math import exp, inf, log, pi, sqrt

import numpy as np

from samplers.checks import finite_above
from samplers.regression.line_targets import LineTarget, line_laplace

NODES = np.linspace(-9.0, 9.0, 721)  # standard deviations from the mean
SHARES = np.exp(-0.5 * NODES**2) / np.exp(-0.5 * NODES**2).sum()
FLAT = 1e-11  # of a gradient: what is less is none


def average(of: Callable[[np.ndarray], np.ndarray], mean: float, deviation: float) -> float:
    """Return the mean of a smooth function over a Normal.

    Parameters
    ----------
    of : callable
        Of an array of places, shape (721,); it has no more than a Normal's tail can outweigh.
    mean, deviation : float
        The Normal's; the deviation is above 0.
    """
    return float(SHARES @ of(mean + finite_above("deviation", deviation, 0) * NODES))


def normal_divergence(target: LineTarget, mean: float, deviation: float) -> float:
    """Return KL(q‖p) in nats, where q is a Normal and p the target; infinite if p is 0 on a part of the line."""
    finite_above("deviation", deviation, 0)
    if not _everywhere(target):
        return inf
    entropy = 0.5 * log(2 * pi) + 0.5 + log(deviation)
    return -entropy - average(target.value, mean, deviation)


def best_normal(target: LineTarget) -> tuple[float, float]:
    """Return mean and standard deviation of the Normal q with the least KL(q‖p).

    At the optimum the slope of log p is 0 on average over q, and the curvature on average is -1 / variance: what
    Laplace asks for at one point.

    Raises
    ------
    ValueError
        If the target is 0 on a part of the line: then KL(q‖p) is infinite for every Normal.

    Notes
    -----
    The search begins at the Laplace approximation of each mode, and once at the Normal that has the target's own mean
    and variance as far as these approximations show them; there may be several local optima, of which the best counts.
    """
    if not _everywhere(target):
        raise ValueError("KL(q‖p) is infinite for every Normal q: the density is 0 on a part of the line")
    found = [_climb(target, *start) for start in _starts(target)]
    mean, deviation = min(found, key=lambda each: normal_divergence(target, *each))
    return mean, deviation


def _everywhere(target: LineTarget) -> bool:
    return target.support == (-inf, inf)


def _starts(target: LineTarget) -> list[tuple[float, float]]:
    """Return mean and standard deviation of Laplace at each mode, and of all of these together."""
    each = [line_laplace(target, start) for start in target.starts]
    means, variances = np.array(each).T
    together = float(means.mean()), sqrt(float(variances.mean() + means.var()))
    return [*((mean, sqrt(variance)) for mean, variance in each), together]


def _climb(target: LineTarget, mean: float, deviation: float) -> tuple[float, float]:
    """Return the local optimum that a start leads to."""

    def objective(at: np.ndarray) -> tuple[float, np.ndarray]:
        spread = exp(at[1])
        places = at[0] + spread * NODES
        slopes = target.slope(places)
        along = np.array([SHARES @ slopes, spread * (SHARES @ (NODES * slopes)) + 1])
        return -float(SHARES @ target.value(places)) - float(at[1]), -along

    from scipy.optimize import minimize  # takes a fifth of a second, and no other module wants it

    found = minimize(objective, [mean, log(deviation)], jac=True, method="BFGS", options={"gtol": FLAT})
    return float(found.x[0]), exp(found.x[1])
