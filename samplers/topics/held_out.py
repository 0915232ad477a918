"""The probability of a document that a topic model has not seen, given the topics: exactly, and by estimate.

Wallach, Murray, Salakhutdinov & Mimno (2009, Evaluation methods for topic models) compare estimates; the one here is
their section 4.4, left to right, in the form of Buntine (2009, Estimating likelihoods for topic models), section 3,
whose mean is the probability itself.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from samplers.checks import whole_from

MOST_COUNTS = 20_000  # vectors of counts that are summed: 20 words in four topics have 9,261


class Estimate(NamedTuple):
    """An estimate of a log probability."""

    log_probability: float  # the log of the mean over particles; the mean itself is unbiased
    error: float  # its standard error, to first order


def can_sum(words: int, topics: int) -> bool:
    """Return whether a document's probability can be summed exactly over all vectors of topic counts."""
    return (words + 1) ** (topics - 1) <= MOST_COUNTS


def exact(document: Iterable[int], word_probs: np.ndarray, prior: np.ndarray) -> float:
    """Return the log probability of a document, summed over the topics of all of its words.

    The topics of the first n words enter only by how many words each topic has, so that the sum goes from word to word
    over vectors of counts instead of labellings.

    Parameters
    ----------
    document : iterable of int
        Its words.
    word_probs : numpy.ndarray
        The word probabilities of each topic, shape (K, V).
    prior : numpy.ndarray
        The pseudo-count of each topic in a document, shape (K,).

    Raises
    ------
    ValueError
        If there are too many vectors of counts; see `can_sum`.
    """
    words, topics = list(document), len(prior)
    if not can_sum(len(words), topics):
        raise ValueError(f"{len(words)} words in {topics} topics have too many counts to sum: estimate instead")
    counts = np.indices((len(words) + 1,) * (topics - 1)).reshape(topics - 1, *(len(words) + 1,) * (topics - 1))
    sums = np.zeros(counts.shape[1:])
    sums[(0,) * (topics - 1)] = 1.0
    log_probability = 0.0
    for n, word in enumerate(words):
        last = np.maximum(n - counts.sum(axis=0), 0)  # words of the last topic; no mass lies where there are fewer
        weights = [*(counts + prior[:-1].reshape(-1, *(1,) * (topics - 1))), last + prior[-1]]
        after = sums * weights[-1] * word_probs[-1, word]
        for k in range(topics - 1):
            before = (sums * weights[k]).take(range(len(words)), axis=k) * word_probs[k, word]
            after[(slice(None),) * k + (slice(1, None),)] += before
        share = after.sum() / (n + prior.sum())
        log_probability += float(np.log(share))
        sums = after / after.sum()
    return log_probability


def left_to_right(
    document: Iterable[int], word_probs: np.ndarray, prior: np.ndarray, particles: int, rng: np.random.Generator
) -> Estimate:
    """Return an estimate of the log probability of a document, word by word.

    Each particle has a topic for every word so far. Before the next word is predicted from them, each is redrawn given
    the others.

    Parameters
    ----------
    document, word_probs, prior
        As of `exact`.
    particles : int
        From 2.
    """
    words, topics = list(document), len(prior)
    rows = np.arange(whole_from("particles", particles, 2))
    labels, counts = np.zeros((particles, len(words)), int), np.tile(prior, (particles, 1))
    log_weights = np.zeros(particles)

    def draw(place: int) -> np.ndarray:
        """Draw the topic of a word in all particles, and return the sums of the topics' weights."""
        weights = counts * word_probs[:, words[place]]
        heaps = weights.cumsum(axis=1)
        drawn = (heaps < rng.random((particles, 1)) * heaps[:, -1:]).sum(axis=1)
        labels[:, place] = np.minimum(drawn, topics - 1)
        counts[rows, labels[:, place]] += 1
        return heaps[:, -1]

    for n in range(len(words)):
        for place in range(n):
            counts[rows, labels[:, place]] -= 1
            draw(place)
        log_weights += np.log(draw(n) / (n + prior.sum()))
    log_mean = float(logsumexp(log_weights)) - np.log(particles)
    relative = np.exp(log_weights - log_mean)
    return Estimate(float(log_mean), float(relative.std(ddof=1) / np.sqrt(particles)))
