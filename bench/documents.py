"""A sweep of the samplers of labels: documents by naive Bayes, and points by a finite mixture."""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from bench import Row, median_seconds
from bench.mixture import blobs
from samplers.conjugate import NormalInverseWishart
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.labels import LabelSampler
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.recipe import drained

CLASSES = 5


class Sweeper:
    """A sampler and a state that a call moves on by one sweep."""

    def __init__(self, sampler: LabelSampler) -> None:
        self.sampler = sampler
        self.rng = np.random.default_rng(1)
        self.state = sampler.init(self.rng)

    def __call__(self) -> None:
        """Run one sweep, as a chain does."""
        self.state, _ = drained(self.sampler.pieces(self.state, self.rng, recorded=False))


def corpus(documents: int, vocabulary: int, words: int) -> sparse.csr_array:
    """Return counts of documents of so many words each, in five classes that differ in theirs."""
    rng = np.random.default_rng(0)
    word_probs = rng.dirichlet(np.full(vocabulary, 0.1), CLASSES)
    return sparse.csr_array(rng.multinomial(words, word_probs[rng.integers(CLASSES, size=documents)]))


def short_messages() -> tuple[np.ndarray, np.ndarray]:
    """Return as many words, in as many documents, as a public collection of short messages has."""
    rng = np.random.default_rng(0)
    lengths = rng.poisson(15, 5_574)
    odds = 1 / np.arange(1, 8_001)
    return rng.choice(8_000, lengths.sum(), p=odds / odds.sum()), np.repeat(np.arange(5_574), lengths)


def message_sampler(**variant: str) -> NaiveBayes:
    words, documents = short_messages()
    counts = sparse.csr_array((np.ones(len(words)), (documents, words)), shape=(5_574, 8_000))
    return NaiveBayes(counts, 2, 1.0, 0.1, **variant)  # type: ignore[arg-type]


def rows() -> Iterator[Row]:
    counts = corpus(500, 1_000, 60)
    base = median_seconds(Sweeper(NaiveBayes(counts, CLASSES, 1.0, 0.1)))
    yield Row("word probabilities explicit, 500 documents of 60 words, K = 5", base, 0.003)
    seconds = median_seconds(Sweeper(NaiveBayes(counts, CLASSES, 1.0, 0.1, weights="explicit")))
    yield Row("the same, weights explicit as well", seconds, None, f"{seconds / base:.2f} x weights collapsed")
    collapsed = median_seconds(Sweeper(NaiveBayes(counts, CLASSES, 1.0, 0.1, word_probs="collapsed")))
    ratio = f"{collapsed / base:.1f} x word probabilities explicit"
    yield Row("fully collapsed, the same documents", collapsed, 0.015, ratio)
    for documents in (1_000, 2_000):
        more = corpus(documents, 1_000, 60)
        seconds = median_seconds(Sweeper(NaiveBayes(more, CLASSES, 1.0, 0.1)))
        ratio = f"{seconds / base / documents * 500:.2f} x per document of 500"
        yield Row(f"word probabilities explicit, {documents:,} documents", seconds, None, ratio)

    yield Row("counts and sampler of 5,574 short messages", median_seconds(message_sampler, 3), 2.0)
    yield Row(
        "word probabilities explicit, 5,574 short messages, K = 2", median_seconds(Sweeper(message_sampler())), 0.1
    )
    seconds = median_seconds(Sweeper(message_sampler(word_probs="collapsed")))
    yield Row("fully collapsed, the same messages", seconds, 0.1)

    points, family = blobs(1_000, CLASSES, 8.0)[0], NormalInverseWishart([0, 0], 0.05, 4.0, 2 * np.eye(2))
    base = median_seconds(Sweeper(FiniteMixture(points, family, CLASSES, 1.0)))
    yield Row("finite mixture, collapsed, 1,000 points, K = 5", base)
    seconds = median_seconds(Sweeper(FiniteMixture(points, family, CLASSES, 1.0, collapsed=False)))
    yield Row("finite mixture, uncollapsed", seconds, None, f"{seconds / base:.2f} x collapsed")
