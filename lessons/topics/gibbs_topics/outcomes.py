"""Outcomes of labellings: sizes of topics, and how near they are to the truth."""

import numpy as np

from lessons.data.topic_texts import UNKNOWN, TopicTexts

OVERLAP = 0.6  # a topic is a bar if it shares this much of its probability with it


def counts(texts: TopicTexts, labellings: np.ndarray) -> dict[str, np.ndarray]:
    """Return the words of the largest topic, the messages with more than one topic, and the topics, of each labelling.

    Parameters
    ----------
    texts : TopicTexts
        The words.
    labellings : numpy.ndarray
        Topic of each word, shape (labellings, N).
    """
    has = labellings[:, :, None] == np.arange(labellings.max() + 1)
    filled = [len(document) > 0 for document in texts.documents]
    starts = np.searchsorted(texts.document, np.flatnonzero(filled))
    parts = np.add.reduceat(has, starts, axis=1) > 0
    return {
        "largest": has.sum(axis=1).max(axis=1),
        "mixed": (parts.sum(axis=2) > 1).sum(axis=1),
        "used": has.any(axis=1).sum(axis=1),
    }


def measured(texts: TopicTexts, labels: np.ndarray) -> dict[str, float]:
    """Return the outcomes of a labelling; see the words of the topic."""
    found = {name: int(values[0]) for name, values in counts(texts, labels[None]).items()}
    return {**found, "agree": round(100 * agreement(texts, labels)), "bars": bars_found(texts, labels)}


def agreement(texts: TopicTexts, labels: np.ndarray) -> float:
    """Return the share of words whose topic matches their theme, under the best naming; 0 if no theme is known."""
    known = texts.themes != UNKNOWN
    if not known.any():
        return 0.0
    table = np.zeros((int(labels.max()) + 1, len(texts.names)), int)
    np.add.at(table, (labels[known], texts.themes[known]), 1)
    return matched(table) / float(known.sum())


def matched(table: np.ndarray) -> int:
    """Return how many words match under the best naming; `table` counts them by topic, down, and by theme, across."""
    from scipy.optimize import linear_sum_assignment  # here, as it takes 0.15 s to import

    return int(table[linear_sum_assignment(table, maximize=True)].sum())


def bars_found(texts: TopicTexts, labels: np.ndarray) -> int:
    """Return how many of the true bars are near to a topic: at least 60 % of its words would come from the bar."""
    if not texts.side or texts.truth is None:
        return 0
    shares = np.zeros((int(labels.max()) + 1, len(texts.words)))
    np.add.at(shares, (labels, texts.word), 1)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1)
    overlap = np.minimum(shares[:, None], texts.truth).sum(axis=2)
    return int((overlap.max(axis=0) >= OVERLAP).sum())
