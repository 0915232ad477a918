"""The Beta distribution, conjugate to tosses of a coin: Gelman et al. (2013, Bayesian Data Analysis), section 2.4."""

import sys
from dataclasses import dataclass
from math import nextafter, sqrt
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above

SMALLEST, LARGEST = sys.float_info.min, nextafter(1, 0)


@dataclass(frozen=True)
class Beta:
    """The Beta distribution of a probability θ, with the density θ^(a-1) (1-θ)^(b-1) / B(a, b).

    Parameters
    ----------
    a, b : float
        Above 0. As a prior, they count as heads and tails that were seen before.

    Raises
    ------
    ValueError
        If a parameter is not finite and above 0.

    Examples
    --------
    >>> posterior = Beta(1, 1).given(heads=7, tails=3)
    >>> posterior, round(posterior.mean, 3)
    (Beta(a=8, b=4), 0.667)
    """

    a: float
    b: float

    def __post_init__(self) -> None:
        finite_above("a", self.a, 0)
        finite_above("b", self.b, 0)

    def __str__(self) -> str:
        return f"Beta({self.a:g}, {self.b:g})"

    def given(self, heads: int, tails: int) -> "Beta":
        """Return the posterior after these heads and tails: they are added to a and b."""
        return Beta(self.a + heads, self.b + tails)

    @property
    def mean(self) -> float:
        """The mean a / (a + b), which is the posterior predictive probability of heads."""
        return self.a / (self.a + self.b)

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return sqrt(self.mean * (1 - self.mean) / (self.a + self.b + 1))

    @property
    def peak(self) -> float:
        """The highest density, if no parameter is below 1."""
        return float(np.exp(self.log_density((self.a - 1) / max(self.a + self.b - 2, 1e-9))))

    def log_density(self, theta: ArrayLike) -> np.ndarray:
        """Return the log density at probabilities of any shape; -inf outside 0 to 1."""
        theta = np.asarray(theta, float)
        inside = (theta >= 0) & (theta <= 1)
        at = np.where(inside, theta, 0.5)
        logs = special.xlogy(self.a - 1, at) + special.xlog1py(self.b - 1, -at) - special.betaln(self.a, self.b)
        return np.where(inside, logs, -np.inf)

    def below(self, theta: float | np.ndarray) -> np.ndarray:
        """Return the probability of being below each θ from 0 to 1: the cumulative distribution function."""
        return np.asarray(special.betainc(self.a, self.b, theta))

    def quantile(self, probability: float) -> float:
        """Return the θ below which this probability lies, from 0 to 1."""
        return float(self.quantiles(probability))

    def quantiles(self, probabilities: float | np.ndarray) -> np.ndarray:
        """Return the same for many probabilities, in their shape."""
        return np.asarray(special.betaincinv(self.a, self.b, probabilities))

    def draw(self, rng: np.random.Generator) -> float:
        """Draw a probability, strictly between 0 and 1.

        With a or b near 0 a draw is often nearer to 0 or to 1 than a float can say. It is moved to the last float
        inside, so that it and what it leaves have a logarithm.
        """
        return min(max(float(rng.beta(self.a, self.b)), SMALLEST), LARGEST)


@dataclass(frozen=True)
class BetaDensity:
    """The log density of a Beta distribution at positions of one number, as a Metropolis chain asks for it."""

    distribution: Beta
    dimension: ClassVar[int] = 1
    parameter: ClassVar[str] = "theta"

    def log_density(self, position: np.ndarray) -> np.ndarray:
        """Return the log density at a position of shape (1,)."""
        return self.distribution.log_density(position[0])
