"""How many components? The best fit, a penalty for what it cost, and the exact evidence, for K = 1, 2, ...

The evidence is the probability of the data with labels, weights and parameters all integrated out: a sum over all
partitions of the points, at most 8 of them. The best fit is the maximum of the likelihood by EM.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above, whole_from
from samplers.conjugate import Family, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior, partitions

STEPS = 400  # of EM from each start, at most
STILL = 1e-10  # in a step: the log likelihood moves no more


def log_evidence(data: ArrayLike, family: Family, class_prior: float, most: int) -> np.ndarray:
    """Return log p(data | K) of finite mixtures with K = 1, ..., most components, shape (most,).

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; N from 1 to 8.
    family : Family
        The prior of a component's parameters.
    class_prior : float
        Pseudo-count a of each component, above 0: the weights have a Dirichlet(a, ..., a) prior.
    most : int
        The largest K.

    Raises
    ------
    ValueError
        If there are more than 8 points, or if a setting is out of range.

    Notes
    -----
    A sum over partitions of the probability that K components make it (`log_seating`) times the marginal density of
    each group's points. That density is what a Chinese restaurant's joint has besides its seating.
    """
    joint = exact_posterior(data, family, 1.0)
    sizes = [np.bincount(partition) for partition in joint.partitions]
    points = len(joint.partitions[0])
    restaurant = [special.gammaln(each).sum() - math.lgamma(points + 1) for each in sizes]
    fit = joint.log_joint - restaurant
    rows = (
        [log_seating(each, components, class_prior) for each in sizes]
        for components in range(1, whole_from("most", most, 1) + 1)
    )
    return np.array([special.logsumexp(fit + seating) for seating in rows])


def log_seating(sizes: ArrayLike, components: int, class_prior: float) -> float:
    """Return the log probability that K components with these pseudo-counts make one partition, whatever their names.

    Parameters
    ----------
    sizes : array_like
        How many points each group has, shape (groups,).
    components : int
        K.
    class_prior : float
        a, above 0.

    Returns
    -------
    float
        log [K! / (K - k)! Γ(Ka) / Γ(Ka + N) Π Γ(n_c + a) / Γ(a)] for k groups; minus infinity for more than K.

    Notes
    -----
    Gershman & Blei (2012), appendix; with a = α/K and K growing it becomes the Chinese restaurant's.
    """
    counts, a = np.asarray(sizes), finite_above("class_prior", class_prior, 0)
    if len(counts) > components:
        return -math.inf
    names = math.lgamma(components + 1) - math.lgamma(components - len(counts) + 1)
    total = components * a
    drawn = float((special.gammaln(counts + a) - math.lgamma(a)).sum())
    return names + math.lgamma(total) - math.lgamma(total + counts.sum()) + drawn


def best_fit(data: ArrayLike, family: NormalKnownVariance, components: int) -> float:
    """Return the maximum of the log likelihood over weights and means of a mixture with known variance.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; N from 1 to 8.
    family : NormalKnownVariance
        Its variance counts alone.
    components : int
        K, from 1 to N.

    Raises
    ------
    ValueError
        If there are more than 8 points, or fewer points than components.

    Notes
    -----
    EM from every partition of the points into K groups (Dempster, Laird & Rubin 1977). With a variance of its own for
    each component there would be no maximum: one that closes in on a single point fits without bound.
    """
    rows = family.rows(data)
    if not 1 <= whole_from("components", components, 1) <= len(rows):
        raise ValueError(f"components must be at most the {len(rows)} points, got {components}")
    starts = np.array([each for each in partitions(len(rows)) if max(each) + 1 == components])
    shares = (starts[:, :, None] == np.arange(components)).astype(float)  # (starts, N, K)
    total = np.zeros(len(starts))
    for _ in range(STEPS):
        counts = shares.sum(axis=1)
        means = np.einsum("snk,nd->skd", shares, rows) / np.maximum(counts, 1e-300)[:, :, None]
        distance = ((rows[None, :, None] - means[:, None]) ** 2).sum(axis=3)
        with np.errstate(divide="ignore"):
            terms = np.log(counts / len(rows))[:, None] - distance / (2 * family.variance)
        each = special.logsumexp(terms, axis=2, keepdims=True)
        shares, before, total = np.exp(terms - each), total, each.sum(axis=(1, 2))
        if np.abs(total - before).max() < STILL:
            break
    constant = 0.5 * rows.size * math.log(2 * math.pi * family.variance)
    return float(total.max() - constant)


def bic(log_likelihood: float, points: int, components: int, dimension: int) -> float:
    """Return the Bayesian information criterion, -2 log L + p log N: the smaller, the better.

    It counts p = KD means and K - 1 weights (Schwarz 1978).
    """
    return -2 * log_likelihood + (components * (dimension + 1) - 1) * math.log(points)
