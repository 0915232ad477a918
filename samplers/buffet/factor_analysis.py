"""Factor analysis with a fixed number of factors, and two point estimates of the same picture: PCA and ICA.

X = F A + ε: row n is the sum of K loadings, weighed by the row's factors. Where features are there or not, a factor is
there more or less. Factors are standard Normal, loadings Normal with standard deviation σ_a, and noise has σ_x:
Gershman & Blei (2012, A tutorial on Bayesian nonparametric models), section 3.1, with a prior for the loadings too.

A factor has no name: turn factors and loadings by the same rotation, and neither prior nor likelihood change. Only sums
such as F A mean anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.buffet.loadings import LOG_2PI, as_table
from samplers.checks import finite_above, whole_from
from samplers.recipe import GibbsSampler

FACTORS, LOADINGS = "factors", "loadings"  # the names of the blocks
ROUNDS, CLOSE = 500, 1e-10  # of the fixed-point steps of ICA at most, and when a direction has come to rest


class Factors(NamedTuple):
    """Factors of rows, and their loadings.

    Attributes
    ----------
    factors, loadings : numpy.ndarray
        F, shape (N, K), and A, shape (K, D).
    """

    factors: np.ndarray
    loadings: np.ndarray

    @property
    def sums(self) -> np.ndarray:
        """What they add up to, F A, shape (N, D)."""
        return self.factors @ self.loadings

    def rotated(self, rotation: ArrayLike) -> Factors:
        """Return the same sums from other factors, by an orthogonal matrix of shape (K, K).

        Raises
        ------
        ValueError
            If the matrix is not orthogonal.
        """
        turn = np.asarray(rotation, float)
        size = len(self.loadings)
        if turn.shape != (size, size) or not np.allclose(turn @ turn.T, np.eye(size)):
            raise ValueError(f"rotation must be an orthogonal matrix of shape ({size}, {size}), got {rotation!r}")
        return Factors(self.factors @ turn, turn.T @ self.loadings)


class FactorState:
    """Factors and loadings, each of which a sweep redraws in one block.

    Attributes
    ----------
    factors, loadings : numpy.ndarray
        As in `Factors`.
    """

    __slots__ = ("factors", "loadings")

    def __init__(self, factors: np.ndarray, loadings: np.ndarray) -> None:
        self.factors, self.loadings = factors, loadings

    def copy(self) -> FactorState:
        """Return a state that can change while this one stays as it is; the arrays are replaced, never changed."""
        return FactorState(self.factors, self.loadings)


@dataclass(frozen=True, eq=False)
class NormalColumns:
    """Columns that are independent and Normal, each with its mean and all with the same precision.

    Parameters
    ----------
    mean, precision : numpy.ndarray
        Shapes (K, columns) and (K, K).
    """

    mean: np.ndarray
    precision: np.ndarray

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw all columns, shape (K, columns)."""
        root = np.linalg.cholesky(self.precision)
        return self.mean + np.linalg.solve(root.T, rng.standard_normal(self.mean.shape))

    def log_density(self, value: np.ndarray) -> float:
        """Return the log density of all columns."""
        off = value - self.mean
        log_scale = np.linalg.slogdet(self.precision)[1] - len(off) * LOG_2PI
        return float(0.5 * (off.shape[1] * log_scale - (off * (self.precision @ off)).sum()))


class FactorAnalysis(GibbsSampler[FactorState]):
    """Factor analysis, sampled in two blocks: all factors given the loadings, and all loadings given the factors.

    Parameters
    ----------
    data : array_like
        X, shape (N, D): finite, at least one row and one column; centred, if a mean is not to be a factor.
    factors : int
        K, from 1.
    noise, spread : float
        σ_x and σ_a, above 0.

    Raises
    ------
    TypeError
        If factors is no integer.
    ValueError
        If a setting is out of range, or if the data are no finite table.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> line = np.outer([-2, -1, 0, 1, 2], [1.0, 2.0])
    >>> state = Chain(FactorAnalysis(line, 1, noise=0.1, spread=1.0), seed=1)[20]
    >>> bool(np.abs(state.factors @ state.loadings - line).max() < 0.4)
    True
    """

    def __init__(self, data: ArrayLike, factors: int, noise: float, spread: float) -> None:
        self.data = as_table(data)
        self.size = whole_from("factors", factors, 1)
        self.noise, self.spread = finite_above("noise", noise, 0), finite_above("spread", spread, 0)

    def init(self, rng: np.random.Generator) -> FactorState:
        """Return factors and loadings drawn from their priors."""
        rows, columns = self.data.shape
        factors = rng.standard_normal((rows, self.size))
        return FactorState(factors, self.spread * rng.standard_normal((self.size, columns)))

    def sites(self, state: FactorState) -> Iterator[str]:
        """Yield both blocks."""
        yield from (FACTORS, LOADINGS)

    def forget(self, state: FactorState, site: str) -> None:
        """Do nothing: each block is drawn from the other alone."""

    def score(self, state: FactorState, site: str) -> NormalColumns:
        """Return the conditional of the factors, with a column for each row of the data, or of the loadings."""
        if site == FACTORS:
            return self._given(state.loadings.T, self.data.T, 1.0)
        return self._given(state.factors, self.data, 1 / self.spread**2)

    def remember(self, state: FactorState, site: str, value: Any) -> None:
        """Set a block."""
        if site == FACTORS:
            state.factors = value.T
        else:
            state.loadings = value

    def log_joint(self, state: FactorState) -> float:
        """Return log p(X, F, A)."""
        parts = (
            (self.data - state.factors @ state.loadings, self.noise),
            (state.factors, 1.0),
            (state.loadings, self.spread),
        )
        return math.fsum(_log_normal(values, scale) for values, scale in parts)

    def _given(self, known: np.ndarray, data: np.ndarray, prior: float) -> NormalColumns:
        """Return the posterior of the weights of a regression of each column of the data on what is known."""
        precision = prior * np.eye(self.size) + known.T @ known / self.noise**2
        return NormalColumns(np.linalg.solve(precision, known.T @ data) / self.noise**2, precision)


def pca(data: ArrayLike, factors: int) -> Factors:
    """Return the principal components: of all sums of so many factors the nearest to the data, in squares.

    Factors have mean square 1 and are uncorrelated; loadings are orthogonal, the longest first, with a largest number
    that is positive.

    Parameters
    ----------
    data : array_like
        X, shape (N, D), with the mean of each column at 0 if that is to be left out.
    factors : int
        K, from 1 to the smaller of N and D.

    Raises
    ------
    ValueError
        If there are not so many.
    """
    table = as_table(data)
    if not 1 <= whole_from("factors", factors, 1) <= min(table.shape):
        raise ValueError(f"factors must be at most {min(table.shape)}, got {factors}")
    left, lengths, right = np.linalg.svd(table, full_matrices=False)
    scale = math.sqrt(len(table))
    return _signed(scale * left[:, :factors], (lengths[:factors, None] / scale) * right[:factors])


def ica(data: ArrayLike, factors: int) -> Factors:
    """Return independent components: the rotation of the principal ones whose factors are least Normal.

    Symmetric FastICA with tanh (Hyvärinen 1999, Fast and robust fixed-point algorithms for independent component
    analysis), from the principal components as they are: the same data give the same answer.

    Parameters
    ----------
    data, factors
        As for `pca`.

    Raises
    ------
    ValueError
        As there, or if a principal component has no length.
    """
    white = pca(data, factors)
    if (np.linalg.norm(white.loadings, axis=1) < 1e-12 * np.abs(as_table(data)).max()).any():
        raise ValueError(f"the data have fewer than {factors} principal components")
    turn = np.eye(factors)
    for _ in range(ROUNDS):
        outputs = np.tanh(white.factors @ turn)
        target = white.factors.T @ outputs / len(outputs) - turn * (1 - outputs**2).mean(axis=0)
        left, _, right = np.linalg.svd(target)
        before, turn = turn, left @ right
        if np.abs(np.abs((before * turn).sum(axis=0)) - 1).max() < CLOSE:
            break
    return _signed(*white.rotated(turn))


def _signed(factors: np.ndarray, loadings: np.ndarray) -> Factors:
    """Turn signs so that the largest number of each factor's loadings is positive."""
    place = np.abs(loadings).argmax(axis=1)
    signs = np.where(loadings[np.arange(len(loadings)), place] < 0, -1.0, 1.0)
    return Factors(factors * signs, loadings * signs[:, None])


def _log_normal(values: np.ndarray, scale: float) -> float:
    size = values.size
    return float(-0.5 * (size * LOG_2PI + (values**2).sum() / scale**2) - size * math.log(scale))
