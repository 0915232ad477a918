"""Exact posterior over all labellings of a few words, one topic each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from samplers.checks import finite_above, whole_from
from samplers.enumerated import Enumerated
from samplers.topics.lda import LDA
from samplers.topics.words import as_words, log_rising

ENOUGH = 1e-10  # change of a distribution in a sweep, in total variation, below which it has settled
MOST_LABELLINGS = 60_000  # twelve words in two topics have 4,096, ten words in three have 59,049


@dataclass(frozen=True, eq=False)
class ExactTopics(Enumerated):
    """The posterior over every labelling.

    Attributes
    ----------
    labellings : numpy.ndarray
        Topic of each word, in lexical order: integers of shape (labellings, N).
    log_joint : numpy.ndarray
        log p(words, labelling) of each, mixtures and word probabilities integrated out, nothing dropped.
    """

    labellings: np.ndarray
    log_joint: np.ndarray

    def index_of(self, labels: Iterable[int], topics: int) -> int:
        """Return the place of a labelling in the list."""
        place = 0
        for label in labels:
            place = place * topics + label
        return place

    def distribution(self, values: np.ndarray) -> np.ndarray:
        """Return the posterior distribution of a count that each labelling has, shape (largest count + 1,).

        Parameters
        ----------
        values : numpy.ndarray
            The count of each labelling: integers from 0, shape (labellings,).
        """
        return np.bincount(values, self.probabilities)


def exact_lda(
    documents: Iterable[Iterable[int]], vocabulary: int, topics: int, topic_prior: float, word_prior: float
) -> ExactTopics:
    """Return the posterior over all labellings.

    Parameters
    ----------
    documents, vocabulary, topics, topic_prior, word_prior
        As for `samplers.topics.lda.LDA`.

    Raises
    ------
    TypeError, ValueError
        As there, and if there are more than 60,000 labellings.
    """
    words, size = as_words(documents, vocabulary), whole_from("topics", topics, 1)
    alpha, beta = finite_above("topic_prior", topic_prior, 0), finite_above("word_prior", word_prior, 0)
    number = len(words.word)
    if size**number > MOST_LABELLINGS:
        raise ValueError(
            f"at most {MOST_LABELLINGS:,} labellings can be listed, and {number} words in {size} topics have more"
        )
    every = np.indices((size,) * number).reshape(number, -1).T
    has = every[:, :, None] == np.arange(size)  # (labellings, N, K)
    document, word = np.array(words.document), np.array(words.word)
    log_joint = np.zeros(len(every))
    for place in range(words.documents):
        counts = has[:, document == place].sum(axis=1)
        log_joint += log_rising(counts, alpha).sum(axis=1) - log_rising(counts.sum(axis=1), size * alpha)
    for kind in range(words.vocabulary):
        log_joint += log_rising(has[:, word == kind].sum(axis=1), beta).sum(axis=1)
    log_joint -= log_rising(has.sum(axis=1), words.vocabulary * beta).sum(axis=1)
    return ExactTopics(every, log_joint)


def long_run(sampler: LDA, labellings: np.ndarray) -> np.ndarray:
    """Return the distribution of labellings that sweeps lead to in the long run, shape (labellings,).

    No chance is involved: every word's conditional is asked for in every labelling, and the whole distribution is
    swept until it changes no more.

    Parameters
    ----------
    sampler : LDA
        By a rule that is right or wrong, with α and β fixed.
    labellings : numpy.ndarray
        All of them, in lexical order, as `ExactTopics` has them.
    """
    number, size = labellings.shape
    shape = (sampler.topics,) * size
    conditionals = np.empty((size, number, sampler.topics))
    for place, labels in enumerate(labellings.tolist()):
        state = sampler.state(labels)
        for site, label in enumerate(labels):
            sampler.forget(state, site)
            conditional: Any = sampler.score(state, site)
            conditionals[site, place] = conditional.probabilities
            sampler.remember(state, site, label)
    moves = [np.moveaxis(each.reshape(*shape, sampler.topics), site, 0) for site, each in enumerate(conditionals)]
    now = np.full(shape, 1 / number)
    while True:
        before = now
        for site, move in enumerate(moves):
            there = np.moveaxis(now, site, 0)  # (from, others); a move is (from, others, to)
            now = np.moveaxis((there[..., None] * move).sum(axis=0), -1, site)
        if np.abs(now - before).sum() / 2 < ENOUGH:
            return now.ravel()
