"""The linear-Gaussian model's knowledge of one row's bits, with the loadings integrated out.

Taken out of the sums over all rows, a row x with bits z is Normal given the others: its mean is z E with E = M B, its
variance in every column σ_x² (1 + z M z'). Here M is the inverse of Z'Z + σ_x²/σ_a² I and B = Z'X, over the other rows
alone. To take a row out, or to put it in, changes M by a product of two vectors (Sherman & Morrison 1950).
"""

from operator import add, sub
from typing import NamedTuple

import numpy as np


class LoadingSums(NamedTuple):
    """The parts of the posterior of the loadings, by feature."""

    inverse: np.ndarray  # M, shape (K, K)
    cross: np.ndarray  # b = Z'X, shape (K, D)
    counts: np.ndarray  # how many rows have each feature, shape (K,)

    @classmethod
    def of(cls, matrix: np.ndarray, data: np.ndarray, ratio: float) -> "LoadingSums":
        """Sum over all rows afresh; the ratio is σ_x²/σ_a²."""
        bits = matrix.astype(float)
        inverse = np.linalg.inv(bits.T @ bits + ratio * np.eye(bits.shape[1]))
        return cls(inverse, bits.T @ data, bits.sum(axis=0))

    def without(self, bits: np.ndarray, x: np.ndarray) -> "LoadingSums":
        """Take a row out."""
        change = self.inverse @ bits
        inverse = self.inverse + change[:, None] * (change / (1 - bits @ change))
        return LoadingSums(inverse, self.cross - bits[:, None] * x, self.counts - bits)

    def plus(self, bits: np.ndarray, x: np.ndarray) -> "LoadingSums":
        """Add a row."""
        change = self.inverse @ bits
        inverse = self.inverse - change[:, None] * (change / (1 + bits @ change))
        return LoadingSums(inverse, self.cross + bits[:, None] * x, self.counts + bits)

    def only(self, columns: np.ndarray) -> "LoadingSums":
        """Drop features; exact for those that no row has, on which nothing else depends."""
        return LoadingSums(self.inverse[np.ix_(columns, columns)], self.cross[columns], self.counts[columns])

    def among(self, columns: np.ndarray, ratio: float) -> "LoadingSums":
        """Set these features in the places that a mask of shape (K,) shows, and features that no row has elsewhere."""
        places, size = np.flatnonzero(columns), len(columns)
        inverse, cross, counts = np.eye(size) / ratio, np.zeros((size, self.cross.shape[1])), np.zeros(size)
        inverse[np.ix_(places, places)] = self.inverse
        cross[places], counts[places] = self.cross, self.counts
        return LoadingSums(inverse, cross, counts)


class LiftedRow:
    """A row that has been taken out, and the shared features that it may have: those that another row has.

    Parameters
    ----------
    row : int
        Its number.
    features : list of int
        Names of the shared features, in their order.
    own : int
        How many features only this row has.
    bits : numpy.ndarray
        Of the shared features, shape (K,).
    x : numpy.ndarray
        The row, shape (D,).
    sums : LoadingSums
        Of the shared features over all other rows.

    Attributes
    ----------
    counts : list of float
        How many other rows have each shared feature.
    spread : float
        z M z': how uncertain the row's mean is, in units of σ_x².
    misfit : float
        |x - z E|².

    Notes
    -----
    A bit that is turned changes both by sums over the features alone, whatever D is.
    """

    def __init__(
        self, row: int, features: list[int], own: int, bits: np.ndarray, x: np.ndarray, sums: LoadingSums
    ) -> None:
        mean = sums.inverse @ sums.cross
        gram, dots = mean @ mean.T, mean @ x
        spreads, towards = sums.inverse @ bits, gram @ bits
        self.row, self.features, self.own, self.sums = row, features, own, sums
        self.places = {feature: place for place, feature in enumerate(features)}
        self.bits: list[int] = bits.astype(int).tolist()
        self.counts: list[float] = sums.counts.tolist()
        self._inverse, self._gram, self._dots = sums.inverse.tolist(), gram.tolist(), dots.tolist()
        self._spreads, self._towards = spreads.tolist(), towards.tolist()
        self.spread = float(bits @ spreads)
        self.misfit = float(x @ x - 2 * bits @ dots + bits @ towards)

    def turned(self, place: int) -> tuple[float, float]:
        """Return spread and misfit as they would be if a bit were turned."""
        sign = -2 if self.bits[place] else 2
        return (
            self.spread + sign * self._spreads[place] + self._inverse[place][place],
            self.misfit + sign * (self._towards[place] - self._dots[place]) + self._gram[place][place],
        )

    def set(self, place: int, bit: int) -> None:
        """Turn a bit on or off."""
        if self.bits[place] == bit:
            return
        self.spread, self.misfit = self.turned(place)
        self.bits[place] = bit
        change = add if bit else sub
        self._spreads = list(map(change, self._spreads, self._inverse[place]))
        self._towards = list(map(change, self._towards, self._gram[place]))
