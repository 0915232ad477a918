"""Densities on a plane of which everything is known: the gradient, both margins and their moments.

Each is normalised, so that its contours, its margins and a chain's histogram have one scale. `PLANE_TARGETS` has them
by name. All that a path depends on is made of additions, products and the system's ``exp`` and ``log``, as
`samplers.portable` explains.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from math import exp, hypot, inf, log, nan, pi, sqrt
from typing import ClassVar

import numpy as np
from scipy import special

from samplers.checks import finite_above
from samplers.portable import weights_of

LOG_TWO_PI = log(2 * pi)
WIDEST = 700.0  # exp of more is beyond floating point
CELLS = 301  # of a quadrature; the trapezium rule is nearly exact where both ends are 0


class PlaneTarget(ABC):
    """A normalised density on a plane; a position has the shape (2,).

    Attributes
    ----------
    reach : ((float, float), (float, float))
        Beyond which places along x and along y there is next to nothing.
    names : (str, str)
        What lies along x and along y; empty where it is nothing but x and y.
    to_the_right : (float, float) or None
        Of two hills, the direction from the left one to the right one, across their border through (0, 0).
    """

    dimension: ClassVar[int] = 2
    names: ClassVar[tuple[str, str]] = ("", "")
    to_the_right: ClassVar[tuple[float, float] | None] = None
    reach: ClassVar[tuple[tuple[float, float], tuple[float, float]]]

    @abstractmethod
    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the log density at a position, and its gradient, shape (2,)."""

    @property
    @abstractmethod
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The mean of x and that of y, and their standard deviations."""

    @property
    def right_share(self) -> float:
        """Of two hills, the probability of the right one; NaN without two."""
        return nan

    def on_the_right(self, positions: np.ndarray) -> np.ndarray:
        """Return which positions, shape (..., 2), are on the right of two hills, shape (...); none without two."""
        return positions @ (self.to_the_right or (0.0, 0.0)) > 0

    def log_density(self, position: np.ndarray) -> float:
        """Return the log density at a position."""
        return self.log_density_and_gradient(position)[0]

    def log_densities(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the log density at places, all of the shape of x and of y: for pictures, by what is fastest."""
        places = np.column_stack([x.ravel(), y.ravel()])
        return np.array([self.log_density(place) for place in places]).reshape(x.shape)

    def marginal(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the density of x (axis 0) or of y (axis 1) alone, shape (values,).

        Here by the trapezium rule along the other axis; a target whose margin has a formula has that.
        """
        across = np.linspace(*self.reach[1 - axis], CELLS)
        found = np.empty(len(values))
        places = np.empty((CELLS, 2))
        for i, value in enumerate(values):
            places[:, axis], places[:, 1 - axis] = value, across
            heights = [exp(self.log_density(place)) for place in places]
            found[i] = np.trapezoid(heights, across)
        return found


def normal_density(values: np.ndarray, mean: float | np.ndarray, deviation: float | np.ndarray) -> np.ndarray:
    """Return the density of a Normal distribution."""
    return np.exp(-0.5 * ((values - mean) / deviation) ** 2) / (deviation * sqrt(2 * pi))


@dataclass(frozen=True)
class CorrelatedNormal(PlaneTarget):
    """Two Normal numbers with a correlation: a long, tilted hill.

    Parameters
    ----------
    correlation : float, optional
        Between -1 and 1.
    deviations : (float, float), optional
        Standard deviations of x and of y, above 0.

    Raises
    ------
    ValueError
        If one is out of range.
    """

    correlation: float = 0.9
    deviations: tuple[float, float] = (1.0, 1.0)
    reach = ((-14.0, 14.0), (-14.0, 14.0))

    def __post_init__(self) -> None:
        if not -1 < self.correlation < 1:
            raise ValueError(f"correlation must be between -1 and 1, got {self.correlation!r}")
        for deviation in self.deviations:
            finite_above("deviations", deviation, 0)

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        (along, up), (x, y) = self.deviations, position.tolist()
        x, y = x / along, y / up
        rest = 1 - self.correlation * self.correlation
        down_x, down_y = (x - self.correlation * y) / rest, (y - self.correlation * x) / rest
        value = -0.5 * (x * down_x + y * down_y) - LOG_TWO_PI - 0.5 * log(rest) - log(along * up)
        return value, np.array([-down_x / along, -down_y / up])

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (0.0, 0.0), self.deviations

    def marginal(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the density of x or of y alone, a Normal's, shape (values,)."""
        return normal_density(values, 0.0, self.deviations[axis])


@dataclass(frozen=True)
class Banana(PlaneTarget):
    """x is Normal, and y is Normal around a parabola over x: a hill that is bent.

    After Haario, Saksman & Tamminen (1999, Adaptive proposal distribution for random walk Metropolis algorithm,
    Computational Statistics 14), with these numbers.
    """

    width: ClassVar[float] = 2.0  # standard deviation of x
    bend: ClassVar[float] = 0.25
    height: ClassVar[float] = 0.5  # standard deviation of y around the parabola
    reach = ((-12.0, 12.0), (-5.0, 40.0))

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        x, y = position.tolist()
        across, off = x / self.width, (y - self.bend * x * x) / self.height
        value = -0.5 * (across * across + off * off) - LOG_TWO_PI - log(self.width * self.height)
        down = off / self.height
        return value, np.array([2 * self.bend * x * down - across / self.width, -down])

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        rise = self.bend * self.width**2
        return (0.0, rise), (self.width, sqrt(2 * rise**2 + self.height**2))

    def marginal(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the density of x, a Normal's, or of y, by quadrature, shape (values,)."""
        return normal_density(values, 0.0, self.width) if axis == 0 else super().marginal(axis, values)


@dataclass(frozen=True)
class Ring(PlaneTarget):
    """The squared distance from the middle is Normal, cut off at 0, and every direction alike: a ring-shaped ridge."""

    radius: ClassVar[float] = 2.3
    breadth: ClassVar[float] = 0.3  # about the standard deviation of the distance from the middle
    reach = ((-5.0, 5.0), (-5.0, 5.0))

    @property
    def _spread(self) -> float:
        """Standard deviation of the squared distance, before it is cut off."""
        return 2 * self.radius * self.breadth

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        x, y = position.tolist()
        off = (x * x + y * y - self.radius * self.radius) / self._spread
        kept = 0.5 * (1 + float(special.erf(self.radius / (2 * self.breadth) / sqrt(2))))
        value = -0.5 * off * off - log(pi * self._spread * sqrt(2 * pi) * kept)
        slope = -2 * off / self._spread
        return value, np.array([slope * x, slope * y])

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        cut = self.radius**2 / self._spread
        squared = self.radius**2 + self._spread * exp(-0.5 * cut * cut) / sqrt(2 * pi) / float(special.ndtr(cut))
        return (0.0, 0.0), (sqrt(squared / 2), sqrt(squared / 2))


@dataclass(frozen=True)
class TwoHills(PlaneTarget):
    """A mixture of two round Normal hills with a low pass between them, the left one twice as likely as the right."""

    centres: ClassVar[tuple[tuple[float, float], tuple[float, float]]] = ((-1.9, -0.7), (1.9, 0.7))
    weights: ClassVar[tuple[float, float]] = (2 / 3, 1 / 3)
    deviation: ClassVar[float] = 0.65
    reach = ((-7.0, 7.0), (-6.0, 6.0))
    to_the_right = centres[1]

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        x, y = position.tolist()
        variance = self.deviation * self.deviation
        away = [(x - across, y - up) for across, up in self.centres]
        logs = [
            log(weight) - 0.5 * (dx * dx + dy * dy) / variance
            for weight, (dx, dy) in zip(self.weights, away, strict=True)
        ]
        top = max(logs)
        if not -inf < top < inf:
            return -inf, np.full(2, np.nan)
        shares = weights_of(logs)
        whole = shares[0] + shares[1]
        slopes = [
            -sum(share * far[i] for share, far in zip(shares, away, strict=True)) / (whole * variance) for i in (0, 1)
        ]
        return top + log(whole) - LOG_TWO_PI - log(variance), np.array(slopes)

    @property
    def right_share(self) -> float:
        """The probability of the right hill: little of each Normal lies beyond the border."""
        beyond = float(special.ndtr(-hypot(*self.centres[1]) / self.deviation))
        return self.weights[1] * (1 - beyond) + self.weights[0] * beyond

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        centres, weights = np.array(self.centres), np.array(self.weights)
        mean = weights @ centres
        x, y = np.sqrt(weights @ centres**2 - mean**2 + self.deviation**2).tolist()
        return (float(mean[0]), float(mean[1])), (x, y)

    def marginal(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the density of x or of y alone: a mixture of two Normals, shape (values,)."""
        first, second = (normal_density(values, centre[axis], self.deviation) for centre in self.centres)
        return self.weights[0] * first + self.weights[1] * second


@dataclass(frozen=True)
class Funnel(PlaneTarget):
    """y is Normal, and x is Normal with a variance of exp(y): wide above, and ever narrower below.

    Neal (2003, Slice sampling, Annals of Statistics 31), section 8, with one number in the place of nine.
    """

    height: ClassVar[float] = 3.0  # standard deviation of y
    reach = ((-400.0, 400.0), (-24.0, 24.0))

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        x, y = position.tolist()
        precision = exp(min(WIDEST, max(-WIDEST, -y)))
        up = y / self.height
        value = -0.5 * (up * up + y + x * x * precision) - LOG_TWO_PI - log(self.height)
        return value, np.array([-x * precision, -up / self.height - 0.5 + 0.5 * x * x * precision])

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        return (0.0, 0.0), (exp(self.height**2 / 4), self.height)

    def marginal(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the density of y, a Normal's, or of x, by quadrature, shape (values,)."""
        return normal_density(values, 0.0, self.height) if axis == 1 else super().marginal(axis, values)


PLANE_TARGETS: dict[str, PlaneTarget] = {
    "correlated": CorrelatedNormal(),
    "long": CorrelatedNormal(0.0, (2.0, 0.25)),
    "banana": Banana(),
    "ring": Ring(),
    "two hills": TwoHills(),
    "funnel": Funnel(),
}
"""The targets by name."""
