"""Expected parameters given the labels: shares, with pseudo-counts."""

import numpy as np


def word_probs(state):
    """Return the probability of each word in each topic, shape (K, V)."""
    return _shares(np.array(state.by_word).T + state.word_prior)


def mixtures(state):
    """Return the share of each topic in each document, shape (D, K)."""
    return _shares(np.array(state.by_document) + state.topic_prior * np.array(getattr(state, "base", 1.0)))


def _shares(counts):
    return counts / counts.sum(axis=1, keepdims=True)
