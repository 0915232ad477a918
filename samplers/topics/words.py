"""Documents as words in reading order, and the labels and counts that samplers of topics share."""

from array import array
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from operator import index
from typing import Any, Self

import numpy as np
from scipy import special

from samplers.checks import whole_from
from samplers.recipe import Conditional

Rows = list[list[int]]


@dataclass(frozen=True, eq=False)
class Words:
    """The words of all documents, one after the other."""

    # word, document: the number of each word in the vocabulary, and the number of its document; N of each
    word: list[int]
    document: list[int]
    # documents, vocabulary: d and V
    documents: int
    vocabulary: int
    lengths: tuple[int, ...]  # the number of words of each document


def as_words(documents: Iterable[Iterable[int]], vocabulary: int) -> Words:
    """Return the words of documents.

    Parameters
    ----------
    documents : iterable of iterable of int
        D documents, each with its words as numbers from 0 and below V, in reading order; some may be empty.
    vocabulary : int
        V, from 1.

    Raises
    ------
    TypeError
        If a word is no integer.
    ValueError
        If there is no word, or if a word is out of range.
    """
    size = whole_from("vocabulary", vocabulary, 1)
    rows = [[index(word) for word in document] for document in documents]
    for number, row in enumerate(rows):
        for word in row:
            if not 0 <= word < size:
                raise ValueError(f"words must be from 0 and below {size}, got {word} in document {number}")
    if not any(rows):
        raise ValueError(f"documents must hold at least one word, got {len(rows)} without any")
    places = [number for number, row in enumerate(rows) for _ in row]
    return Words([word for row in rows for word in row], places, len(rows), size, tuple(map(len, rows)))


class TopicsState:
    """The topic of each word, and the counts that follow from it.

    Attributes
    ----------
    labels : list of int
        Topic of each word, from 0. A word that has been taken out keeps the label that it had.
    by_document, by_word : list of list of int
        How often each topic occurs in each document, D rows, and with each word of the vocabulary, V rows.
    totals : list of int
        The number of words of each topic.
    """

    __slots__ = ("by_document", "by_word", "labels", "totals")

    def __init__(self, words: Words, labels: list[int], topics: int) -> None:
        self.labels = labels
        self.by_document: Rows = [[0] * topics for _ in range(words.documents)]
        self.by_word: Rows = [[0] * topics for _ in range(words.vocabulary)]
        self.totals = [0] * topics
        for document, word, label in zip(words.document, words.word, labels, strict=True):
            self.by_document[document][label] += 1
            self.by_word[word][label] += 1
            self.totals[label] += 1

    @property
    def assignments(self) -> np.ndarray:
        """Topic of each word: integers of shape (N,), a new array."""
        return np.array(self.labels, np.int64)

    @classmethod
    def unpacked(cls, words: Words, kept: tuple[Any, ...]) -> Self:
        """Return the state that `packed` has made smaller; the words are those of the sampler."""
        labels, topics, *rest = kept
        return cls(words, labels.tolist(), topics, *rest)

    def packed(self) -> tuple[Any, ...]:
        """Return all but the counts, which follow from the labels, in a fraction of the room."""
        return array("I", self.labels), len(self.totals)

    def copy(self) -> Self:
        """Return an independent copy of the state."""
        twin = copy(self)
        twin.labels = self.labels.copy()
        twin.by_document = [row.copy() for row in self.by_document]
        twin.by_word = [row.copy() for row in self.by_word]
        twin.totals = self.totals.copy()
        return twin


class Products(Conditional):
    """The distribution of a word's topic, as products of two factors that need no logarithm.

    Parameters
    ----------
    names : (str, str)
        Names of the factors.
    document, word : list of float
        The factor of the document, 0 for an impossible option, and that of the word, above 0; for each option.
    """

    __slots__ = ("document", "names", "word")

    def __init__(self, names: tuple[str, str], document: list[float], word: list[float]) -> None:
        self.names, self.document, self.word = names, document, word

    @property
    def terms(self) -> dict[str, Any]:  # type: ignore[override]
        """The logarithms of both factors, by their names."""
        with np.errstate(divide="ignore"):  # the log of 0: an option that is impossible
            return {name: np.log(factor).tolist() for name, factor in zip(self.names, self.factors, strict=True)}

    @property
    def factors(self) -> tuple[list[float], list[float]]:
        """The factor of the document and that of the word, for each option."""
        return self.document, self.word

    def weights(self) -> list[float]:
        """Return the products, which are not scaled: they can neither overflow nor underflow."""
        return [first * second for first, second in zip(self.document, self.word, strict=True)]


def log_rising(counts: Any, priors: Any) -> Any:
    """Return log Γ(a + n) - log Γ(a) of counts n and pseudo-counts a, elementwise."""
    return special.gammaln(np.add(counts, priors)) - special.gammaln(priors)


def log_words_given_topics(by_word: Sequence[Sequence[int]], word_prior: float) -> float:
    """Return log p(words | topics), word probabilities integrated out, from counts as `TopicsState` has them, and β."""
    counts = np.array(by_word)
    seen = counts[counts > 0]  # a count of 0 adds log Γ(β) - log Γ(β)
    return float(log_rising(seen, word_prior).sum() - log_rising(counts.sum(axis=0), len(counts) * word_prior).sum())
