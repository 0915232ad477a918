"""Exact posteriors over all labellings of a few words, and over all their partitions where K is not fixed."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from scipy.special import gammaln

from samplers.checks import finite_above, whole_from
from samplers.crp.facts import log_stirling
from samplers.enumerated import Enumerated
from samplers.partitions import MOST_POINTS, partitions
from samplers.topics.lda import LDA
from samplers.topics.words import as_words, log_rising

ENOUGH = 1e-10  # change of a distribution in a sweep, in total variation, below which it has settled
MOST_LABELLINGS = 60_000  # twelve words in two topics have 4,096, ten words in three have 59,049


@dataclass(frozen=True, eq=False)
class ExactTopics(Enumerated):
    """The posterior over every labelling."""

    # topic of each word, in lexical order: integers of shape (labellings, N). Without a fixed number of topics, there
    # is one for each partition of the words, with topics by their first words.
    labellings: np.ndarray
    # log p(words, labelling) of each, mixtures and word probabilities integrated out, nothing dropped
    log_joint: np.ndarray

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
    every = np.array(list(product(range(size), repeat=number)))
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


def exact_hdp(
    documents: Iterable[Iterable[int]],
    vocabulary: int,
    concentration: float,
    top_concentration: float,
    word_prior: float,
) -> ExactTopics:
    """Return the posterior over all partitions of the words into topics, whose number is not fixed.

    Tables and base weights are summed and integrated out; see `log_franchise`.

    Parameters
    ----------
    documents, vocabulary, concentration, top_concentration, word_prior
        As for `samplers.topics.hdp.HDP`.

    Raises
    ------
    TypeError, ValueError
        As there, and if there are more than eight words.
    """
    words = as_words(documents, vocabulary)
    alpha, gamma = (
        finite_above("concentration", concentration, 0),
        finite_above("top_concentration", top_concentration, 0),
    )
    beta, number = finite_above("word_prior", word_prior, 0), len(words.word)
    if number > MOST_POINTS:
        raise ValueError(f"the partitions of at most {MOST_POINTS} words can be listed, got {number} words")
    every = np.array(partitions(number))
    has = every[:, :, None] == np.arange(number)  # (partitions, N, topics)
    document, word = np.array(words.document), np.array(words.word)
    counts = np.stack([has[:, document == place].sum(axis=1) for place in range(words.documents)], axis=1)
    different = {each.tobytes(): each for each in counts}  # many partitions have the same
    logs = {key: log_franchise(each[:, each.any(axis=0)], alpha, gamma) for key, each in different.items()}
    log_joint = np.array([logs[each.tobytes()] for each in counts])
    for kind in range(words.vocabulary):
        log_joint += log_rising(has[:, word == kind].sum(axis=1), beta).sum(axis=1)
    log_joint -= log_rising(has.sum(axis=1), words.vocabulary * beta).sum(axis=1)
    return ExactTopics(every, log_joint)


def log_franchise(counts: np.ndarray, concentration: float, top_concentration: float) -> float:
    """Return the log probability that the Chinese restaurant franchise gives one partition of the customers by dish.

    Parameters
    ----------
    counts : numpy.ndarray
        The customers of each dish in each restaurant, shape (restaurants, dishes), each dish with one at least.
    concentration, top_concentration : float
        α and γ.

    Notes
    -----
    The sum over the numbers of tables m_jk is ∏_j Γ(α) / Γ(α + n_j) times the sum of γ^K Γ(γ) / Γ(γ + m) ∏_k Γ(m_k)
    ∏_jk α^m_jk s(n_jk, m_jk) with Stirling numbers s, m_k = ∑_j m_jk and m = ∑_k m_k (Teh et al. 2006, section 2.2 and
    equation 40). It is a sum over m of the product of one polynomial for each dish.
    """
    by_tables = np.ones(1)
    for customers in counts.T.tolist():
        dish = np.ones(1)
        for number in customers:
            dish = np.convolve(dish, np.exp(log_stirling(number)) * concentration ** np.arange(number + 1))
        dish[1:] *= top_concentration * np.exp(gammaln(np.arange(1, len(dish))))
        by_tables = np.convolve(by_tables, dish)
    tables = np.arange(len(by_tables))
    total = by_tables @ np.exp(-log_rising(tables, top_concentration))
    return float(np.log(total) - log_rising(counts.sum(axis=1), concentration).sum())


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
    if number == 1:  # with one topic, of however many words
        return np.ones(1)
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
