"""Densities on a line, some of them far from Normal, and how far the Laplace approximation of each is from it.

They can be climbed by everything in `samplers.regression.optimise`: a position is one number in an array.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log, pi, sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above, finite_from
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import log_sigmoid

Function = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class LineTarget:
    """A normalised density on an interval, with its derivatives.

    Parameters
    ----------
    support : tuple of float
        Open interval outside of which the density is 0; its ends may be infinite.
    starts : tuple of float
        One from which Newton's method finds each mode, the highest mode first.
    inner : callable
        Log density within the support; of arrays of any shape, as the next two.
    slope, curvature : callable
        First and second derivative of the log density within the support.
    """

    support: tuple[float, float]
    starts: tuple[float, ...]
    inner: Function
    slope: Function
    curvature: Function
    dimension: ClassVar[int] = 1

    def value(self, x: ArrayLike) -> np.ndarray:
        """Return the log density at places on the line, of the shape of x; -inf outside the support."""
        at = np.asarray(x, float)
        low, high = self.support
        within = (at > low) & (at < high)
        return np.where(within, self.inner(np.where(within, at, self.starts[0])), -inf)

    def log_density(self, position: ArrayLike) -> np.ndarray:
        """Return the log density at positions of shape (..., 1), shape (...)."""
        return self.value(np.asarray(position, float)[..., 0])

    def gradient_and_hessian(self, position: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the first and second derivative of the log density, shapes (1,) and (1, 1)."""
        place = np.asarray(position, float)
        return self.slope(place), self.curvature(place)[:, None]


class Distances(NamedTuple):
    """Distances between a target and its Laplace approximation."""

    laplace_to_target: float  # KL(Laplace‖target), in nats; infinite if the target is 0 on a part of the line
    target_to_laplace: float  # KL(target‖Laplace), in nats
    total_variation: float  # the most by which they differ in the probability of any event, 0 to 1


def line_laplace(target: LineTarget, start: float | None = None) -> tuple[float, float]:
    """Return mean and variance of the Laplace approximation at the mode to which a start within the support leads.

    Without a start it is the highest mode.

    Raises
    ------
    NoMode
        If the start leads to none.
    """
    found = laplace_approximation(target, [target.starts[0] if start is None else start])
    return float(found.mode[0]), float(found.covariance[0, 0])


def laplace_distances(target: LineTarget, mean: float, variance: float) -> Distances:
    """Return how far a target and a Normal are apart, by quadrature within 1e-5.

    Parameters
    ----------
    target : LineTarget
        With a finite variance.
    mean : float
        Within the support.
    variance : float
        Above 0.

    Raises
    ------
    ValueError
        If the Normal's mean or variance is out of range, or so far off that the nodes miss a part of either density.

    Notes
    -----
    Double-exponential quadrature (Takahasi & Mori 1974, Double exponential formulas for numerical integration,
    Publications RIMS 9) on either side of the mean.
    """
    low, high = target.support
    deviation = sqrt(finite_above("variance", variance, 0))
    if not low < mean < high:
        raise ValueError(f"mean must lie between {low:g} and {high:g}, got {mean!r}")
    (down, left), (up, right) = _side(mean - low, deviation), _side(high - mean, deviation)
    x, widths = np.concatenate([mean - down, mean + up]), np.concatenate([left, right])
    log_target = target.value(x)
    log_laplace = -0.5 * (((x - mean) / deviation) ** 2 + log(2 * pi * variance))
    density, laplace = np.exp(log_target), np.exp(log_laplace)
    whole_line = (low, high) == (-inf, inf)
    beyond = special.ndtr((low - mean) / deviation) + special.ndtr((mean - high) / deviation)
    masses = float(widths @ density), float(widths @ laplace + beyond)
    if not np.allclose(masses, 1, atol=1e-4):
        raise ValueError(f"the Normal is too far from the density to compare them, with {masses} of 1 seen of each")
    return Distances(
        laplace_to_target=float(widths @ (laplace * (log_laplace - log_target))) if whole_line else inf,
        target_to_laplace=float(widths @ (density * (log_target - log_laplace))),
        total_variation=float((widths @ np.abs(density - laplace) + beyond) / 2),
    )


def log_odds_target(heads: float, tails: float) -> LineTarget:
    """Return log odds whose probability is Beta(heads, tails): logistic regression with a bias alone."""
    heads, tails = finite_above("heads", heads, 0), finite_above("tails", tails, 0)
    constant = special.betaln(heads, tails)
    return LineTarget(
        (-inf, inf),
        (0.0,),
        lambda x: heads * log_sigmoid(x) + tails * log_sigmoid(-x) - constant,
        lambda x: heads * special.expit(-x) - tails * special.expit(x),
        lambda x: -(heads + tails) * special.expit(x) * special.expit(-x),
    )


def gamma_target(shape: float) -> LineTarget:
    """Return Gamma(shape) of scale 1; the shape is above 1, so that there is a mode, at shape - 1."""
    shape = finite_above("shape", shape, 1)
    return LineTarget(
        (0.0, inf),
        (shape,),
        lambda x: (shape - 1) * np.log(x) - x - special.gammaln(shape),
        lambda x: (shape - 1) / x - 1,
        lambda x: -(shape - 1) / x**2,
    )


def log_gamma_target(shape: float) -> LineTarget:
    """Return the logarithm of a Gamma(shape) variate, shape > 0: the same distribution on another scale."""
    shape = finite_above("shape", shape, 0)
    return LineTarget(
        (-inf, inf),
        (log(shape),),
        lambda x: shape * x - np.exp(np.minimum(x, 700)) - special.gammaln(shape),
        lambda x: shape - np.exp(np.minimum(x, 700)),
        lambda x: -np.exp(np.minimum(x, 700)),
    )


def student_target(degrees: float) -> LineTarget:
    """Return Student's t; its degrees of freedom are above 2, so that it has a variance."""
    degrees = finite_above("degrees", degrees, 2)
    constant = special.betaln(0.5, degrees / 2) + 0.5 * log(degrees)
    return LineTarget(
        (-inf, inf),
        (0.5,),
        lambda x: -(degrees + 1) / 2 * np.log1p(x / degrees * x) - constant,
        lambda x: -(degrees + 1) * x / (degrees + x**2),
        lambda x: -(degrees + 1) * (degrees - x**2) / (degrees + x**2) ** 2,
    )


def two_normals_target(
    share: float = 0.6,
    means: tuple[float, float] = (-1.5, 1.8),
    deviations: tuple[float, float] = (0.6, 0.8),
) -> LineTarget:
    """Return a mixture of two Normals: the share of the first, their means and their standard deviations.

    They must be far enough apart for two modes: Newton's method starts at both means.
    """
    share = finite_from("share", share, 0, 1)
    centres = np.array([finite_above("means", mean, -inf) for mean in means])
    precisions = np.array([finite_above("deviations", deviation, 0) ** -2.0 for deviation in deviations])
    log_scales = np.log([share, 1 - share]) + 0.5 * np.log(precisions / (2 * pi))

    def terms(x: np.ndarray) -> np.ndarray:
        return log_scales - 0.5 * precisions * (x[..., None] - centres) ** 2

    def slopes(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return special.softmax(terms(x), axis=-1), -precisions * (x[..., None] - centres)

    def slope(x: np.ndarray) -> np.ndarray:
        parts, rises = slopes(x)
        return (parts * rises).sum(axis=-1)

    def curvature(x: np.ndarray) -> np.ndarray:
        parts, rises = slopes(x)
        return (parts * (rises**2 - precisions)).sum(axis=-1) - slope(x) ** 2

    heights = special.logsumexp(terms(centres), axis=-1)
    starts = tuple(float(centre) for centre in centres[np.argsort(-heights)])
    return LineTarget((-inf, inf), starts, lambda x: special.logsumexp(terms(x), axis=-1), slope, curvature)


def beta_target(first: float, second: float) -> LineTarget:
    """Return Beta(first, second); both are above 1, so that the mode is within (0, 1)."""
    first, second = finite_above("first", first, 1), finite_above("second", second, 1)
    return LineTarget(
        (0.0, 1.0),
        (first / (first + second),),
        lambda x: (first - 1) * np.log(x) + (second - 1) * np.log1p(-x) - special.betaln(first, second),
        lambda x: (first - 1) / x - (second - 1) / (1 - x),
        lambda x: -(first - 1) / x**2 - (second - 1) / (1 - x) ** 2,
    )


LINE_TARGETS: dict[str, LineTarget] = {
    "near Normal": log_odds_target(60, 40),
    "skewed": gamma_target(3),
    "skewed, on the log scale": log_gamma_target(3),
    "heavy tails": student_target(3),
    "two modes": two_normals_target(),
    "at the edge": beta_target(1.2, 6),
}
"""Targets for the playground, by what is peculiar to them."""


def _side(length: float, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of quadrature between 0 and the length; if that is infinite, by the scale."""
    t, step = np.linspace(-4, 4, 4_001, retstep=True)
    bent, rate = pi / 2 * np.sinh(t), pi / 2 * np.cosh(t) * step
    if length == inf:
        nodes = scale * np.exp(bent)
        return nodes, nodes * rate
    nodes, rest = length * special.expit(2 * bent), special.expit(-2 * bent)
    inside = (nodes > 1e-14 * length) & (rest > 1e-14)
    return nodes[inside], (2 * nodes * rest * rate)[inside]
