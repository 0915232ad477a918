"""Exact posterior over all partitions of at most 8 points, and the transition matrix of a sweep."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above, finite_from
from samplers.conjugate import Family
from samplers.crp.facts import relabel
from samplers.crp.mixture import CRPMixture
from samplers.enumerated import Enumerated, transitions
from samplers.partitions import Partition, partitions


@dataclass(frozen=True, eq=False)
class ExactPosterior(Enumerated):
    """The posterior over every partition of the data."""

    partitions: tuple[Partition, ...]  # restricted growth strings
    # log p(data, partition) of each, with all constants; the concentration is integrated out if it has a prior
    log_joint: np.ndarray

    @property
    def table_counts(self) -> np.ndarray:
        """The posterior probability of K = 0..N tables, shape (N + 1,)."""
        labels = np.array(self.partitions)
        return np.bincount(labels.max(axis=1) + 1, self.probabilities, labels.shape[1] + 1)

    @property
    def co_clustering(self) -> np.ndarray:
        """The posterior probability that two points sit together, shape (N, N)."""
        labels = np.array(self.partitions)
        together = labels[:, :, None] == labels[:, None, :]
        return np.tensordot(self.probabilities, together, axes=1)


def exact_posterior(
    data: ArrayLike,
    family: Family,
    concentration: float | None = None,
    *,
    concentration_prior: tuple[float, float] | None = None,
) -> ExactPosterior:
    """Return the posterior over all partitions of a CRP mixture.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; N from 1 to 8.
    family : Family
        The prior of a cluster's parameters.
    concentration : float, optional
        α, above 0, if it is known.
    concentration_prior : tuple of float, optional
        Otherwise the shape (from 0.001) and rate (above 0) of its Gamma prior.

    Raises
    ------
    ValueError
        If there are more than 8 points, a setting is out of range, the family does not accept the data, or not exactly
        one of concentration and prior is given.

    Notes
    -----
    p(data, partition) is the seating's probability (Gershman & Blei 2012, section 2.2, equation 8) times the marginal
    density of each table's points.
    """
    rows = family.rows(data)
    if (concentration is None) == (concentration_prior is None):
        raise ValueError("exactly one of concentration and concentration_prior must be given")
    weights = seating_weights(len(rows), concentration, concentration_prior)
    return posterior_of_tables(weights, lambda members: family.cluster(rows[members]).log_marginal())


def posterior_of_tables(weights: np.ndarray, log_marginal: Callable[[list[int]], float]) -> ExactPosterior:
    """Return the posterior over all partitions from `seating_weights` and the log marginal density of a table's points.

    The density is asked for by the places of the points. They are a subset of the data, and each subset is computed
    once.
    """

    @cache
    def fit(members: Partition) -> float:
        return math.lgamma(len(members)) + log_marginal(list(members))  # with log (size - 1)!, of the seating

    every, log_joint = partitions(len(weights) - 1), []
    for partition in every:
        tables = [tuple(i for i, label in enumerate(partition) if label == k) for k in range(max(partition) + 1)]
        log_joint.append(weights[len(tables)] + math.fsum(map(fit, tables)))
    return ExactPosterior(every, np.array(log_joint))


def seating_weights(
    points: int, concentration: float | None, concentration_prior: tuple[float, float] | None
) -> np.ndarray:
    """Return log E[α^K Γ(α) / Γ(α + N)] for K = 0..N tables, shape (N + 1,).

    With a prior, the expectation is a sum over equal steps of log α. The integrand is analytic and falls off
    exponentially on both sides, so the trapezoidal rule gives all digits (Trefethen & Weideman 2014, The exponentially
    convergent trapezoidal rule).
    """
    tables = np.arange(points + 1)[:, None]
    if concentration_prior is None:
        assert concentration is not None
        log_alpha = np.array([math.log(finite_above("concentration", concentration, 0))])
        log_prior = np.zeros(1)
    else:
        shape, rate = concentration_prior
        shape, rate = finite_from("prior shape", shape, 1e-3, math.inf), finite_above("prior rate", rate, 0)
        low = min(0.0, math.log(shape / rate)) - 50 / shape - 10 / math.sqrt(shape)
        high = math.log((shape + points + 10 * math.sqrt(shape + points) + 50) / rate)
        log_alpha, spacing = np.linspace(
            low, high, math.ceil((high - low) * 5 * math.sqrt(1 + shape + points)), retstep=True
        )
        log_prior = shape * (log_alpha + math.log(rate)) - rate * np.exp(log_alpha) - math.lgamma(shape)
        log_prior += math.log(spacing)
    # Γ(α) / Γ(α + N) as one over a product, all of whose factors but the first stay away from 0 when α is tiny
    others = np.log(np.exp(log_alpha) + np.arange(1, points)[:, None]).sum(axis=0)
    with_tables = (tables - 1) * log_alpha - others + log_prior
    return special.logsumexp(with_tables, axis=1)


def concentration_density(exact: ExactPosterior, prior: tuple[float, float], concentrations: ArrayLike) -> np.ndarray:
    """Return the posterior density of the concentration at some values, shape (values,).

    Parameters
    ----------
    exact : ExactPosterior
        The exact posterior with this prior.
    prior : tuple of float
        The shape and rate of the concentration's Gamma prior.
    concentrations : array_like
        The values, above 0, shape (values,).

    Notes
    -----
    Given the number of tables K, α does not depend on the data: its density is the prior density times
    α^K Γ(α) / Γ(α + N), normalised (Escobar & West 1995, section 6). The result is its average over the posterior of K.
    """
    alphas, points = np.asarray(concentrations, float), len(exact.partitions[0])
    shape, rate = prior
    log_prior = shape * math.log(rate) + (shape - 1) * np.log(alphas) - rate * alphas - math.lgamma(shape)
    seated = special.gammaln(alphas) - special.gammaln(alphas + points)
    weights = seating_weights(points, None, prior)
    tables = np.arange(1, points + 1)
    given = np.exp(log_prior + seated + tables[:, None] * np.log(alphas) - weights[1:, None])
    return exact.table_counts[1:] @ given


def sweep_matrix(sampler: CRPMixture) -> np.ndarray:
    """Return the exact transition matrix of a sweep, from the row's partition to the column's.

    The shape is (partitions, partitions), in the order of `partitions`, and rows sum to 1.

    Parameters
    ----------
    sampler : CRPMixture
        The right rule or a wrong one, with a known concentration, on at most 8 points (in practice about 5, as the time
        grows with the square of the number of partitions).

    Raises
    ------
    ValueError
        If there are more than 8 points, or if the concentration has a prior, since its values cannot be listed.
    """
    if sampler.concentration_prior is not None:
        raise ValueError("the concentration must be known: one that is redrawn has no finite list of values")
    return transitions(sampler, partitions(len(sampler.data)), lambda labels: tuple(relabel(labels).tolist()))
