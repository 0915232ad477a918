"""Transition probabilities of a sweep between labellings that also draws continuous numbers, by quadrature."""

import math
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.conjugate import DirichletMultinomial, Multinomial, Normal
from samplers.conjugate.dirichlet import Dirichlet
from samplers.mixtures.exact_labellings import ExactLabels
from samplers.mixtures.finite import ParametersConditional
from samplers.mixtures.labels import HIDDEN, LabelSampler
from samplers.recipe import outcomes
from tests.samplers.exactness import check_frequencies, run, shares

Nodes = list[tuple[object, float]]  # values, and the weights of a Gaussian rule that sum to 1


def beta_nodes(first: float, second: float, size: int) -> Nodes:
    """Log probabilities of two options of which the first is Beta(first, second)."""
    places, weights = special.roots_jacobi(size, second - 1, first - 1)
    logs = np.log(np.column_stack([1 + places, 1 - places]) / 2)
    return list(zip(logs, weights / weights.sum(), strict=True))


def family_nodes(posterior: object, size: int) -> Nodes:
    if isinstance(posterior, DirichletMultinomial):
        return [(Multinomial(np.exp(logs)), weight) for logs, weight in beta_nodes(*posterior.prior, size)]
    places, weights = special.roots_hermitenorm(size)
    means = posterior.mean[0] + math.sqrt(posterior.prior_variance) * places
    spread = np.array([[posterior.variance]])
    return [(Normal(np.array([m]), spread), w) for m, w in zip(means, weights / weights.sum(), strict=True)]


def nodes_of(law: Dirichlet | ParametersConditional, size: int) -> Nodes:
    if isinstance(law, ParametersConditional):
        each = [family_nodes(posterior, size) for posterior in law.posteriors]
    else:
        each = [beta_nodes(*row, size) for row in np.atleast_2d(law.pseudo_counts)]
    joint = [(tuple(v for v, _ in row), math.prod(w for _, w in row)) for row in product(*each)]
    if isinstance(law, ParametersConditional):
        return joint
    return [(np.array(values).reshape(law.pseudo_counts.shape), weight) for values, weight in joint]


def with_blocks(sampler: LabelSampler, labels: ArrayLike, values: dict) -> Any:
    """The state with these labels and, for each block that the sampler has, this value; no wrong rule has a say."""
    state = sampler.state(labels)
    for block in sampler.blocks:
        LabelSampler.remember(sampler, state, block, values[block])
    return state


def block_values(sampler: LabelSampler, labelling: np.ndarray, size: int) -> Iterator[tuple[dict, float]]:
    """The values that the blocks are drawn to be, with their probabilities."""
    state = sampler.state(labelling)
    for row in product(*(nodes_of(sampler.score(state, block), size) for block in sampler.blocks)):
        values = dict(zip(sampler.blocks, (value for value, _ in row), strict=True))
        yield values, math.prod(weight for _, weight in row)


def label_matrix(sampler: LabelSampler, labellings: np.ndarray, size: int, *, late: bool = False) -> np.ndarray:
    """From labels to the next labels, with blocks drawn in between: shape (last, next).

    The right sampler draws its blocks given the labels from which it goes on. One that is late draws them given the
    labels before those: shape (before the last, last, next).
    """
    every = range(len(labellings))
    hidden = np.flatnonzero(sampler.labels == HIDDEN).tolist()
    place = {tuple(labelling): index for index, labelling in enumerate(labellings.tolist())}
    matrix = np.zeros((len(place),) * 3)
    for drawn_at, labelling in enumerate(labellings):
        for values, weight in block_values(sampler, labelling, size):
            for start in every if late else [drawn_at]:
                before = with_blocks(sampler, labellings[start], values)
                for reached, (probability, _) in outcomes(sampler, before, hidden).items():
                    matrix[drawn_at, start, place[reached]] += weight * probability
    return matrix if late else matrix[every, every]


def check_log_joint(sampler: LabelSampler, truth: ExactLabels) -> None:
    """The joint over the law of the blocks is the joint without them, whatever the blocks' values (Besag 1989)."""
    rng = np.random.default_rng(0)
    for place in (0, 17, 52, 80):
        state, densities = sampler.state(truth.labellings[place]), 0.0
        for block in sampler.blocks:
            law = sampler.score(state, block)
            value = law.draw(rng)
            densities += law.log_density(value)
            sampler.remember(state, block, value)
        assert math.isclose(sampler.log_joint(state) - densities, truth.log_joint[place], rel_tol=1e-9)


def check_run(sampler: LabelSampler, truth: ExactLabels, *, kept: int = 2_000, thin: int = 3, seed: int = 0) -> None:
    """Total variation between a run and the exact posterior of all labellings.

    What dependence is left between states three sweeps apart is allowed for by counting three states as two. The items
    must not lie so far apart that the classes never trade names: where this is used, a collapsed sweep's second
    eigenvalue is below 0.66.
    """
    found = [tuple(state.labels) for state in run(sampler, kept, thin=thin, seed=seed)]
    frequencies = shares(found, map(tuple, truth.labellings.tolist()))
    check_frequencies(frequencies, truth.probabilities, kept * 2 / 3, chance=1e-4)
