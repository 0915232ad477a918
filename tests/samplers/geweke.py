"""Geweke's joint distribution test (2004, "Getting it right", JASA 99, section 3) for a CRP mixture of any family.

Two ways lead to the joint law of concentration, labels and data. The first draws them from the top down, and uses no
sampler. The second moves back and forth: labels (and concentration) by one sweep of the sampler given the data, then
parameters from each table's posterior and new data given these. Every statistic must have the same mean in both; an
error in score, statistics, predictive, posterior draw or concentration drives the second way off, and the next data
drive it further.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from samplers.crp_mixture import CRPMixture
from samplers.families import Family, Normal
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


def new_data(parameters: dict, labels: np.ndarray, dimension: int, rng: np.random.Generator) -> np.ndarray:
    data = np.empty((len(labels), dimension))
    for table, law in parameters.items():
        members = np.flatnonzero(labels == table)
        data[members] = law.sample(rng, members.size if isinstance(law, Normal) else np.full(members.size, TOTAL))
    return data


def statistics(data: np.ndarray, labels: np.ndarray, concentration: float) -> list[float]:
    """Bounded, so that they have all moments whatever the family; squashed where the data are."""
    counts = np.unique(labels, return_counts=True)[1]
    first, second, *_ = data
    distance = np.abs(first - second).sum()
    return [
        len(counts),
        counts.max(),
        labels[0] == labels[1],
        np.tanh(first[0]),
        np.tanh(np.abs(first - data.mean(axis=0)).sum()),
        np.tanh(distance),
        np.tanh(distance) * (labels[0] == labels[1]),
        np.tanh(np.ptp(data[:, 0])) * len(counts),
        np.log(concentration),
    ]


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
    """Standardised differences of the means of the two ways, one for each statistic that varies."""
    rng = np.random.default_rng(seed)

    def from_the_top() -> tuple[np.ndarray, np.ndarray, float]:
        alpha = concentration if prior is None else rng.gamma(prior[0], 1 / prior[1])
        labels = seating(points, alpha, rng)
        parameters = {table: family.draw(rng) for table in np.unique(labels)}
        return new_data(parameters, labels, family.dimension, rng), labels, alpha

    marginal = np.array([statistics(*from_the_top()) for _ in range(iterations)])

    successive = np.empty_like(marginal)
    data, labels, alpha = from_the_top()
    for iteration in range(iterations):
        sampler = rule(data, family, alpha, concentration_prior=prior)
        state = sampler.state(labels, alpha)
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        labels, alpha = state.assignments, state.concentration
        # looked at before the data move: labels that fit them too well would be forgiven by new data
        successive[iteration] = statistics(data, labels, alpha)
        parameters = {table: cluster.draw(rng) for table, cluster in state.clusters.items()}
        data = new_data(parameters, labels, family.dimension, rng)

    batches = successive.reshape(BATCHES, -1, successive.shape[1]).mean(axis=1)
    variance = marginal.var(axis=0) / iterations + batches.var(axis=0, ddof=1) / BATCHES
    varies = variance > 1e-20
    return (successive.mean(axis=0) - marginal.mean(axis=0))[varies] / np.sqrt(variance[varies])
