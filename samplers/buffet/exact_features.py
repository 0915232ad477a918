"""Exact posterior of binary features of a few rows: every left-ordered matrix is listed, up to a number of columns.

A class of matrices is a collection of columns, of which there are 2^N - 1 kinds that have a 1. With three rows and at
most eight columns there are 6,435 classes. What has more columns is left out, which is exact enough as soon as the
largest number of columns has hardly any probability.
"""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammaln

from samplers.buffet.exact import harmonic, left_ordered
from samplers.buffet.loadings import LOG_2PI, as_table
from samplers.checks import finite_above, whole_from
from samplers.enumerated import Enumerated

MOST_CLASSES = 60_000  # four rows and six columns are 54,264

Columns = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class ExactFeatures(Enumerated):
    """The posterior over every class of matrices with a limited number of columns."""

    # the columns of each, the largest first, read as binary numbers in which the first row counts most
    classes: tuple[Columns, ...]
    log_joint: np.ndarray  # log p(data, class) of each, with the loadings integrated out and nothing dropped

    @property
    def feature_counts(self) -> np.ndarray:
        """Posterior probability of 0, 1, 2... features, up to the largest number that is listed."""
        return np.bincount([len(columns) for columns in self.classes], self.probabilities)


def class_of(matrix: ArrayLike) -> Columns:
    """Return the class of a matrix, as `ExactFeatures` lists it: columns of zeros do not count."""
    ordered = left_ordered(matrix)
    return tuple((ordered.T @ (1 << np.arange(len(ordered))[::-1])).tolist())


def exact_features(data: ArrayLike, concentration: float, noise: float, spread: float, most: int) -> ExactFeatures:
    """Return the posterior over all classes with a limited number of columns.

    Parameters
    ----------
    data, concentration, noise, spread
        As for `samplers.buffet.linear_gaussian.LinearGaussian`.
    most : int
        The largest number of columns, from 0.

    Raises
    ------
    ValueError
        If there are more than 60,000 classes, or if a setting is out of range.
    """
    table, alpha = as_table(data), finite_above("concentration", concentration, 0)
    noise, spread = finite_above("noise", noise, 0), finite_above("spread", spread, 0)
    rows, kinds = len(table), 2 ** len(table) - 1
    if math.comb(kinds + whole_from("most", most, 0), most) > MOST_CLASSES:
        raise ValueError(f"at most {MOST_CLASSES:,} classes can be listed; {rows} rows with {most} columns have more")
    log_joint: list[float] = []
    classes: list[Columns] = []
    for features in range(most + 1):
        listed = list(combinations_with_replacement(range(kinds, 0, -1), features))
        classes += listed
        log_joint += (_log_prior(listed, rows, alpha) + _log_likelihood(listed, table, noise, spread)).tolist()
    return ExactFeatures(tuple(classes), np.array(log_joint))


def _log_prior(classes: list[Columns], rows: int, alpha: float) -> np.ndarray:
    """Griffiths & Ghahramani (2011), equation 14, of classes that have the same number of columns."""
    takers = np.array([0, *(kind.bit_count() for kind in range(1, 2**rows))])
    each = gammaln(rows - takers + 1) + gammaln(np.maximum(takers, 1)) - gammaln(rows + 1) + math.log(alpha)
    columns = np.array(classes, int)
    orders = [math.fsum(math.lgamma(alike + 1) for alike in Counter(kinds).values()) for kinds in classes]
    return each[columns].sum(axis=1) - orders - alpha * harmonic(rows)


def _log_likelihood(classes: list[Columns], data: np.ndarray, noise: float, spread: float) -> np.ndarray:
    """Each column of the data is Normal with covariance σ_a² Z Z' + σ_x² I."""
    rows, columns = data.shape
    covariance = spread**2 * _products(classes, rows) + noise**2 * np.eye(rows)
    misfits = (np.linalg.inv(covariance) * (data @ data.T)).sum(axis=(1, 2))
    return -0.5 * (columns * (rows * LOG_2PI + np.linalg.slogdet(covariance)[1]) + misfits)


def _products(classes: list[Columns], rows: int) -> np.ndarray:
    """Return Z Z' of each class, shape (classes, N, N)."""
    bits = np.arange(2**rows) >> np.arange(rows)[::-1, None] & 1
    product = np.einsum("ik,jk->kij", bits, bits)
    return np.array([product[list(columns)].sum(axis=0) for columns in classes], float)
