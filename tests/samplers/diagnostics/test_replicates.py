"""Replicates of a true model: their laws, and how rarely a number finds data among them."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy import stats

from samplers.buffet.linear_gaussian import LinearGaussian
from samplers.diagnostics.lineup import TILES
from samplers.generative.classifier import GenerativeModel
from samplers.generative.features import Encoding, Feature
from samplers.hmm.block import Block
from samplers.regression.laplace import Laplace, laplace_approximation, replicate_labels
from samplers.regression.logistic import LogisticRegression
from samplers.topics.lda import LDA
from tests.samplers.diagnostics.found import Lineup, Measures, hits, most

MOVES = [[0.9, 0.1], [0.2, 0.8]]
RNG = np.random.default_rng
ROUNDS = 2_000  # simulated classes


def both_ways(number: Callable[[np.ndarray], float]) -> Measures:
    """Return a number that is small, and one that is small where the first is large."""
    return {"small": number, "large": lambda tile: -number(tile)}


def test_a_series_has_the_moves_and_values_of_its_state():
    sampler = Block(np.zeros(4_000), [0.0, 9.0], 0.5, MOVES)
    series = sampler.replicate(sampler.state([0] * 4_000), RNG(1))
    states = (series > 4.5).astype(int)
    assert np.abs(series - 9.0 * states).std() == pytest.approx(0.5 * np.sqrt(1 - 2 / np.pi), abs=0.02)
    left = [(states[1:][states[:-1] == state] != state).mean() for state in (0, 1)]
    assert left == pytest.approx([0.1, 0.2], abs=0.03)


def endless(draw: Callable[[], ArrayLike]) -> Iterator[np.ndarray]:
    """Yield replicates without end, each drawn when it is asked for."""
    while True:
        yield np.asarray(draw())


def test_a_series_of_the_model_is_found_as_often_as_by_a_guess():
    """With parameters given, data and replicates have one law."""
    sampler, rng = Block(np.zeros(8), [0.0, 2.0], 1.0, MOVES), RNG(2)
    state = sampler.state([0] * 8)
    drawn = endless(lambda: sampler.replicate(state, rng))
    counted = hits(((next(drawn), drawn) for _ in range(ROUNDS)), {"lasts": lambda tile: np.abs(np.diff(tile)).mean()})
    assert stats.binomtest(counted["lasts"], ROUNDS, 1 / TILES).pvalue > 1e-4


def test_words_are_drawn_for_the_topics_of_their_document():
    """Each message has one topic, and each topic a word: the shares follow from counts and pseudo-counts."""
    sampler = LDA([[0] * 6, [1] * 6], 2, 2, 0.5, 0.1)
    state, rng = sampler.state([0] * 6 + [1] * 6), RNG(3)
    drawn = [sampler.replicate(state, rng) for _ in range(4_000)]
    assert {tuple(map(len, documents)) for documents in drawn} == {(6, 6)}
    own, word = 6.5 / 7.0, 6.1 / 6.2  # of a message's topic, and of a topic's word
    share = np.mean([(documents[0] == 0).mean() for documents in drawn])
    assert share == pytest.approx(own * word + (1 - own) * (1 - word), abs=0.015)


def of_messages(rng: np.random.Generator) -> Iterator[Lineup]:
    for _ in range(ROUNDS):
        topics = rng.dirichlet(np.full(6, 0.3), size=2)
        labels = [rng.choice(2, size=8, p=rng.dirichlet([0.5, 0.5])) for _ in range(2)]
        documents = np.empty((2, 8), int)
        for row, document in zip(documents, labels, strict=True):
            for topic in (0, 1):
                here = document == topic
                row[here] = rng.choice(6, size=here.sum(), p=topics[topic])
        sampler = LDA(documents.tolist(), 6, 2, 0.5, 0.3)
        state = sampler.state(np.concatenate(labels).tolist())
        yield documents, endless(partial(sampler.replicate, state, rng))


def test_messages_of_the_model_are_found_by_one_number_at_most_as_often_as_by_a_guess():
    counted = hits(of_messages(RNG(4)), both_ways(lambda tile: sum(len(set(row)) for row in tile.tolist())))
    assert max(counted.values()) <= most(ROUNDS)


def test_labels_have_the_probability_that_weights_give_on_average():
    found = Laplace(np.array([1.0]), np.array([[0.25]]), 0.0)
    drawn = [replicate_labels(np.array([[0.0], [2.0]]), found, rng) for rng in [RNG(5)] for _ in range(8_000)]
    weights = RNG(6).normal(1.0, 0.5, 200_000)
    assert np.mean(drawn, axis=0) == pytest.approx([0.5, (1 / (1 + np.exp(-2 * weights))).mean()], abs=0.025)


def of_labels(points: np.ndarray, rng: np.random.Generator) -> Iterator[Lineup]:
    for _ in range(ROUNDS):
        labels = (rng.random(len(points)) < 1 / (1 + np.exp(-points @ rng.normal(size=2)))).astype(int)
        laplace = laplace_approximation(LogisticRegression(points, labels, 1.0))
        yield labels, endless(partial(replicate_labels, points, laplace, rng))


def test_labels_of_the_model_are_found_by_one_number_at_most_as_often_as_by_a_guess():
    rng = RNG(7)
    points = rng.normal(size=(15, 2))
    points = points[np.argsort(points[:, 0])]
    counted = hits(of_labels(points, rng), both_ways(lambda tile: int((np.diff(tile) != 0).sum())))
    assert max(counted.values()) <= most(ROUNDS)


def of_rows(rng: np.random.Generator) -> Iterator[Lineup]:
    model = GenerativeModel(Encoding((Feature("a"), Feature("b")), "whole").prior(1.0, 1.0), 2, 1.0)
    labels = np.arange(12) % 2
    for _ in range(ROUNDS):
        rows = np.empty((12, 2))
        for label in (0, 1):
            rows[labels == label] = model.family.draw(rng).points(6, rng)
        yield rows, endless(partial(model.posterior(rows, labels).replicate, labels, rng))


def test_rows_of_the_model_are_found_by_one_number_at_most_as_often_as_by_a_guess():
    counted = hits(of_rows(RNG(8)), both_ways(lambda tile: float(np.corrcoef(tile[::2].T)[0, 1] ** 2)))
    assert max(counted.values()) <= most(ROUNDS)


def test_rows_with_a_feature_share_its_loadings():
    data = np.array([[3.0, 0.0], [3.0, 0.0], [0.0, 0.0]])
    sampler = LinearGaussian(data, 1.0, noise=0.5, spread=2.0)
    state, rng = sampler.state([[1], [1], [0]]), RNG(9)
    drawn = np.array([sampler.replicate(state, rng) for _ in range(6_000)])
    inverse = 1 / (2 + 0.25 / 4)
    assert drawn.mean(axis=0) == pytest.approx(np.array([[1, 0], [1, 0], [0, 0]]) * 6 * inverse, abs=0.04)
    assert np.cov(drawn[:, 0, 0], drawn[:, 1, 0])[0, 1] == pytest.approx(0.25 * inverse, abs=0.02)
    assert drawn[:, 2, 0].std() == pytest.approx(0.5, abs=0.02)
    assert sampler.replicate(sampler.state(np.zeros((3, 0))), rng).shape == (3, 2)
