"""Gibbs sampling of the hierarchical Dirichlet process (HDP) for topics: LDA without a fixed number of topics.

Teh, Jordan, Beal & Blei (2006, Hierarchical Dirichlet processes), section 5.3, posterior sampling by direct assignment:
the topic of each word, and the base weights of the topics, which all documents share. In the Chinese restaurant
franchise a document is a restaurant, a word is a customer, and a topic is a dish. Of the tables only their numbers are
drawn, to redraw the base weights.
"""

import math
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from samplers.checks import finite_above
from samplers.crp.facts import relabel
from samplers.crp.seating import draw_tables
from samplers.recipe import Conditional, Distribution, Site
from samplers.topics import lda
from samplers.topics.lda import TOPIC_PRIOR, WORD_PRIOR, LDAState, WordByWord
from samplers.topics.words import Products, Words, log_rising, log_words_given_topics

BASE = "base weights"  # the block that draws how many tables there are, and then the base weights
TOP = "top concentration"  # the block that redraws γ
START = 10  # topics of the words at first, at random
TINY = float(np.finfo(float).tiny)  # of a weight that would be rounded to 0


class HDPState(LDAState):
    """The topic of each word, the counts, and the base weights.

    A topic keeps its number while it has words. Numbers without words are free; one of them is the next topic's.

    Attributes
    ----------
    topic_prior : float
        α, the pseudo-counts of all topics together in a document.
    base : list of float
        The base weight of each topic; the next topic has the rest of the stick, and other free numbers have 0.
    next : int
        The number that a new topic will get.
    left : list of float
        For each word, the fraction of the rest that would be left if the word opened a topic.
    tables : list of int
        The number of tables of each topic, over all documents, when the base weights were last redrawn.
    top_concentration : float
        γ.
    """

    __slots__ = ("base", "left", "next", "tables", "top_concentration")

    def __init__(
        self,
        words: Words,
        labels: list[int],
        topics: int,
        concentration: float,
        top_concentration: float,
        word_prior: float,
    ) -> None:
        super().__init__(words, labels, topics, concentration, word_prior)
        self.top_concentration = top_concentration
        self.next = self.totals.index(0)
        self.base, self.left, self.tables = [0.0] * topics, [0.5] * len(labels), [0] * topics

    @property
    def used(self) -> list[int]:
        """The numbers of the topics that have words."""
        return [topic for topic, total in enumerate(self.totals) if total]

    def close(self, topic: int) -> None:
        """Give the weight of a topic that has lost its last word to the rest; its number is the next one now."""
        rest, self.base[self.next] = self.base[self.next], 0.0
        self.base[topic] += rest
        self.next = topic

    def open(self, left: float) -> None:
        """Break the rest of the stick: the next topic, which has a word now, keeps a part, and a fraction is left."""
        opened, rest = self.next, self.base[self.next]
        if 0 not in self.totals:
            for row in (*self.by_document, *self.by_word, self.totals, self.tables):
                row.append(0)
            self.base.append(0.0)
        self.next = self.totals.index(0)
        self.base[opened], self.base[self.next] = rest * (1 - left), max(rest * left, TINY)

    @classmethod
    def unpacked(cls, words: Words, kept: tuple[Any, ...]) -> "HDPState":
        labels, topics, concentration, word_prior, top_concentration, base, left, tables, following = kept
        state = cls(words, labels.tolist(), topics, concentration, top_concentration, word_prior)
        state.base, state.left, state.tables, state.next = base.tolist(), left.tolist(), tables.tolist(), following
        return state

    def packed(self) -> tuple[Any, ...]:
        base, left, tables = array("d", self.base), array("d", self.left), array("I", self.tables)
        return *super().packed(), self.top_concentration, base, left, tables, self.next

    def copy(self) -> Self:
        """Return an independent copy of the state; what is left of the rest is replaced and never changed."""
        twin = super().copy()
        twin.base, twin.tables = self.base.copy(), self.tables.copy()
        return twin


class BaseWeights(NamedTuple):
    """A draw of the block."""

    tables: np.ndarray  # the number of tables of each topic in each document, integers of shape (D, K)
    base: np.ndarray  # the weight of each topic, and of the rest at the next topic's number; shape (K,), sum 1
    left: list[float]  # as in `HDPState`, for the next sweep


@dataclass(frozen=True, eq=False)
class BaseConditional:
    """The distribution of tables and base weights given the topics of the words."""

    counts: np.ndarray  # the words of each topic in each document, shape (D, K)
    weights: np.ndarray  # α times the present base weight of each topic, shape (K,)
    next: int  # the number of the rest
    top_concentration: float  # γ
    # ``draw_tables(counts, weights, rng)`` returns the number of tables of each topic in each document
    draw_tables: Callable[[np.ndarray, np.ndarray, np.random.Generator], np.ndarray]

    def draw(self, rng: np.random.Generator) -> BaseWeights:
        """Draw tables given the present weights, then weights given the tables.

        The weights are Dirichlet, with the tables of each topic as its parameters, and γ for the rest (Teh et al. 2006,
        equation 36).
        """
        tables = self.draw_tables(self.counts, self.weights, rng)
        parameters = tables.sum(axis=0).astype(float)
        parameters[self.next] = self.top_concentration
        sizes = np.zeros(len(parameters))
        there = parameters > 0
        sizes[there] = np.maximum(rng.standard_gamma(parameters[there]), TINY)
        words = int(self.counts.sum())
        left = rng.beta(self.top_concentration, 1, words).tolist()
        return BaseWeights(tables, sizes / sizes.sum(), left)


class HDP(WordByWord[HDPState]):
    """Topics whose number is inferred, sampled one word at a time.

    A stick of length 1 is broken into the base weights b of infinitely many topics, b_k after b_k-1, each time by a
    fraction from Beta(1, γ). Each document has a mixture of topics, from a Dirichlet process with base weights b and
    concentration α; each topic has word probabilities, from a symmetric Dirichlet with pseudo-counts β.

    Parameters
    ----------
    documents, vocabulary, word_prior
        As for `samplers.topics.lda.LDA`.
    concentration : float
        α, above 0: the pseudo-counts of all topics together in a document.
    top_concentration : float
        γ, above 0: the larger, the more topics.
    learned : bool, optional
        Whether each sweep redraws α, β and γ before the base weights, each from the 25 numbers in
        `samplers.topics.lda.VALUES`, which are equally probable before the data.

    Raises
    ------
    TypeError, ValueError
        If a setting is out of range, or if the documents are not usable.

    Notes
    -----
    Topic k weighs (n_dk + α b_k)(n_kw + β) / (n_k + Vβ) for word w of document d, where the counts leave out the word
    in hand. A new topic weighs α b_u / V, where b_u is the rest of the stick (Teh et al. 2006, equation 37). If it is
    drawn, a fraction from Beta(1, γ) is broken off the rest: the pieces come in size-biased order. These fractions do
    not depend on the state, so they are drawn for a whole sweep, at the end of the one before.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> state = Chain(HDP([[0, 1, 0, 1], [2, 3, 2, 3]], 4, 1.0, 1.0, 0.1), seed=1)[20]
    >>> len(state.used)
    3
    """

    kind = HDPState

    def __init__(
        self,
        documents: Iterable[Iterable[int]],
        vocabulary: int,
        concentration: float,
        top_concentration: float,
        word_prior: float,
        *,
        learned: bool = False,
    ) -> None:
        super().__init__(documents, vocabulary, word_prior)
        self.learned = bool(learned)
        self.concentration = finite_above("concentration", concentration, 0)
        self.top_concentration = finite_above("top_concentration", top_concentration, 0)

    def init(self, rng: np.random.Generator) -> HDPState:
        """Return a first state: every word has a random topic among ten, and the base weights are drawn given these."""
        state = self.state(relabel(rng.integers(START, size=len(self.words.word)).tolist()))
        self.remember(state, BASE, self.base_conditional(state).draw(rng))
        return state

    def state(self, assignments: Iterable[int], base: Iterable[float] | None = None) -> HDPState:
        """Return the state with these topics.

        Parameters
        ----------
        assignments : iterable of int
            Topic of each word, shape (N,), from 0 and below N or 10.
        base : iterable of float, optional
            The base weight of each topic up to the largest one, 0 for one without words; the rest is what they leave of
            1. By default, those that are expected if each topic has one table in each of its documents.

        Raises
        ------
        ValueError
            If there is not one for each word, or if one is out of range.
        """
        labels = self._checked(assignments, max(START, len(self.words.word)))
        topics = max(labels) + 2
        state = HDPState(self.words, labels, topics, self.concentration, self.top_concentration, self.word_prior)
        if base is None:
            tables = np.count_nonzero(state.by_document, axis=0)
            state.base = (tables / (tables.sum() + self.top_concentration)).tolist()
        else:
            state.base = [*base, 0.0]
        state.base[state.next] = max(1 - math.fsum(state.base), TINY)
        state.left = [self.top_concentration / (1 + self.top_concentration)] * len(labels)
        return state

    def variables(self, state: HDPState) -> dict[str, Any]:
        """Return the topic of each word, the number of topics, their words, base weights and tables, and the joint."""
        return {
            "assignments": state.assignments,
            "topics": len(state.used),
            "counts": np.array(state.totals),
            "base_weights": np.array(state.base),
            "tables": np.array(state.tables),
            "concentration": state.topic_prior,
            "top_concentration": state.top_concentration,
            "word_prior": state.word_prior,
            "log_joint": self.log_joint(state),
        }

    def sites(self, state: HDPState) -> Iterator[Site]:
        """Yield every word in reading order, then α, β and γ if they are learned, then the base weights."""
        yield from range(len(state.labels))
        if self.learned:
            yield from (TOPIC_PRIOR, WORD_PRIOR, TOP)
        yield BASE

    def forget(self, state: HDPState, site: Site) -> None:
        """Take a word out of its counts; a topic that it leaves empty returns its weight to the rest."""
        super().forget(state, site)
        if not isinstance(site, str) and not state.totals[state.labels[site]]:
            state.close(state.labels[site])

    def score(self, state: HDPState, site: Site) -> Distribution:
        """Return the conditional of a word's topic, or that of a block.

        The options of a word are the topics by their numbers, which include the next one; other free numbers have no
        weight. The first factor is the number of the document's other words of the topic, plus α b_k.
        """
        if site == BASE:
            return self.base_conditional(state)
        if site == TOP:
            return Conditional({"base weights": [_log_base(state, value) for value in lda.VALUES]})
        if isinstance(site, str):
            return self._prior_conditional(state, site)
        alpha = state.topic_prior
        row = state.by_document[self.words.document[site]]
        document = [count + alpha * weight for count, weight in zip(row, state.base, strict=True)]
        return Products((self.in_document, self.in_topic), document, self.word_shares(state, self.words.word[site]))

    def remember(self, state: HDPState, site: Site, value: Any) -> None:
        """Give a word its topic, which gets a part of the rest if it is new; or set what a block has drawn."""
        if site == BASE:
            self._set_base(state, value)
            return
        if site == TOP:
            state.top_concentration = lda.VALUES[value]
            return
        super().remember(state, site, value)
        if not isinstance(site, str) and value == state.next:
            state.open(state.left[site])

    def base_conditional(self, state: HDPState) -> BaseConditional:
        """Return the conditional of tables and base weights."""
        counts, weights = np.array(state.by_document), state.topic_prior * np.array(state.base)
        return BaseConditional(counts, weights, state.next, state.top_concentration, self.draw_tables)

    def draw_tables(self, counts: np.ndarray, weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Draw the number of tables of each topic in each document, integers of shape (D, K).

        See `samplers.crp.seating.draw_tables`; counts and weights are those of `BaseConditional`.
        """
        return draw_tables(counts, weights, rng)

    def log_joint(self, state: HDPState) -> float:
        """Return the log of p(words, topics, base weights), and of α, β and γ if they are learned.

        The density of the weights is that of the topics in use: each of them adds γ / b_k, and the rest adds b_u to the
        power of γ - 1.
        """
        log_joint = self._log_topics(state, state.topic_prior) + _log_base(state, state.top_concentration)
        log_joint += log_words_given_topics(state.by_word, state.word_prior)
        return log_joint - (3 * math.log(len(lda.VALUES)) if self.learned else 0.0)

    def log_given_base(self, state: HDPState) -> float:
        """Return log p(words, topics | base weights), and given α, β and γ.

        It is a probability, so numbers of topics can be compared along a run. The joint with the base weights is a
        density, in as many dimensions as there are topics.
        """
        return self._log_topics(state, state.topic_prior) + log_words_given_topics(state.by_word, state.word_prior)

    def _log_topics(self, state: HDPState, topic_prior: float) -> float:
        """Return log p(topics of the words | base weights), the documents' mixtures integrated out."""
        counts, base = np.array(state.by_document)[:, state.used], np.array(state.base)[state.used]
        below = log_rising(counts.sum(axis=1), topic_prior).sum()
        return float(log_rising(counts, topic_prior * base).sum() - below)

    def _set_base(self, state: HDPState, drawn: BaseWeights) -> None:
        """Set the weights; the next number is now the smallest free one, and those after the last topic's are gone."""
        rest, base = float(drawn.base[state.next]), drawn.base.tolist()
        base[state.next] = 0.0
        state.next = state.totals.index(0)
        base[state.next] = rest
        end = max(*state.used, state.next) + 1
        state.base, state.left = base[:end], drawn.left
        state.tables = drawn.tables.sum(axis=0).tolist()[:end]
        for row in (*state.by_document, *state.by_word, state.totals):
            del row[end:]


def _log_base(state: HDPState, top_concentration: float) -> float:
    """Return the log density of the base weights of the topics in use."""
    used = state.used
    log_density = len(used) * math.log(top_concentration) - np.log(np.array(state.base)[used]).sum()
    return float(log_density + (top_concentration - 1) * math.log(state.base[state.next]))
