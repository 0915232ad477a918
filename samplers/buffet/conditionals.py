"""The conditionals of the linear-Gaussian model of features that a sweep draws from, other than those of bits."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from samplers.buffet.loadings import draw_loadings, log_likelihood
from samplers.recipe import Conditional

Prior = tuple[float, float]


class OwnFeatures(NamedTuple):
    """Features that only one row has: their number and their columns."""

    number: int  # from 0
    places: tuple[int, ...]  # which columns they are, in increasing order


@dataclass(eq=False)
class OwnConditional:
    """The number of a row's own features given all else: Poisson, times how well the row then fits.

    Parameters
    ----------
    terms : dict of str to list of float
        Logarithms for 0, 1, 2... own features: of the Poisson probability, and of the density of the row.
    shared : int
        How many columns other rows have.
    """

    terms: dict[str, list[float]]
    shared: int
    # the number in [0, 1) that picked the count that was drawn last
    uniform: float | None = field(default=None, init=False)

    @property
    def probabilities(self) -> np.ndarray:
        """Probability of 0, 1, 2... own features."""
        return Conditional(self.terms).probabilities

    def log_density(self, value: OwnFeatures) -> float:
        """Return the log probability of a count and of the columns of the features, up to a constant."""
        return Conditional(self.terms).log_weights[value.number] - _log_choices(
            self.shared + value.number, value.number
        )

    def draw(self, rng: np.random.Generator) -> OwnFeatures:
        """Draw the count, and columns for the features, so that the order of the columns stays random."""
        self.uniform = rng.random()
        own = Conditional(self.terms).pick(self.uniform)
        if not own:
            return OwnFeatures(0, ())
        return OwnFeatures(own, tuple(sorted(rng.permutation(self.shared + own)[:own].tolist())))


@dataclass(eq=False)
class VariancesConditional:
    """σ_x and σ_a given the matrix: loadings are drawn given both, then both given the loadings, which are dropped.

    Parameters
    ----------
    data, matrix : numpy.ndarray
        X, shape (N, D), and Z, shape (N, K).
    noise, spread : float
        As they are.
    noise_prior, spread_prior : tuple of float or None
        Shape and scale of the inverse-gamma prior of σ_x², and of σ_a²; None of what stays as it is.
    """

    data: np.ndarray
    matrix: np.ndarray
    noise: float
    spread: float
    noise_prior: Prior | None
    spread_prior: Prior | None
    loadings: np.ndarray | None = field(default=None, init=False)  # A, shape (K, D), that the last draw went through

    def log_density(self, value: tuple[float, float]) -> float:
        """Return log p(σ_x², σ_a² | Z, X) up to a constant."""
        return log_likelihood(self.data, self.matrix, *value) + self.log_prior(*value)

    def log_prior(self, noise: float, spread: float) -> float:
        """Return the log density of the variances that have a prior, at their standard deviations."""
        pairs = ((self.noise_prior, noise), (self.spread_prior, spread))
        return math.fsum(_log_inverse_gamma(prior, value**2) for prior, value in pairs if prior is not None)

    def draw(self, rng: np.random.Generator) -> tuple[float, float]:
        """Draw the loadings, and then what has a prior; what has none stays."""
        noise, spread = self.noise, self.spread
        self.loadings = draw_loadings(self.data, self.matrix, noise, spread, rng)
        if self.noise_prior is not None:
            noise = _deviation(self.noise_prior, self.data - self.matrix @ self.loadings, rng)
        if self.spread_prior is not None:
            spread = _deviation(self.spread_prior, self.loadings, rng)
        return noise, spread


@dataclass(frozen=True)
class GammaConditional:
    """A Gamma distribution, of shape and rate above 0: the concentration given the number of features."""

    shape: float
    rate: float

    def log_density(self, value: float) -> float:
        """Return the log density."""
        normaliser = self.shape * math.log(self.rate) - math.lgamma(self.shape)
        return normaliser + (self.shape - 1) * math.log(value) - self.rate * value

    def draw(self, rng: np.random.Generator) -> float:
        """Draw a concentration."""
        return max(rng.gamma(self.shape, 1 / self.rate), np.finfo(float).tiny)  # a very small one must not become 0


def _deviation(prior: Prior, residuals: np.ndarray, rng: np.random.Generator) -> float:
    """Draw a standard deviation given numbers that have it, by the inverse-gamma prior of its square."""
    shape, scale = prior[0] + residuals.size / 2, prior[1] + float((residuals**2).sum()) / 2
    return math.sqrt(scale / rng.gamma(shape))


def _log_inverse_gamma(prior: Prior, value: float) -> float:
    shape, scale = prior
    return shape * math.log(scale) - math.lgamma(shape) - (shape + 1) * math.log(value) - scale / value


def _log_choices(total: int, chosen: int) -> float:
    return math.lgamma(total + 1) - math.lgamma(chosen + 1) - math.lgamma(total - chosen + 1)
