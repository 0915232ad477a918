"""The mixture of K Normal components that fits best, by EM; and what it is worth on points that it has not seen."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import whole_from
from samplers.conjugate import NormalKnownVariance
from samplers.mixtures.finite import nearest_seed
from samplers.partitions import MOST_POINTS, partitions

STEPS = 200  # of EM from each start, at most
TOLERANCE = 1e-6  # change of log likelihood at which EM stops
STARTS = 10  # of EM, where not all groupings can be tried
FOLDS = 5


@dataclass(frozen=True, eq=False)
class FittedMixture:
    """A mixture of Normal components with one known variance."""

    log_likelihood: float  # of the points that it was fitted to
    log_weights: np.ndarray  # shape (K,)
    means: np.ndarray  # shape (K, D)
    variance: float  # of a point about its component's mean, in each coordinate

    def log_density(self, data: np.ndarray) -> np.ndarray:
        """Return the log density of points, shape (N, D), each; shape (N,)."""
        terms = _terms(data, self.log_weights[None], self.means[None], self.variance)
        return special.logsumexp(terms[0], axis=1)


def best_fit(data: ArrayLike, family: NormalKnownVariance, components: int) -> FittedMixture:
    """Return the maximum of the likelihood over weights and means of a mixture with known variance.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension.
    family : NormalKnownVariance
        Only its variance is used.
    components : int
        K, from 1 to N.

    Raises
    ------
    ValueError
        If there are fewer points than components.

    Notes
    -----
    EM (Dempster, Laird & Rubin 1977) from every partition of up to 8 points into K groups. Of more points it begins
    with 10 choices of K seeds far apart, and may miss the maximum. With a variance of its own for each component there
    would be no maximum: one that closes in on a single point fits without bound.
    """
    rows = family.rows(data)
    if not 1 <= whole_from("components", components, 1) <= len(rows):
        raise ValueError(f"components must be at most the {len(rows)} points, got {components}")
    shares = (_starts(rows, components)[:, :, None] == np.arange(components)).astype(float)  # (starts, N, K)
    total = np.zeros(len(shares))
    for _ in range(STEPS):
        counts = shares.sum(axis=1)
        means = shares.swapaxes(1, 2) @ rows / np.maximum(counts, 1e-300)[:, :, None]
        with np.errstate(divide="ignore"):
            log_weights = np.log(counts / len(rows))
        terms = _terms(rows, log_weights, means, family.variance)
        top = terms.max(axis=2, keepdims=True)
        each = top + np.log(np.exp(terms - top).sum(axis=2, keepdims=True))
        shares, before, total = np.exp(terms - each), total, each.sum(axis=(1, 2))
        if np.abs(total - before).max() < TOLERANCE:
            break
    best = int(total.argmax())
    return FittedMixture(float(total[best]), log_weights[best], means[best], family.variance)


def held_out(data: ArrayLike, family: NormalKnownVariance, components: int) -> float:
    """Return the log density of all points, each fifth of them by the best fit to the other four (cross-validation).

    Parameters
    ----------
    data, family, components
        As for `best_fit`; K at most the points that are left when a fifth of them is held out.
    """
    rows = family.rows(data)
    order = np.random.default_rng(0).permutation(len(rows))
    total = 0.0
    for fold in range(FOLDS):
        out = np.zeros(len(rows), bool)
        out[order[fold::FOLDS]] = True
        total += float(best_fit(rows[~out], family, components).log_density(rows[out]).sum())
    return total


def _starts(rows: np.ndarray, components: int) -> np.ndarray:
    """Return first labels, shape (starts, N)."""
    if len(rows) <= MOST_POINTS:
        return np.array([each for each in partitions(len(rows)) if max(each) + 1 == components])
    rng = np.random.default_rng(0)
    return np.array([nearest_seed(rows, components, rng) for _ in range(STARTS)])


def _terms(rows: np.ndarray, log_weights: np.ndarray, means: np.ndarray, variance: float) -> np.ndarray:
    """Return log weight + log density of each point in each component of each start, shape (starts, N, K)."""
    squares = ((rows[None, :, None] - means[:, None]) ** 2).sum(axis=3)
    constant = 0.5 * rows.shape[1] * math.log(2 * math.pi * variance)
    return log_weights[:, None] - squares / (2 * variance) - constant
