"""Convergence diagnostics, and total variation distance to a known posterior.

Nothing here looks at the name of a table: what goes in is a number that each sweep has (K, the log joint) or which
partition it is. R-hat and effective sample sizes are those of arviz-stats, after Vehtari, Gelman, Simpson, Carpenter &
Bürkner (2021, Rank-normalization, folding, and localization: an improved R-hat for assessing convergence of MCMC,
Bayesian Analysis 16).

The distance is total variation throughout: the most by which two distributions differ in the probability of any event.
"""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.enumerated import stationary
from samplers.partitions import partitions

FEWEST_DRAWS = 4  # of a chain, for arviz-stats to say anything
FEWEST_OF_PART = 10  # draws of each part that R-hat compares: shorter ones rest at different values by chance
TAILS = (0.05, 0.95)
MOST_SWEEPS = 10**12


@dataclass(frozen=True)
class Diagnosis:
    """Convergence diagnostics of one quantity; None where the draws allow no estimate."""

    # rank-normalised split R-hat, the larger of bulk and tail (Vehtari et al. 2021, section 4); good is below 1.01.
    # Infinite if the chains, or the parts of one, rest at different values.
    rhat: float | None
    # ess_bulk, ess_tail: as many independent draws would say as much about the middle, and about the 5 % and 95 %
    # quantiles
    ess_bulk: float | None
    ess_tail: float | None
    mcse_mean: float | None  # monte-Carlo standard error of the mean
    draws: int  # of all chains together
    chains: int  # how many there are

    @property
    def too_few(self) -> bool:
        """Whether the chains are too short for an effective sample size or an error."""
        return self.draws < FEWEST_DRAWS * max(self.chains, 1)

    @property
    def too_few_for_rhat(self) -> bool:
        """Whether the chains are too short for an R-hat."""
        return self.draws < FEWEST_OF_PART * _parts_of(self.chains) * max(self.chains, 1)


def diagnose(chains: ArrayLike) -> Diagnosis:
    """Return R-hat, effective sample sizes and the standard error of the mean.

    Parameters
    ----------
    chains : array_like
        One number for each sweep, shape (chains, draws), or (draws,) for one chain.

    Returns
    -------
    Diagnosis
        All None if a chain has fewer than 4 draws, if a draw is not finite, or if all draws are the same. ``ess_tail``
        is None if 95 % of the draws are at the largest value: then neither tail has anything to vary. ``rhat`` is None
        if the parts that it compares have fewer than 10 draws each.

    Raises
    ------
    ValueError
        If there are more than two axes.

    Examples
    --------
    >>> diagnose([[1, 2, 1, 3, 2, 2], [2, 2, 3, 1, 2, 1]]).draws
    12
    >>> diagnose([[1, 1, 1, 1, 1, 1]])
    Diagnosis(rhat=None, ess_bulk=None, ess_tail=None, mcse_mean=None, draws=6, chains=1)

    Notes
    -----
    R-hat splits every chain in two, so that a chain that drifts disagrees with itself: two chains are four parts.
    arviz-stats needs two chains at least. One chain is given to it as two halves, which it splits once more: R-hat then
    compares four quarters. R's `posterior` compares the two halves: of 400 independent draws of which the last quarter
    lies a standard deviation higher, it says 1.06 on average, and this 1.12.
    """
    values = _as_chains(chains).astype(float)
    nothing = Diagnosis(None, None, None, None, values.size, len(values))
    if nothing.too_few or not values.size or not np.isfinite(values).all() or not np.ptp(values):
        return nothing
    stats = _array_stats()
    has_tails = np.quantile(values, TAILS[0]) < values.max()
    return Diagnosis(
        rhat=None if nothing.too_few_for_rhat else _rhat(values),
        ess_bulk=_known(stats.ess(values, method="bulk")),
        ess_tail=_known(stats.ess(values, method="tail", prob=TAILS)) if has_tails else None,
        mcse_mean=_known(stats.mcse(values, method="mean")),
        draws=values.size,
        chains=len(values),
    )


def _rhat(values: np.ndarray) -> float | None:
    """Return R-hat; infinite, and not 10¹⁶ by rounding, if each part of a chain rests, and not all at one value."""
    compared = values if len(values) > 1 else _halves(values)
    parts = parts_of(values)
    for bulk_or_tail in (parts, np.abs(parts - np.median(parts))):
        if np.ptp(bulk_or_tail) and not np.ptp(bulk_or_tail, axis=1).any():
            return np.inf
    with np.errstate(divide="ignore", invalid="ignore"):  # parts that have no tails
        return _known(_array_stats().rhat(compared))


def parts_of(chains: np.ndarray) -> np.ndarray:
    """Return the parts that R-hat compares: the halves of several chains, or the quarters of one.

    Those of the first halves come first, shape (parts, draws).
    """
    return _halves(chains if len(chains) > 1 else _halves(chains))


def _halves(chains: np.ndarray) -> np.ndarray:
    """Return the first halves of chains and then the second, without a draw in the middle."""
    half = chains.shape[1] // 2
    return np.vstack([chains[:, :half], chains[:, -half:]])


def _parts_of(chains: int) -> int:
    """Return how many parts R-hat makes of each chain."""
    return 2 if chains > 1 else 4


def frequencies_with_error(draws: ArrayLike, values: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """Return how often each value occurs in a run, and the Monte-Carlo standard error of that: shapes (values,).

    Parameters
    ----------
    draws : array_like
        Integers such as K, or the partition's index, of each sweep: shape (chains, draws), or (draws,) for one chain.
    values : sequence of int
        Whose shares are asked for.

    Raises
    ------
    ValueError
        If there is no draw, or if there are more than two axes.

    Notes
    -----
    The error is the standard deviation of Jeffreys's posterior of a probability, Beta(n f + 1/2, n (1 - f) + 1/2), with
    the effective size n of the series of "is it this value?" for the number of draws. With many draws that is
    √(f (1 - f) / n); but a value that has never come, or always, does not get the error 0. The series of such a value
    gives no n: it is taken to be the smallest that the other values have. In a run that has not moved at all, or has
    fewer than 4 sweeps, each chain counts as one draw.

    Two errors on either side cover the truth in about 95 % of runs; for a value with five effective visits, in 88 %.
    """
    chains = _as_chains(draws)
    if not chains.size:
        raise ValueError("frequencies need at least one draw")
    indicators = chains == np.asarray(values)[:, None, None]
    frequencies: np.ndarray = indicators.mean(axis=(1, 2))
    size = _indicator_sizes(chains, indicators)
    centre = (size * frequencies + 0.5) / (size + 1)
    return frequencies, np.sqrt(centre * (1 - centre) / (size + 2))


def _indicator_sizes(chains: np.ndarray, indicators: np.ndarray) -> np.ndarray:
    """Return the effective size of each series of "is it this value?", as `frequencies_with_error` explains."""
    found, counts = np.unique(chains, return_counts=True)
    sizes = np.full(len(indicators), float(len(chains)))
    if len(found) > 1 and chains.shape[1] >= FEWEST_DRAWS:
        indicators = np.concatenate([indicators, [chains == found[counts.argmax()]]])  # one that is sure to vary
        varies = np.ptp(indicators.astype(np.int8), axis=(1, 2)) > 0
        known = _array_stats().ess(indicators[varies].astype(float), method="mean")
        sizes[:] = known.min()
        sizes[varies[:-1]] = known[:-1]
    return sizes


def partition_ids(assignments: ArrayLike) -> np.ndarray:
    """Return each sweep's partition as its place in `samplers.partitions.partitions`, shape (sweeps,).

    Parameters
    ----------
    assignments : array_like
        Labels, shape (sweeps, N) with N from 1 to 8; only who sits together counts.

    Raises
    ------
    ValueError
        If the shape is another.

    Examples
    --------
    >>> partition_ids([[4, 4, 0], [2, 1, 0]])
    array([1, 4])
    >>> partitions(3)[1], partitions(3)[4]
    ((0, 0, 1), (0, 1, 2))
    """
    labels = np.asarray(assignments)
    if labels.ndim != 2:
        raise ValueError(f"assignments must have the shape (sweeps, points), got {labels.shape}")
    return np.searchsorted(_codes_of_all(labels.shape[1]), _codes(labels))


@cache
def _codes_of_all(points: int) -> np.ndarray:
    return _codes(np.array(partitions(points)))


def _codes(labels: np.ndarray) -> np.ndarray:
    """Return one number for each row: the first point that each point sits with, as digits.

    A restricted growth string that comes later has the larger number, as its labels are in the order of the first.
    """
    first = (labels[:, :, None] == labels[:, None, :]).argmax(axis=2)
    points = labels.shape[1]
    return first @ points ** np.arange(points)[::-1]


def error_to_truth(draws: ArrayLike, probabilities: ArrayLike, at: ArrayLike) -> np.ndarray:
    """Return how far the frequencies of the first draws are from the truth, in total variation, of the shape of ``at``.

    Parameters
    ----------
    draws : array_like
        Integers from 0, shape (draws,): K, or the index of the partition.
    probabilities : array_like
        The exact distribution, shape (values,): of K = 0..N, or of the partitions.
    at : array_like
        After how many draws, integers from 1, of any shape.

    Raises
    ------
    ValueError
        If a draw has no probability in the list, if ``at`` goes beyond the draws, or if probabilities do not sum to 1.

    Notes
    -----
    The distance is the sum of count / s - p over the values for which that is positive. After each visit to a value it
    is positive until s reaches count / p or the value is visited again, and both numbers stay the same until then. So
    each visit enters and leaves two running sums once; no table of counts by draws is needed.
    """
    distribution, series, when = _as_distribution(probabilities), np.asarray(draws), np.asarray(at)
    if series.ndim != 1 or not series.size or series.min() < 0 or series.max() >= len(distribution):
        raise ValueError(f"draws must be one or more integers from 0 to {len(distribution) - 1} in one row")
    if when.size and not 1 <= when.min() <= when.max() <= len(series):
        raise ValueError(f"at must lie between 1 and {len(series)}, the number of draws")
    order = np.argsort(series, kind="stable")
    sorted_series, place = series[order], np.arange(len(series))
    count = 1 + place - np.searchsorted(sorted_series, sorted_series)
    enters = 1 + order
    same_next = np.append(sorted_series[1:] == sorted_series[:-1], False)
    next_visit = np.where(same_next, np.roll(enters, -1), len(series) + 1)
    mass = distribution[sorted_series]
    leaves = np.minimum(next_visit, np.ceil(count / np.maximum(mass, 1e-300)))
    leaves = np.maximum(leaves, enters).astype(np.intp)

    def running(weights: np.ndarray) -> np.ndarray:
        change = np.bincount(enters, weights, len(series) + 2) - np.bincount(leaves, weights, len(series) + 2)
        return change.cumsum()

    return np.maximum(running(count)[when] / when - running(mass)[when], 0.0)


def noise_floor(probabilities: ArrayLike, effective_draws: ArrayLike) -> np.ndarray:
    """Return the expected total variation distance between a distribution and n draws from it, of the shape of n.

    Parameters
    ----------
    probabilities : array_like
        The distribution, shape (values,).
    effective_draws : array_like
        n, the number of independent draws, of any shape; rounded down, but to no less than 1.

    Raises
    ------
    ValueError
        If the probabilities do not sum to 1.

    Notes
    -----
    Half the sum of E|X / n - p|, X ~ Binomial(n, p), which with m = ⌊n p⌋ is exactly
    2 / n · (m + 1) C(n, m + 1) p^(m + 1) (1 - p)^(n - m): De Moivre (1730), in Diaconis & Zabell (1991, Closed form
    summation for classical distributions, Statistical Science 6). For large n p it is √(2 p (1 - p) / (π n)).

    A chain has another effective size for each of its values; one n for all of them is an approximation.
    """
    distribution = _as_distribution(probabilities)
    distribution = distribution[(distribution > 0) & (distribution < 1)]  # the others are never off
    n = np.maximum(np.floor(np.asarray(effective_draws, float)), 1.0)[..., None]
    m = np.floor(n * distribution)
    log_ways = special.gammaln(n + 1) - special.gammaln(m + 1) - special.gammaln(n - m)
    log_mean = log_ways - np.log(n) + (m + 1) * np.log(distribution) + (n - m) * np.log1p(-distribution)
    return np.exp(log_mean).sum(axis=-1)


def effective_draws_per_sweep(matrix: np.ndarray) -> float:
    """Return how many independent draws one sweep is worth, for frequencies, in a long run.

    The more a sweep resembles the one before, the fewer. The matrix says where a sweep leads, shape (states, states):
    see `samplers.crp.exact_partitions.sweep_matrix`.

    Notes
    -----
    The variance of a state's frequency over that of independent draws is (2 Z_kk - p_k - 1) / (1 - p_k), where p is the
    stationary distribution, Z = (I - P + 1 pᵀ)⁻¹ the fundamental matrix (Kemeny & Snell 1960, Finite Markov Chains,
    section 4.6). What is returned makes `noise_floor` right on average over the states, as far as it is a normal one.
    """
    distribution = stationary(matrix)
    fundamental = np.linalg.inv(np.eye(len(distribution)) - matrix + distribution)
    independent = distribution * (1 - distribution)
    variance = np.maximum(distribution * (2 * np.diag(fundamental) - distribution - 1), 0.0)
    return float((np.sqrt(np.maximum(independent, 0.0)).sum() / np.sqrt(variance).sum()) ** 2)


def sweeps_to_separate(wrong: ArrayLike, right: ArrayLike, efficiency: float = 1.0) -> int | None:
    """Return the number of sweeps until a biased sampler's error exceeds the noise floor.

    None if the two distributions are one, or closer than 10¹² sweeps can show.

    Parameters
    ----------
    wrong, right : array_like
        The distribution that the rule ends up in, and the true one: shape (values,), of partitions or of K.
    efficiency : float, optional
        Effective draws per sweep of the slower of the two samplers; see `effective_draws_per_sweep`.

    Raises
    ------
    ValueError
        If probabilities do not sum to 1, if they are not of one length, or if the efficiency is not above 0.

    Notes
    -----
    From n effective draws on, the distance between the distributions is at least `noise_floor` of the right one plus
    2 / √n. The distance of a sample from the truth is noise_floor on average if the rule is right, and at least the
    distance of the distributions (by Jensen's inequality) if it is wrong. In either case one draw more or less moves it
    by 1 / n at most, so that its standard deviation is at most 1 / (2 √n) (Efron & Stein 1981; Boucheron, Lugosi &
    Massart 2013, Concentration Inequalities, corollary 3.2). So the two are four such deviations apart: a line halfway,
    two above the floor, has nearly all runs of the right rule below it and nearly all of the wrong rule above.
    """
    wrong, right = _as_distribution(wrong), _as_distribution(right)
    if wrong.shape != right.shape:
        raise ValueError(f"the two distributions must be of one length, got {len(wrong)} and {len(right)}")
    efficiency = finite_above("efficiency", efficiency, 0)
    distance = np.abs(wrong - right).sum() / 2

    def apart(sweeps: int) -> bool:
        draws = sweeps * efficiency
        return bool(distance >= noise_floor(right, draws) + 2 / np.sqrt(draws))

    return bisect_left(range(MOST_SWEEPS), True, 1, key=apart) if apart(MOST_SWEEPS) else None


def _array_stats() -> Any:
    """Return arviz-stats' functions on plain arrays, which need NumPy and SciPy alone.

    They are imported when they are first asked for: they bring scipy.stats with them, and take 0.4 s. xarray and pandas
    come with them only where xarray is installed, for which this project has no use.
    """
    from arviz_stats.base.array import array_stats

    return array_stats


def _as_chains(draws: ArrayLike) -> np.ndarray:
    chains = np.atleast_2d(np.asarray(draws))
    if chains.ndim != 2:
        raise ValueError(f"a run must have the shape (chains, draws), got {chains.shape}")
    return chains


def _as_distribution(probabilities: ArrayLike) -> np.ndarray:
    distribution = np.asarray(probabilities, float)
    if distribution.ndim != 1 or not np.isclose(distribution.sum(), 1.0, atol=1e-6) or distribution.min() < -1e-9:
        raise ValueError("probabilities must be 0 or more, in one row, and sum to 1")
    return distribution.clip(0.0, 1.0)  # a distribution solved for may be below 0 by rounding


def _known(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)
