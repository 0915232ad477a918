"""Geweke's joint distribution test (2004, "Getting it right", JASA 99, section 3), and it for a CRP mixture.

Two ways lead to the joint distribution of concentration, labels and data. The first draws them from the top down, and
uses no sampler. The second moves back and forth: labels (and concentration) by one sweep of the sampler given the data,
then parameters from each table's posterior and new data given these. Every statistic must have the same mean in both;
an error in score, statistics, predictive, posterior draw or concentration drives the second way off, and the next data
drive it further.
"""

from collections.abc import Callable, Sequence

import numpy as np

from samplers.conjugate import Family, Normal, Parameters, Poisson, ProductParameters
from samplers.crp.mixture import CRPMixture
from samplers.recipe import updates

BATCHES = 50  # their means are near enough to independent: a batch is 100 times as long as a label stays the same
TOTAL = 4  # words in a row of counts


def seating(points: int, concentration: float, rng: np.random.Generator) -> np.ndarray:
    """Seat the points one by one: beside an earlier one, any with the same probability, or at a new table."""
    labels: list[int] = []
    for seated in range(points):
        dart = rng.random() * (seated + concentration)
        labels.append(labels[int(dart)] if dart < seated else len(set(labels)))
    return np.array(labels)


def points_of(parameters: Parameters, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw points, shape (size, D): of a Normal, or rows of counts with this total."""
    if isinstance(parameters, ProductParameters):
        return np.hstack([points_of(group, size, rng) for group in parameters.groups])
    if isinstance(parameters, Normal):
        noise = rng.standard_normal((size, parameters.mean.size))
        return parameters.mean + noise @ np.linalg.cholesky(parameters.covariance).T
    if isinstance(parameters, Poisson):
        return parameters.points(size, rng)
    return rng.multinomial(np.full(size, TOTAL), parameters.mean)


def new_data(parameters: dict, labels: np.ndarray, dimension: int, rng: np.random.Generator) -> np.ndarray:
    data = np.empty((len(labels), dimension))
    for table, distribution in parameters.items():
        members = np.flatnonzero(labels == table)
        data[members] = points_of(distribution, members.size, rng)
    return data


def statistics(data: Sequence[np.ndarray], labels: Sequence[np.ndarray], concentration: Sequence[float]) -> list:
    """Of all draws at once; bounded, so that they have all moments whatever the family; squashed where data are."""
    data, labels = np.array(data), np.array(labels)
    counts = (labels[:, :, None] == np.arange(labels.max() + 1)).sum(axis=1)
    tables, together = (counts > 0).sum(axis=1), labels[:, 0] == labels[:, 1]
    first, distance = data[:, 0], np.tanh(np.abs(data[:, 0] - data[:, 1]).sum(axis=1))
    return [
        tables,
        counts.max(axis=1),
        together,
        np.tanh(first[:, 0]),
        np.tanh(np.abs(first - data.mean(axis=1)).sum(axis=1)),
        distance,
        distance * together,
        np.tanh(np.ptp(data[:, :, 0], axis=1)) * tables,
        np.log(concentration),
    ]


def compare(
    from_the_top: Callable[[], tuple],
    move: Callable[..., tuple[tuple, tuple]],
    statistics: Callable[..., Sequence[np.ndarray]],
    iterations: int,
    *,
    afresh: bool = False,
) -> np.ndarray:
    """Standardised differences of the means of the two ways, one for each statistic that varies.

    Statistics are given all draws at once, which takes half of the time. A move returns what is looked at, before the
    data move (labels that fit them too well would be forgiven by new data), and what comes next. Afresh, each iteration
    starts from a new draw from the top: the sweeps must leave the joint distribution as it is. That is for long
    documents, of which the words and the labels hold each other fast for longer than any run.
    """
    drawn = from_the_top()
    moved = []
    for _ in range(iterations):
        seen, drawn = move(*(from_the_top() if afresh else drawn))
        moved.append(seen)
    ways = [from_the_top() for _ in range(iterations)], moved
    marginal, successive = (np.column_stack(statistics(*zip(*way, strict=True))).astype(float) for way in ways)
    batches = successive.reshape(BATCHES, -1, successive.shape[1]).mean(axis=1)
    variance = marginal.var(axis=0) / iterations + batches.var(axis=0, ddof=1) / BATCHES
    varies = variance > 1e-20
    return (successive.mean(axis=0) - marginal.mean(axis=0))[varies] / np.sqrt(variance[varies])


def z_scores(
    family: Family,
    rule: Callable[..., CRPMixture] = CRPMixture,
    *,
    points: int = 4,
    concentration: float = 1.0,
    prior: tuple[float, float] | None = None,
    iterations: int = 4_000,
    sweeps: int = 1,
    seed: int = 0,
) -> np.ndarray:
    rng = np.random.default_rng(seed)

    def from_the_top() -> tuple[np.ndarray, np.ndarray, float]:
        alpha = concentration if prior is None else rng.gamma(prior[0], 1 / prior[1])
        labels = seating(points, alpha, rng)
        parameters = {table: family.draw(rng) for table in np.unique(labels)}
        return new_data(parameters, labels, family.dimension, rng), labels, alpha

    def move(data: np.ndarray, labels: np.ndarray, alpha: float) -> tuple[tuple, tuple]:
        sampler = rule(data, family, alpha, concentration_prior=prior)
        state = sampler.state(labels)
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        labels, alpha = state.assignments, state.concentration
        parameters = {table: cluster.posterior().draw(rng) for table, cluster in state.clusters.items()}
        return (data, labels, alpha), (new_data(parameters, labels, family.dimension, rng), labels, alpha)

    return compare(from_the_top, move, statistics, iterations)
