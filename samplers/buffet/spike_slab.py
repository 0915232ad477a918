"""Sparse factor analysis: a bit says whether a row loads on a factor, a weight how much; how many there are is open.

Row n of the data is the sum of the factors that it loads on, each times its weight, and Normal noise: Y = G X + ε with
G = Z ∘ W. Gershman & Blei (2012, A tutorial on Bayesian nonparametric models), section 3, equation 10, where a row is
an observed dimension and a column an observation. The mask Z has an Indian buffet process prior. Seen from one
loading, its prior is a *spike* at 0 and a Normal *slab*.

Nothing but the weight under a bit is integrated out: loadings and factors are part of the state, which is easier to
look at, and slower to move, than `samplers.buffet.linear_gaussian`.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from samplers.buffet.linear_gaussian import Bit, Own
from samplers.buffet.loadings import LOG_2PI, Parts, as_table, log_prior_of_matrix
from samplers.checks import finite_above
from samplers.recipe import Conditional, Distribution, GibbsSampler

FACTORS = "factors"  # the name of the block that redraws them


class SlabState:
    """Loadings and factors.

    Attributes
    ----------
    loadings : numpy.ndarray
        G, shape (N, K); where a row does not load on a factor, exactly 0. Every column has a number that is not.
    factors : numpy.ndarray
        X, shape (K, D).
    features : list of int, optional
        Names of the factors; 0, 1, 2... if left out. A new factor gets the smallest that is free, and keeps it as long
        as any row loads on it and as it is below K at the end of a sweep.
    """

    __slots__ = ("factors", "features", "loadings")

    def __init__(self, loadings: np.ndarray, factors: np.ndarray, features: list[int] | None = None) -> None:
        self.loadings = loadings
        self.factors = factors
        self.features = list(range(len(factors))) if features is None else features

    @property
    def matrix(self) -> np.ndarray:
        """Z, which row loads on which factor: 0 or 1, shape (N, K)."""
        return (self.loadings != 0).astype(np.int8)

    def copy(self) -> "SlabState":
        """Return an independent copy of the state."""
        return SlabState(self.loadings.copy(), self.factors.copy(), self.features.copy())


@dataclass(eq=False)
class SlabConditional:
    """One loading given all else: 0, or Normal.

    Parameters
    ----------
    terms : dict of str to list of float
        Logarithms for off and on, of how many other rows load on the factor, and of the density of the row, in which
        the weight is integrated out.
    mean, deviation : float
        Of the weight if it is on.
    """

    terms: dict[str, list[float]]
    mean: float
    deviation: float
    # the number in [0, 1) that picked off or on in the last draw
    uniform: float | None = field(default=None, init=False)

    @property
    def probabilities(self) -> np.ndarray:
        """Probability of off and on, shape (2,)."""
        return Conditional(self.terms).probabilities

    def log_density(self, value: float) -> float:
        """Return the log probability of 0, or the log density of another number."""
        off, on = Conditional(self.terms).log_weights
        return on + _log_normal((value - self.mean) ** 2, self.deviation**2) if value else off

    def draw(self, rng: np.random.Generator) -> float:
        """Draw the bit, and the weight if it is on."""
        self.uniform = rng.random()
        on = Conditional(self.terms).pick(self.uniform)
        return rng.normal(self.mean, self.deviation) if on else 0.0


@dataclass(eq=False)
class OwnLoadings:
    """A row's loadings on factors that no other row loads on: a Metropolis step, with these factors integrated out.

    Proposed is a draw from the prior, so that the ratio of the row's densities decides.

    Parameters
    ----------
    current : numpy.ndarray
        The loadings as they are, shape (number,).
    rate, slab, noise : float
        How many are expected; the standard deviation of a loading, and of the noise.
    residual : numpy.ndarray
        What the shared factors leave of the row, shape (D,).
    """

    current: np.ndarray
    rate: float
    slab: float
    noise: float
    residual: np.ndarray
    proposed: np.ndarray | None = field(default=None, init=False)  # what the last draw proposed
    accepted: bool = field(default=False, init=False)  # whether that was accepted

    def log_fit(self, loadings: np.ndarray) -> float:
        """Return the log density of what is left of the row, given these loadings."""
        variance = self.noise**2 + float(loadings @ loadings)
        return _log_normal(float(self.residual @ self.residual), variance, self.residual.size)

    def draw(self, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        """Return loadings, shape (number,), and their factors given them, shape (number, D)."""
        self.proposed = self.slab * rng.standard_normal(rng.poisson(self.rate))
        self.accepted = math.log(rng.random()) < self.log_fit(self.proposed) - self.log_fit(self.current)
        loadings = self.proposed if self.accepted else self.current
        variance = self.noise**2 + float(loadings @ loadings)
        factors = rng.standard_normal((loadings.size, self.residual.size))
        missed = self.residual - loadings @ factors - self.noise * rng.standard_normal(self.residual.size)
        return loadings, factors + np.outer(loadings, missed) / variance


@dataclass(frozen=True, eq=False)
class FactorsConditional:
    """All factors given the loadings: each column is Normal.

    Parameters
    ----------
    mean : numpy.ndarray
        Shape (K, D).
    precision : numpy.ndarray
        The inverse of each column's covariance, shape (K, K).
    """

    mean: np.ndarray
    precision: np.ndarray

    def log_density(self, value: np.ndarray) -> float:
        """Return the log density up to a constant."""
        off = value - self.mean
        return -0.5 * float((off * (self.precision @ off)).sum())

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Draw all factors, shape (K, D)."""
        root = np.linalg.cholesky(self.precision)
        return self.mean + np.linalg.solve(root.T, rng.standard_normal(self.mean.shape))


class SpikeAndSlab(GibbsSampler[SlabState]):
    """Factors of which each row loads on a few, sampled one loading at a time.

    Parameters
    ----------
    data : array_like
        Y, shape (N, D): finite, at least one row and one column.
    concentration : float
        α, above 0: how many factors a row is expected to load on.
    noise, slab : float
        Standard deviations of the noise and of a loading that is not 0, above 0; that of a factor is 1.

    Raises
    ------
    ValueError
        If a setting is out of range, or if the data are no finite table.

    Notes
    -----
    A sweep costs O(N K D) for the loadings and O(K³ + K² D) for the factors.
    """

    of_a_posterior = True
    others_with_it = "others with the feature"
    fit = "fit"

    def __init__(self, data: ArrayLike, concentration: float, noise: float, slab: float) -> None:
        self.data = as_table(data)
        self.concentration = finite_above("concentration", concentration, 0)
        self.noise, self.slab = finite_above("noise", noise, 0), finite_above("slab", slab, 0)

    def variables(self, state: SlabState) -> dict[str, Any]:
        """Return loadings and factors, by the factors' names from 0, how many there are, and the log joint."""
        size = max(state.features, default=-1) + 1
        loadings, factors = np.zeros((len(self.data), size)), np.zeros((size, self.data.shape[1]))
        loadings[:, state.features], factors[state.features] = state.loadings, state.factors
        return {
            "features": len(state.features),
            "loadings": loadings,
            "factors": factors,
            "log_joint": self.log_joint(state),
        }

    def parts(self, state: SlabState) -> Parts:
        """Return the rows as sums: loadings, times the factors."""
        return Parts(state.features, state.loadings, state.factors, self.noise)

    def init(self, rng: np.random.Generator) -> SlabState:
        """Return a state without factors."""
        return SlabState(np.zeros((len(self.data), 0)), np.zeros((0, self.data.shape[1])))

    def sites(self, state: SlabState) -> Iterator[Bit | Own | str]:
        """Yield, row by row, the loadings on shared factors and then the row's own; at last all factors.

        Once all have been visited, factors whose names are K or more get those below K that are free.
        """
        for row in range(len(self.data)):
            for column in np.flatnonzero(self._others(state, row)).tolist():
                yield Bit(row, state.features[column])
            yield Own(row)
        yield FACTORS
        number = len(state.features)
        free = (name for name in range(number) if name not in state.features)
        state.features = [name if name < number else next(free) for name in state.features]

    def forget(self, state: SlabState, site: Bit | Own | str) -> None:
        """Take a loading out; a row's own stay until they are drawn."""
        if isinstance(site, Bit):
            state.loadings[site.row, state.features.index(site.feature)] = 0.0

    def score(self, state: SlabState, site: Bit | Own | str) -> Distribution:
        """Return the conditional of a loading, of a row's own, or of all factors."""
        if isinstance(site, Bit):
            return self._loading(state, site)
        if isinstance(site, Own):
            return self._own(state, site.row)
        precision = state.loadings.T @ state.loadings / self.noise**2 + np.eye(len(state.factors))
        return FactorsConditional(np.linalg.solve(precision, state.loadings.T @ self.data / self.noise**2), precision)

    def remember(self, state: SlabState, site: Bit | Own | str, value: Any) -> None:
        """Set a loading, a row's own with their factors, or all factors."""
        if isinstance(site, Bit):
            state.loadings[site.row, state.features.index(site.feature)] = value
        elif isinstance(site, Own):
            self._give(state, site.row, *value)
        else:
            state.factors = value

    def log_joint(self, state: SlabState) -> float:
        """Return log p(Y, X, W, Z), with the columns of Z in a random order."""
        left, weights = self.data - state.loadings @ state.factors, state.loadings[state.loadings != 0]
        return (
            log_prior_of_matrix(state.matrix, self.concentration)
            + _log_normal(float((weights**2).sum()), self.slab**2, weights.size)
            + _log_normal(float((state.factors**2).sum()), 1.0, state.factors.size)
            + _log_normal(float((left**2).sum()), self.noise**2, left.size)
        )

    def _others(self, state: SlabState, row: int) -> np.ndarray:
        """Return how many other rows load on each factor, shape (K,)."""
        loads = state.loadings != 0
        return loads.sum(axis=0) - loads[row]

    def _loading(self, state: SlabState, site: Bit) -> SlabConditional:
        column = state.features.index(site.feature)
        rows, factor, variance = len(self.data), state.factors[column], self.noise**2
        others = int(np.count_nonzero(state.loadings[:, column]))  # the row's own has been taken out
        left = self.data[site.row] - state.loadings[site.row] @ state.factors
        certain = variance / self.slab**2  # what the prior knows of the weight, in squares of the factor
        known = float(factor @ factor) + certain
        mean = float(factor @ left) / known
        off = _log_normal(float(left @ left), variance, left.size)
        on = off + 0.5 * (math.log(certain / known) + mean**2 * known / variance)
        terms = {self.others_with_it: [math.log(rows - others), math.log(others)], self.fit: [off, on]}
        return SlabConditional(terms, mean, math.sqrt(variance / known))

    def _own(self, state: SlabState, row: int) -> OwnLoadings:
        shared = self._others(state, row) > 0
        left = self.data[row] - state.loadings[row, shared] @ state.factors[shared]
        rate = self.concentration / len(self.data)
        return OwnLoadings(state.loadings[row, ~shared], rate, self.slab, self.noise, left)

    def _give(self, state: SlabState, row: int, loadings: np.ndarray, factors: np.ndarray) -> None:
        shared = self._others(state, row) > 0
        kept = np.array_equal(loadings, state.loadings[row, ~shared])
        names = [name for name, other in zip(state.features, shared, strict=True) if other]
        own = [name for name in state.features if name not in names] if kept else []
        free = (name for name in count() if name not in names)
        columns = np.zeros((len(self.data), loadings.size))
        columns[row] = loadings
        state.features = names + (own or [next(free) for _ in loadings])
        state.loadings = np.hstack([state.loadings[:, shared], columns])
        state.factors = np.vstack([state.factors[shared], factors])


def _log_normal(squares: float, variance: float, numbers: int = 1) -> float:
    """Return the log density of independent Normal numbers, given the sum of their squares from the mean."""
    return -0.5 * (numbers * (LOG_2PI + math.log(variance)) + squares / variance)
