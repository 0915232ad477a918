"""The Dirichlet distribution of log probabilities, and the probability of counts with the probabilities integrated out.

Everything is kept as logarithms. With a prior of 0.01 a probability of 1e-400 is nothing rare, and it is 0 as a float.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import special


class Dirichlet:
    """One Dirichlet distribution, or several independent ones, of the logarithms of probabilities.

    Parameters
    ----------
    pseudo_counts : numpy.ndarray
        Above 0, shape (..., options): one distribution for each row.
    """

    def __init__(self, pseudo_counts: np.ndarray) -> None:
        self.pseudo_counts = pseudo_counts

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw log probabilities, of the shape of the pseudo-counts.

        They are Gamma variates over their sum, and a Gamma variate of shape a is one of shape a + 1 times U^(1/a)
        (Devroye 1986, Non-Uniform Random Variate Generation, section IX.3.5), a product of which the logarithm is taken
        before it can underflow.
        """
        shape = self.pseudo_counts
        logs = np.log(rng.standard_gamma(shape + 1)) - rng.standard_exponential(shape.shape) / shape
        logs -= logs.max(axis=-1, keepdims=True)
        return logs - np.log(np.exp(logs).sum(axis=-1, keepdims=True))

    def log_density(self, log_probabilities: ArrayLike) -> float:
        """Return the log density of probabilities (not of their logarithms), all rows together.

        Their logarithms have the shape of the pseudo-counts.
        """
        exponents = (self.pseudo_counts - 1) * np.asarray(log_probabilities)
        return float(exponents.sum() - _log_beta(self.pseudo_counts).sum())

    def log_mean(self) -> np.ndarray:
        """Return the logarithms of the expected probabilities, of the shape of the pseudo-counts."""
        return np.log(self.pseudo_counts / self.pseudo_counts.sum(axis=-1, keepdims=True))

    def expected_logs(self) -> np.ndarray:
        """Return the expected logarithms of the probabilities, of the shape of the pseudo-counts."""
        return special.digamma(self.pseudo_counts) - special.digamma(self.pseudo_counts.sum(axis=-1, keepdims=True))

    def divergence(self, other: "Dirichlet") -> float:
        """Return KL(this‖other) in nats, all rows together."""
        away = ((self.pseudo_counts - other.pseudo_counts) * self.expected_logs()).sum()
        return float(away + (_log_beta(other.pseudo_counts) - _log_beta(self.pseudo_counts)).sum())


def log_marginal_of_counts(counts: ArrayLike, prior: np.ndarray) -> np.ndarray:
    """Return the log probability of draws in a given order that have these counts, probabilities integrated out.

    Gelman et al. (2013, Bayesian Data Analysis), section 3.4, without the multinomial coefficient. Of the shape of the
    counts without the last axis.

    Parameters
    ----------
    counts : array_like
        How often each option has come, shape (..., options).
    prior : numpy.ndarray
        Pseudo-counts, shape (options,).
    """
    return _log_beta(prior + np.asarray(counts)) - _log_beta(prior)


def _log_beta(pseudo_counts: np.ndarray) -> np.ndarray:
    return special.gammaln(pseudo_counts).sum(axis=-1) - special.gammaln(pseudo_counts.sum(axis=-1))
