"""How many factors a few rows have: the posterior of their number in sparse factor analysis, with its error."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from samplers.buffet.exact import harmonic
from samplers.buffet.loadings import as_table
from samplers.checks import finite_above

DRAWS = 20_000


@dataclass(frozen=True, eq=False)
class NumberOfFactors:
    """An estimate of the posterior of the number of factors."""

    # shares, errors: probabilities of 0, 1, 2... factors, and their standard errors, shape (numbers,).
    shares: np.ndarray
    errors: np.ndarray


def number_of_factors(
    data: ArrayLike, concentration: float, noise: float, slab: float, draws: int = DRAWS, seed: int = 0
) -> NumberOfFactors:
    """Estimate how probable each number of factors is, by draws from the prior that the data weigh.

    Parameters
    ----------
    data : array_like
        Y, shape (N, D); only for a few rows are the weights even enough.
    concentration, noise, slab : float
        As for `samplers.buffet.spike_slab.SpikeAndSlab`.
    draws : int, optional
        How many draws of loadings.
    seed : int, optional
        Of the draws.

    Raises
    ------
    ValueError
        As there.

    Notes
    -----
    The number of factors is Poisson with mean α (1 + 1/2 + ... + 1/N), and their columns of Z are independent: one with
    m ones has a probability proportional to (N - m)! (m - 1)! / N! (Griffiths & Ghahramani 2011, section 4.4). Given
    the loadings, each column of the data is Normal with covariance G G' + σ² I. All numbers of factors share their
    draws, a column more for each, so that the errors are those of a ratio.
    """
    table, rng = as_table(data), np.random.default_rng(seed)
    alpha, noise = finite_above("concentration", concentration, 0), finite_above("noise", noise, 0)
    slab = finite_above("slab", slab, 0)
    rows, columns = table.shape
    rate = alpha * harmonic(rows)
    most = math.ceil(rate + 6 * math.sqrt(rate) + 6)
    sizes = 1 + rng.choice(rows, (draws, most), p=1 / np.arange(1, rows + 1) / harmonic(rows))
    scatter, covariance = table @ table.T, np.tile(noise**2 * np.eye(rows), (draws, 1, 1))
    logs = np.empty((draws, most + 1))
    for number in range(most + 1):
        _, log_size = np.linalg.slogdet(covariance)
        squares = np.einsum("sij,ij->s", np.linalg.inv(covariance), scatter)
        log_prior = number * math.log(rate) - math.lgamma(number + 1)
        logs[:, number] = log_prior - 0.5 * (columns * log_size + squares)
        if number < most:
            ranks = rng.permuted(np.tile(np.arange(rows), (draws, 1)), axis=1)
            column = slab * rng.standard_normal((draws, rows)) * (ranks < sizes[:, number, None])
            covariance = covariance + column[:, :, None] * column[:, None, :]
    weights = np.exp(logs - logs.max())
    totals = weights.sum(axis=1)
    shares = weights.sum(axis=0) / totals.sum()
    errors = np.sqrt(((weights - shares * totals[:, None]) ** 2).sum(axis=0)) / totals.sum()
    return NumberOfFactors(shares, errors)
