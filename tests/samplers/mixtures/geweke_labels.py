"""Geweke's joint distribution test (2004, "Getting it right", JASA 99, section 3) for samplers of labels.

As in `geweke`: weights, parameters, labels and data are drawn from the top down, or else back and forth, by sweeps of
the sampler given the data and new data given what the sampler has. What the sampler integrates out is drawn here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from samplers.conjugate import Family, Normal
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.recipe import updates
from tests.samplers.geweke import compare, points_of
from tests.samplers.mixtures.labellings import with_blocks


@dataclass
class Documents:
    """A corpus with documents of these lengths; the labels of the first few are known."""

    lengths: Sequence[int] = (4, 3, 6, 0)
    known: int = 0
    rule: type[NaiveBayes] = NaiveBayes
    settings: dict = field(default_factory=dict)
    class_prior: Sequence[float] = (1.0, 1.5)
    word_prior: Sequence[float] = (0.7, 1.0, 1.4)

    @property
    def size(self) -> int:
        return len(self.lengths)

    def content(self, rng: np.random.Generator) -> np.ndarray:
        return rng.dirichlet(self.word_prior, len(self.class_prior))

    def data(self, labels: np.ndarray, word_probs: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return rng.multinomial(self.lengths, word_probs[labels])

    def sampler(self, data: np.ndarray, labels: np.ndarray) -> NaiveBayes:
        known = np.where(np.arange(self.size) < self.known, labels, HIDDEN)
        return self.rule(data, len(self.class_prior), self.class_prior, self.word_prior, known, **self.settings)

    def state(self, sampler: NaiveBayes, labels: np.ndarray, weights: np.ndarray, word_probs: np.ndarray) -> Any:
        return with_blocks(sampler, labels, {"weights": np.log(weights), "word probabilities": np.log(word_probs)})

    def content_of(self, state: Any, rng: np.random.Generator) -> np.ndarray:
        if len(state.word_probs):
            return state.word_probs
        return np.array([rng.dirichlet(row) for row in state.word_counts + self.word_prior])

    def statistics(self, *draws: Sequence[Any]) -> list[np.ndarray]:
        data, labels, weights, word_probs = map(np.array, draws)
        shares = data / np.maximum(data.sum(axis=2, keepdims=True), 1)
        unlike, together = np.abs(shares[:, 0] - shares[:, 1]).sum(axis=1), labels[:, 0] == labels[:, 1]
        logs = np.log(np.maximum(np.take_along_axis(word_probs, labels[:, :, None], axis=1), 1e-9))
        return [
            *(labels == 0).T,
            together,
            unlike,
            unlike * together,
            *shares[:, 0].T,
            shares[:, 0, 0] * (labels[:, 0] == 0),
            (shares**2).sum(axis=(1, 2)),
            weights[:, 0],
            weights[:, 0] * (labels[:, 0] == 0),
            *word_probs[:, :, 0].T,
            np.where(data > 0, logs, 0).sum(axis=(1, 2)),
        ]


@dataclass
class Points:
    """Points from a family, of which some numbers are missing; rows of counts have four words."""

    family: Family
    collapsed: bool
    size: int = 4
    known: int = 0
    class_prior: Sequence[float] = (1.0, 1.5)
    rule: type[FiniteMixture] = FiniteMixture
    holes: Sequence[tuple[int, int]] = ()

    def content(self, rng: np.random.Generator) -> tuple:
        return tuple(self.family.draw(rng) for _ in self.class_prior)

    def data(self, labels: np.ndarray, parameters: tuple, rng: np.random.Generator) -> np.ndarray:
        points = np.vstack([points_of(parameters[label], 1, rng) for label in labels])
        for place in self.holes:
            points[place] = np.nan
        return points

    def sampler(self, data: np.ndarray, labels: np.ndarray) -> FiniteMixture:
        known = np.where(np.arange(self.size) < self.known, labels, HIDDEN)
        return self.rule(data, self.family, len(self.class_prior), self.class_prior, self.collapsed, labels=known)

    def state(self, sampler: FiniteMixture, labels: np.ndarray, weights: np.ndarray, parameters: tuple) -> Any:
        return with_blocks(sampler, labels, {"weights": np.log(weights), "parameters": parameters})

    def content_of(self, state: Any, rng: np.random.Generator) -> tuple:
        return state.parameters or tuple(cluster.posterior().draw(rng) for cluster in state.clusters)

    def statistics(self, *draws: Sequence[Any]) -> list[np.ndarray]:
        data, labels, weights = map(np.array, draws[:3])
        first, second = np.nan_to_num(data[:, :2]).swapaxes(0, 1)
        distance, together = np.tanh(np.abs(first - second).sum(axis=1)), labels[:, 0] == labels[:, 1]
        centres = np.array([[law.mean for law in parameters] for parameters in draws[3]])
        own = centres[np.arange(len(labels)), labels[:, 0]]
        spreads = [
            [law.covariance[0, 0] if isinstance(law, Normal) else 0.0 for law in parameters] for parameters in draws[3]
        ]
        return [
            *(labels == 0).T,
            together,
            labels[:, 0] == labels[:, -1],  # of one that is known and one that is not
            distance,
            distance * together,
            np.tanh(first[:, 0]),
            np.tanh(first[:, 0]) * (labels[:, 0] == 0),
            weights[:, 0],
            weights[:, 0] * (labels[:, 0] == 0),
            *np.tanh(centres[:, :, 0]).T,
            *np.tanh(spreads).T,
            np.tanh(np.abs(own - first).sum(axis=1)),
        ]


def z_scores(
    world: Documents | Points, *, iterations: int = 2_000, sweeps: int = 1, afresh: bool = False, seed: int = 0
) -> np.ndarray:
    rng = np.random.default_rng(seed)
    prior = np.array(world.class_prior)
    equal = isinstance(world, Documents) and world.settings.get("weights") == "equal"

    def from_the_top() -> tuple:
        weights, content = np.full(len(prior), 1 / len(prior)) if equal else rng.dirichlet(prior), world.content(rng)
        labels = rng.choice(len(prior), world.size, p=weights)
        return world.data(labels, content, rng), labels, weights, content

    def move(data: np.ndarray, labels: np.ndarray, weights: np.ndarray, content: Any) -> tuple[tuple, tuple]:
        sampler = world.sampler(data, labels)
        state = world.state(sampler, labels, weights, content)
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        content = world.content_of(state, rng)
        weights = state.weights if state.log_weights else rng.dirichlet(prior + state.counts)
        labels = state.assignments
        labels[: world.known] = rng.choice(len(prior), world.known, p=weights)  # a label that is known is data as well
        return (data, state.assignments, weights, content), (world.data(labels, content, rng), labels, weights, content)

    return compare(from_the_top, move, world.statistics, iterations, afresh=afresh)
