"""The number of components: the exact evidence for K = 1, 2, ..., and BIC's penalty for the parameters of the best fit.

The evidence is the probability of the data with labels, weights and parameters all integrated out: a sum over all
partitions of the points, at most 8 of them. Beyond that `samplers.mixtures.annealed` estimates it.

With weights from Dirichlet(α/K, ..., α/K) a finite mixture becomes a CRP mixture as K grows. Clusters have no names
there: what is compared is who is together.
"""

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above, whole_from
from samplers.conjugate import Family
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.facts import log_joint_of_counts


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
    fit, seating = _listed(exact_posterior(data, family, 1.0), class_prior, whole_from("most", most, 1))
    return special.logsumexp(fit + seating, axis=1)


def exact_unknown_number(
    data: ArrayLike, family: Family, number_prior: ArrayLike, class_prior: float
) -> ExactPosterior:
    """Return the posterior over all partitions of a mixture whose number of components has a prior.

    Parameters
    ----------
    data, family, class_prior
        As for `log_evidence`.
    number_prior : array_like
        Probabilities of K = 1, ..., M, shape (M,).

    Notes
    -----
    It adds up the finite mixtures one by one, where `samplers.mixtures.unknown_number` has them in one coefficient.
    """
    joint, prior = exact_posterior(data, family, 1.0), np.asarray(number_prior, float)
    fit, seating = _listed(joint, class_prior, len(prior))
    return ExactPosterior(joint.partitions, fit + special.logsumexp(seating, axis=0, b=prior[:, None]))


def _listed(joint: ExactPosterior, class_prior: float, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the log marginal density of each partition's groups, and the log probability that K make it, (K, S)."""
    sizes = [np.bincount(partition) for partition in joint.partitions]
    points = len(joint.partitions[0])
    restaurant = [special.gammaln(each).sum() - math.lgamma(points + 1) for each in sizes]
    seating = [[log_seating(each, number, class_prior) for each in sizes] for number in range(1, most + 1)]
    return joint.log_joint - restaurant, np.array(seating)


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


def bic(log_likelihood: float, points: int, components: int, dimension: int) -> float:
    """Return the Bayesian information criterion, -2 log L + p log N: the smaller, the better.

    It counts p = KD means and K - 1 weights (Schwarz 1978).
    """
    return -2 * log_likelihood + (components * (dimension + 1) - 1) * math.log(points)


def exact_finite(data: ArrayLike, family: Family, components: int, concentration: float) -> ExactPosterior:
    """Return the posterior over all partitions of a mixture of K components with pseudo-counts α/K.

    Parameters
    ----------
    data, family
        As for `log_evidence`, as are the errors.
    components : int
        K, from 1.
    concentration : float
        α, above 0.

    Notes
    -----
    The joint of a CRP mixture, with its seating exchanged for that of K components (Gershman & Blei 2012, appendix;
    Neal 2000, section 2).
    """
    exact = exact_posterior(data, family, concentration)
    pseudo_count = concentration / whole_from("components", components, 1)
    sizes = [np.bincount(partition).tolist() for partition in exact.partitions]
    seating = [
        log_seating(each, components, pseudo_count) - log_joint_of_counts(each, concentration, 0.0) for each in sizes
    ]
    return ExactPosterior(exact.partitions, exact.log_joint + seating)


def in_use(points: int, concentration: float, components: int | None = None) -> np.ndarray:
    """Return the probability that 0, 1, ..., N of K components are in use before points are looked at, shape (N + 1,).

    Parameters
    ----------
    points : int
        N, from 1.
    concentration : float
        α, above 0.
    components : int, optional
        K, from 1; without it, the Chinese restaurant, which is the limit.

    Notes
    -----
    Points come one by one: with k in use, the next one takes an empty component with probability
    (K - k)(α/K) / (n + α), which becomes α / (n + α).
    """
    alpha, size = finite_above("concentration", concentration, 0), whole_from("points", points, 1)
    used = np.arange(size + 1)
    left = np.ones(size + 1)
    if components is not None:
        left = np.maximum(0, 1 - used / whole_from("components", components, 1))
    found = np.zeros(size + 1)
    found[0] = 1
    for seated in range(size):
        opens = found * alpha * left / (seated + alpha)
        found = found - opens
        found[1:] += opens[:-1]
    return found
