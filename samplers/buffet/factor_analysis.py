"""Factor analysis with a fixed number of factors, and two point estimates of the same picture: PCA and ICA.

All three write the data as Y = G X + ε with K columns in G (Gershman & Blei 2012, section 3, equation 10). Factor
analysis has a posterior, which does not change when the factors are turned: a rotation of the loadings and the opposite
one of the factors leave their product, and both priors, as they are. So no factor has a name. PCA takes the directions
of the largest variance, and ICA turns these until they look as little as possible like a Normal.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from samplers.buffet.loadings import as_table
from samplers.buffet.spike_slab import FactorsConditional, SlabState
from samplers.checks import finite_above, whole_from
from samplers.recipe import GibbsSampler

LOADINGS, FACTORS = "loadings", "factors"  # the names of the two blocks
MOST_TURNS = 500  # of ICA; more are a sign that the data look Normal whichever way they are turned
STARTS = 6  # of ICA
STILL = 1e-9
OF_A_NORMAL = 0.374567  # the mean of log cosh of a standard Normal


class FactorAnalysis(GibbsSampler[SlabState]):
    """Bayesian factor analysis: all loadings given the factors, then all factors given the loadings.

    Parameters
    ----------
    data, noise, slab
        As for `samplers.buffet.spike_slab.SpikeAndSlab`.
    factors : int
        K, from 1.

    Raises
    ------
    ValueError
        If a setting is out of range, or if the data are no finite table.
    """

    def __init__(self, data: ArrayLike, factors: int, noise: float, slab: float) -> None:
        self.data = as_table(data)
        self.factors = whole_from("factors", factors, 1)
        self.noise, self.slab = finite_above("noise", noise, 0), finite_above("slab", slab, 0)

    def init(self, rng: np.random.Generator) -> SlabState:
        """Draw loadings and factors from the prior."""
        rows, columns = self.data.shape
        loadings = self.slab * rng.standard_normal((rows, self.factors))
        return SlabState(loadings, rng.standard_normal((self.factors, columns)))

    def sites(self, state: SlabState) -> Iterator[str]:
        """Yield the two blocks."""
        yield from (LOADINGS, FACTORS)

    def forget(self, state: SlabState, site: str) -> None:
        """Do nothing: a block is drawn from what the other one says."""

    def score(self, state: SlabState, site: str) -> FactorsConditional:
        """Return the conditional of a block; that of the loadings is of their transpose, shape (K, N)."""
        if site == LOADINGS:
            return self._given(state.factors, self.data, self.slab)
        return self._given(state.loadings.T, self.data.T, 1.0)

    def remember(self, state: SlabState, site: str, value: np.ndarray) -> None:
        """Set a block."""
        if site == LOADINGS:
            state.loadings = value.T
        else:
            state.factors = value

    def log_joint(self, state: SlabState) -> float:
        """Return log p(Y, G, X), less what depends on neither loadings nor factors."""
        left = self.data - state.loadings @ state.factors
        squares = (left**2).sum() / self.noise**2 + (state.loadings**2).sum() / self.slab**2 + (state.factors**2).sum()
        return -0.5 * float(squares)

    def _given(self, known: np.ndarray, data: np.ndarray, deviation: float) -> FactorsConditional:
        """Return the conditional of the coefficients of rows of data on known rows, shape (K, rows of data)."""
        precision = known @ known.T / self.noise**2 + np.eye(self.factors) / deviation**2
        return FactorsConditional(np.linalg.solve(precision, known @ data.T / self.noise**2), precision)


def turned(state: SlabState, one: int, other: int, angle: float) -> SlabState:
    """Return loadings and factors with two factors turned into each other by an angle in radians: the product stays."""
    rotation = np.eye(len(state.factors))
    rotation[np.ix_([one, other], [one, other])] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    return SlabState(state.loadings @ rotation.T, rotation @ state.factors)


@dataclass(frozen=True, eq=False)
class Components:
    """Rows of data as a mean and a sum of components: as far as these go, ``mean + scores @ components``."""

    mean: np.ndarray  # shape (D,)
    scores: np.ndarray  # how much of each component a row has, shape (N, K), with mean 0
    components: np.ndarray  # shape (K, D); of each, the number that is farthest from 0 is positive


def principal_components(data: ArrayLike, number: int) -> Components:
    """Return the directions of the largest variance (PCA), the largest first: orthogonal and of length 1.

    Parameters
    ----------
    data : array_like
        Shape (N, D).
    number : int
        K, from 1 to the smaller of N - 1 and D.

    Raises
    ------
    ValueError
        If the data are no finite table, or have no such number of components.
    """
    table = as_table(data)
    most = min(len(table) - 1, table.shape[1])
    if not 1 <= whole_from("number", number, 1) <= most:
        raise ValueError(f"{table.shape[0]} rows of {table.shape[1]} numbers have at most {most} components")
    mean = table.mean(axis=0)
    left, lengths, right = np.linalg.svd(table - mean, full_matrices=False)
    return _signed(mean, left[:, :number] * lengths[:number], right[:number])


def independent_components(data: ArrayLike, number: int) -> Components:
    """Return components whose scores look as little as possible like a Normal (ICA), in no order that means anything.

    Scores have variance 1.

    Parameters
    ----------
    data : array_like
        Shape (N, D).
    number : int
        K, as in `principal_components`, in which it begins.

    Raises
    ------
    ValueError
        As there; and if the data vary in fewer directions.

    Notes
    -----
    FastICA with tanh, all components at once (Hyvärinen & Oja 2000, Independent component analysis: algorithms and
    applications, section 6). It can end at a saddle, so that it begins at the principal components and at some fixed
    rotations of them; what looks least like a Normal is kept (their equation 25).
    """
    principal = principal_components(data, number)
    deviations = principal.scores.std(axis=0)
    if deviations[-1] <= 1e-12 * deviations[0]:
        raise ValueError(f"the data vary in fewer than {number} directions")
    white = principal.scores / deviations
    turns = np.random.default_rng(0).standard_normal((STARTS - 1, number, number))
    rotations = [_still(white, start) for start in (np.eye(number), *map(_orthogonal, turns))]
    rotation = max(rotations, key=lambda rotation: _strangeness(white @ rotation.T))
    return _signed(principal.mean, white @ rotation.T, rotation @ (deviations[:, None] * principal.components))


def _still(white: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """Return the rotation at which FastICA no longer moves."""
    for _ in range(MOST_TURNS):
        bent = np.tanh(white @ rotation.T)
        before, slopes = rotation, (1 - bent**2).mean(axis=0)
        rotation = _orthogonal(bent.T @ white / len(white) - slopes[:, None] * rotation)
        if np.abs((rotation * before).sum(axis=1)).min() > 1 - STILL:
            break
    return rotation


def _strangeness(scores: np.ndarray) -> float:
    """Return how little scores of variance 1 look like Normals."""
    return float(((np.log(np.cosh(scores)).mean(axis=0) - OF_A_NORMAL) ** 2).sum())


def _orthogonal(matrix: np.ndarray) -> np.ndarray:
    left, _, right = np.linalg.svd(matrix)
    return left @ right


def _signed(mean: np.ndarray, scores: np.ndarray, components: np.ndarray) -> Components:
    farthest = np.abs(components).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), farthest])
    return Components(mean, scores * signs, components * signs[:, None])
