"""Predictions of a CRP mixture: the density of the next point, its probability of a new table, and sets of new points.

Gershman & Blei (2012, A tutorial on Bayesian nonparametric models), section 2.3, equation 9. Given a seating, the next
point is one more customer. Predictions are averages over seatings: over the sweeps of a chain, or over all partitions.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.conjugate import Family, Parameters
from samplers.crp.exact_partitions import exact_posterior, seating_weights
from samplers.crp.facts import relabel
from samplers.crp.mixture import CRPMixture, MixtureState


class Prediction(NamedTuple):
    """The next observation, averaged over seatings."""

    new: float  # the probability that it opens a table
    density: np.ndarray  # its density at the given points, shape (points,)


class NewPoints(NamedTuple):
    """A set of observations drawn from a state's predictive distribution."""

    points: np.ndarray  # shape (count, D)
    labels: np.ndarray  # the table id of each, shape (count,); tables that they open get the smallest free ids
    dishes: dict[int, Parameters]  # the parameters drawn for each of their tables


def predictive_density(sampler: CRPMixture, state: MixtureState, points: ArrayLike) -> np.ndarray:
    """Return the density of the next observation at points, given any state of the sampler: shape (points,).

    It sits at a table in use with probability count / (N + α), and at a new table with probability α / (N + α):
    Gershman & Blei (2012), section 2.3, equation 9.

    Parameters
    ----------
    points : array_like
        The points, shape (points, D), or (points,) in one dimension.

    Raises
    ------
    ValueError
        If the family does not accept the points.
    """
    density = state.concentration * np.exp(sampler.family.log_density(points))
    for cluster in state.clusters.values():
        density = density + cluster.count * np.exp(cluster.posterior().log_density(points))
    return density / (len(sampler.data) + state.concentration)


def average_prediction(
    sampler: CRPMixture, assignments: ArrayLike, concentrations: ArrayLike, points: ArrayLike
) -> Prediction:
    """Return the prediction of the next observation, averaged over the sweeps of a chain.

    Parameters
    ----------
    sampler : CRPMixture
        The sampler of the chain.
    assignments : array_like
        The labels after each sweep, shape (sweeps, N), with at least one sweep.
    concentrations : array_like
        α after each sweep, shape (sweeps,).
    points : array_like
        The points, shape (points, D), or (points,) in one dimension.

    Raises
    ------
    ValueError
        If the shapes do not match, or the family does not accept the points.
    """
    labels, alphas = np.asarray(assignments), np.asarray(concentrations, float)
    if labels.ndim != 2 or not labels.size or alphas.shape != labels.shape[:1]:
        raise ValueError(
            f"assignments and concentrations must be of the same sweeps, got {labels.shape} and {alphas.shape}"
        )
    size = len(sampler.data)
    new = float((alphas / (size + alphas)).mean())
    density = new * np.exp(sampler.family.log_density(points))
    seatings, which = np.unique([relabel(row) for row in labels], axis=0, return_inverse=True)
    at_old = np.bincount(which.ravel(), 1 / (size + alphas)) / len(alphas)  # small data return to the same seatings
    for seating, weight in zip(seatings, at_old.tolist(), strict=True):
        for cluster in sampler.state(seating).clusters.values():
            density = density + weight * cluster.count * np.exp(cluster.posterior().log_density(points))
    return Prediction(new, density)


def exact_prediction(
    data: ArrayLike,
    family: Family,
    points: ArrayLike,
    concentration: float | None = None,
    *,
    concentration_prior: tuple[float, float] | None = None,
) -> Prediction:
    """Return the prediction of the next observation, averaged over every partition of the data.

    Parameters
    ----------
    data, family, concentration, concentration_prior
        As for `samplers.crp.exact_partitions.exact_posterior`, with the same errors.
    points : array_like
        The points, shape (points, D), or (points,) in one dimension.

    Notes
    -----
    Each subset of the data is a table in many partitions, and its posterior is computed once. If the concentration has
    a prior, E[1 / (N + α)] and E[α / (N + α)] given K tables are ratios of seating weights, of N + 1 and N customers.
    """
    rows = family.rows(data)
    exact = exact_posterior(rows, family, concentration, concentration_prior=concentration_prior)
    now, then = (seating_weights(size, concentration, concentration_prior) for size in (len(rows), len(rows) + 1))
    subsets = (tuple(i for i in range(len(rows)) if code >> i & 1) for code in range(1, 2 ** len(rows)))
    new, at_table = 0.0, dict.fromkeys(subsets, 0.0)  # of every subset that is not empty
    for partition, probability in zip(exact.partitions, exact.probabilities.tolist(), strict=True):
        tables = max(partition) + 1
        new += probability * float(np.exp(then[tables + 1] - now[tables]))
        share = probability * float(np.exp(then[tables] - now[tables]))
        for table in range(tables):
            at_table[tuple(i for i, label in enumerate(partition) if label == table)] += share
    density = new * np.exp(family.log_density(points))
    for members, weight in at_table.items():
        posterior = family.cluster(rows[list(members)]).posterior()
        density = density + weight * len(members) * np.exp(posterior.log_density(points))
    return Prediction(new, density)


def draw_new_points(sampler: CRPMixture, state: MixtureState, count: int, rng: np.random.Generator) -> NewPoints:
    """Draw a number of further observations together, given any state of the sampler, which does not change.

    They come in one after the other: each joins a random earlier one, old or new, or opens a table with weight α. The
    parameters of each table are drawn once, from its posterior, or from the prior for a new table; all points at the
    table share them.
    """
    labels, seated = state.labels.copy(), len(state.labels)
    for dart in rng.random(count).tolist():
        place = int(dart * (len(labels) + state.concentration))
        # a new table gets the smallest id that is free
        labels.append(labels[place] if place < len(labels) else min({*range(len(labels) + 1)}.difference(labels)))
    drawn = np.array(labels[seated:], np.int64)
    points, dishes = np.empty((count, sampler.family.dimension)), {}
    for table in np.unique(drawn).tolist():
        cluster = state.clusters.get(table)
        dishes[table] = (cluster.posterior() if cluster else sampler.family).draw(rng)
        here = drawn == table
        points[here] = dishes[table].points(int(here.sum()), rng)
    return NewPoints(points, drawn, dishes)
