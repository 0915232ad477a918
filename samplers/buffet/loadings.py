"""The linear-Gaussian model of binary features: what a matrix says of rows and of loadings, and how likely it is.

Each row of X is the sum of the loadings of its features, with Normal noise of standard deviation σ_x in every number:
X = Z A + ε. The loadings A are Normal around 0 with standard deviation σ_a.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from samplers.buffet.exact import harmonic
from samplers.buffet.lifted import LoadingSums
from samplers.buffet.prior import IndianBuffet
from samplers.recipe import updates

LOG_2PI = math.log(2 * math.pi)


class Parts(NamedTuple):
    """Rows as sums: row n is about ``amounts[n] @ contents``."""

    names: list[int]  # names of the features or factors
    amounts: np.ndarray  # how much of each a row has, shape (N, K)
    contents: np.ndarray  # what an amount of 1 adds to the numbers of a row, shape (K, D)
    noise: float  # standard deviation of the noise


def log_likelihood(data: np.ndarray, matrix: np.ndarray, noise: float, spread: float) -> float:
    """Return log p(X | Z), loadings integrated out: each column of X is Normal with covariance σ_a² Z Z' + σ_x² I.

    Parameters
    ----------
    data, matrix : numpy.ndarray
        X, shape (N, D), and Z, shape (N, K).
    noise, spread : float
        σ_x and σ_a.

    Notes
    -----
    Griffiths & Ghahramani (2011), equation 26.
    """
    (rows, columns), features = data.shape, matrix.shape[1]
    bits = matrix.astype(float)
    precision = bits.T @ bits + (noise / spread) ** 2 * np.eye(features)
    cross = bits.T @ data
    misfit = float((data**2).sum() - (cross * np.linalg.solve(precision, cross)).sum())
    log_scales = (rows - features) * math.log(noise) + features * math.log(spread)
    log_determinant = float(np.linalg.slogdet(precision)[1])
    return -0.5 * (columns * (rows * LOG_2PI + 2 * log_scales + log_determinant) + misfit / noise**2)


def loadings_posterior(
    data: np.ndarray, matrix: np.ndarray, noise: float, spread: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean of the loadings given the matrix, shape (K, D), and the covariance of each column's, (K, K)."""
    sums = LoadingSums.of(matrix, data, (noise / spread) ** 2)
    return sums.inverse @ sums.cross, noise**2 * sums.inverse


def draw_loadings(
    data: np.ndarray, matrix: np.ndarray, noise: float, spread: float, rng: np.random.Generator
) -> np.ndarray:
    """Draw the loadings given the matrix, shape (K, D)."""
    mean, covariance = loadings_posterior(data, matrix, noise, spread)
    return mean + np.linalg.cholesky(covariance) @ rng.standard_normal(mean.shape)


def log_prior_of_matrix(matrix: np.ndarray, concentration: float) -> float:
    """Return the log probability of Z by the Indian buffet process, its columns being in a random order.

    Notes
    -----
    That of its left-ordered form (Griffiths & Ghahramani 2011, equation 14), over the number of orders that differ.
    """
    rows, features = matrix.shape
    counts = matrix.sum(axis=0, dtype=float)
    log_columns = gammaln(rows - counts + 1) + gammaln(counts) - math.lgamma(rows + 1)
    order = math.lgamma(features + 1)
    return features * math.log(concentration) - concentration * harmonic(rows) - order + float(log_columns.sum())


def draw_matrix(rows: int, concentration: float, rng: np.random.Generator) -> np.ndarray:
    """Draw Z from the Indian buffet process, columns in a random order: 0 or 1, shape (rows, K)."""
    buffet = IndianBuffet(concentration)
    state = buffet.init(rng)
    for _ in range(rows):
        list(updates(buffet, state, rng))
    return state.matrix[:, rng.permutation(len(state.counts))]


def as_table(data: ArrayLike) -> np.ndarray:
    """Return rows of numbers, shape (N, D), that cannot change.

    Raises
    ------
    ValueError
        If they are not a table of finite numbers with at least one row and one column.
    """
    table = np.array(data, float)
    if table.ndim != 2 or not table.size or not np.isfinite(table).all():
        raise ValueError(f"data must be a table of finite numbers, got shape {table.shape}")
    table.flags.writeable = False
    return table
