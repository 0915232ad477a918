"""The limit of a finite mixture: with weights from Dirichlet(α/K, ..., α/K) it becomes a CRP mixture as K grows.

Weights and parameters are integrated out, and clusters have no names: what is compared is who is together.
"""

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, whole_from
from samplers.conjugate import Family
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.facts import log_joint_of_counts
from samplers.mixtures.how_many import log_seating


def exact_finite(data: ArrayLike, family: Family, components: int, concentration: float) -> ExactPosterior:
    """Return the posterior over all partitions of a mixture of K components with pseudo-counts α/K.

    Parameters
    ----------
    data : array_like
        Points, shape (N, D), or (N,) if the family has one dimension; N from 1 to 8.
    family : Family
        The prior of a component's parameters.
    components : int
        K, from 1.
    concentration : float
        α, above 0.

    Raises
    ------
    ValueError
        If there are more than 8 points, or if a setting is out of range.

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
    """Return the probability that 0, 1, ..., N of K components are in use before any point has been looked at.

    Parameters
    ----------
    points : int
        N, from 1.
    concentration : float
        α, above 0.
    components : int, optional
        K, from 1; without it, the Chinese restaurant, which is the limit.

    Returns
    -------
    numpy.ndarray
        Shape (N + 1,).

    Notes
    -----
    Points come one by one: with k in use, the next one takes an empty component with probability
    (K - k)(α/K) / (n + α), which becomes α / (n + α).
    """
    alpha, size = finite_above("concentration", concentration, 0), whole_from("points", points, 1)
    used = np.arange(size + 1)
    left = (
        np.ones(size + 1) if components is None else np.maximum(0, 1 - used / whole_from("components", components, 1))
    )
    found = np.zeros(size + 1)
    found[0] = 1
    for seated in range(size):
        opens = found * alpha * left / (seated + alpha)
        found = found - opens
        found[1:] += opens[:-1]
    return found
