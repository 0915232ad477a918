"""Collapsed Gibbs sampling of latent Dirichlet allocation (LDA): one label per word.

Blei, Ng & Jordan (2003, Latent Dirichlet allocation), section 3, have the model; Griffiths & Steyvers (2004, Finding
scientific topics), equation 5, have the sampler. Both the mixture of topics of each document and the word
probabilities of each topic are integrated out.
"""

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from samplers.checks import finite_above, whole_from
from samplers.recipe import Conditional, Distribution, GibbsSampler, Site
from samplers.topics.words import (
    Products,
    TopicsState,
    Words,
    as_words,
    log_rising,
    log_words_given_topics,
)

TOPIC_PRIOR, WORD_PRIOR = "topic prior", "word prior"  # names of the blocks that redraw α and β
VALUES = tuple(np.geomspace(0.01, 10, 25).round(3).tolist())  # of α and of β where they are redrawn, each as probable


class LDAState(TopicsState):
    """The topic of each word, the counts, and both pseudo-counts.

    Attributes
    ----------
    topic_prior, word_prior : float
        α and β.
    """

    __slots__ = ("topic_prior", "word_prior")

    def __init__(self, words: Words, labels: list[int], topics: int, topic_prior: float, word_prior: float) -> None:
        super().__init__(words, labels, topics)
        self.topic_prior, self.word_prior = topic_prior, word_prior

    def packed(self) -> tuple[Any, ...]:
        return *super().packed(), self.topic_prior, self.word_prior


S = TypeVar("S", bound=LDAState)


class WordByWord(GibbsSampler[S]):
    """The shared part of samplers of a topic for each word: the counts that it leaves and enters, and its factors.

    Attributes
    ----------
    documents : tuple of tuple of int
        The words of each document.
    words : Words
        The same, one after the other.
    vocabulary : int
        V.
    word_prior : float
        β, or its first value.
    kind : type
        That of the states.
    """

    of_a_posterior = True
    kind: type[S]
    in_document = "in this document"
    in_topic = "this word in the topic"

    def __init__(self, documents: Iterable[Iterable[int]], vocabulary: int, word_prior: float) -> None:
        self.documents = tuple(map(tuple, documents))
        self.words = as_words(self.documents, vocabulary)
        self.vocabulary = self.words.vocabulary
        self.word_prior = finite_above("word_prior", word_prior, 0)

    def packed(self, state: S) -> tuple[Any, ...]:
        """Return a state without its counts, which follow from the labels: see `TopicsState.packed`."""
        return state.packed()

    def unpacked(self, kept: tuple[Any, ...]) -> S:
        """Return the state that `packed` has made smaller."""
        return self.kind.unpacked(self.words, kept)

    def forget(self, state: S, site: Site) -> None:
        """Take a word out of its document's, its topic's and its own counts."""
        if not isinstance(site, str):
            label = state.labels[site]
            state.by_document[self.words.document[site]][label] -= 1
            state.by_word[self.words.word[site]][label] -= 1
            state.totals[label] -= 1

    def remember(self, state: S, site: Site, value: Any) -> None:
        """Give a word its new topic, or set α or β to the value that was drawn."""
        if site == TOPIC_PRIOR:
            state.topic_prior = VALUES[value]
            return
        if site == WORD_PRIOR:
            state.word_prior = VALUES[value]
            return
        assert not isinstance(site, str)
        state.labels[site] = value
        state.by_document[self.words.document[site]][value] += 1
        state.by_word[self.words.word[site]][value] += 1
        state.totals[value] += 1

    def word_shares(self, state: S, word: int) -> list[float]:
        """Return the share of a word in each topic, with pseudo-counts; the word in hand has been taken out."""
        beta = state.word_prior
        below = self.denominators(state)
        return [(count + beta) / total for count, total in zip(state.by_word[word], below, strict=True)]

    def denominators(self, state: S) -> list[float]:
        """Return the words of each topic, with the pseudo-counts of all V words of the vocabulary."""
        pseudo_counts = self.vocabulary * state.word_prior
        return [total + pseudo_counts for total in state.totals]

    def _prior_conditional(self, state: S, site: str) -> Conditional:
        if site == TOPIC_PRIOR:
            return Conditional({"topics of the words": [self._log_topics(state, value) for value in VALUES]})
        return Conditional({"words of the topics": [log_words_given_topics(state.by_word, value) for value in VALUES]})

    @abstractmethod
    def _log_topics(self, state: S, topic_prior: float) -> float:
        """Return log p(topics of the words), the documents' mixtures integrated out."""

    def _checked(self, assignments: Iterable[int], topics: int) -> list[int]:
        labels = [int(label) for label in assignments]
        if len(labels) != len(self.words.word) or min(labels) < 0 or max(labels) >= topics:
            raise ValueError(f"assignments must be {len(self.words.word)} topics from 0 and below {topics}")
        return labels


class LDA(WordByWord[LDAState]):
    """Latent Dirichlet allocation, sampled one word at a time.

    Each document has a mixture of topics, drawn from a symmetric Dirichlet with pseudo-counts α; each topic has word
    probabilities, drawn from one with pseudo-counts β. For every word, a topic is drawn from the document's mixture,
    and the word from that topic.

    Parameters
    ----------
    documents : iterable of iterable of int
        Documents as numbers of words, in reading order; see `samplers.topics.words.as_words`.
    vocabulary : int
        V, the number of different words.
    topics : int
        K, from 1.
    topic_prior, word_prior : float
        α and β, above 0; where they are learned, their first values.
    learned : bool, optional
        Whether each sweep ends with a redraw of α and of β, each from the 25 numbers in `VALUES`, which are equally
        probable before the data.

    Raises
    ------
    TypeError, ValueError
        If a setting is out of range, or if the documents are not usable.

    Notes
    -----
    The probability of topic k for word w of document d is proportional to (n_dk + α)(n_kw + β) / (n_k + Vβ), where the
    counts leave out the word in hand.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> state = Chain(LDA([[0, 1, 0], [2, 3, 2]], 4, topics=2, topic_prior=0.5, word_prior=0.1), seed=1)[20]
    >>> sorted(state.by_document)
    [[0, 3], [3, 0]]
    """

    kind = LDAState

    def __init__(
        self,
        documents: Iterable[Iterable[int]],
        vocabulary: int,
        topics: int,
        topic_prior: float,
        word_prior: float,
        *,
        learned: bool = False,
    ) -> None:
        super().__init__(documents, vocabulary, word_prior)
        self.topics = whole_from("topics", topics, 1)
        self.topic_prior = finite_above("topic_prior", topic_prior, 0)
        self.learned = bool(learned)

    def init(self, rng: np.random.Generator) -> LDAState:
        """Return a first state: every word has a random topic, all of them equally probable."""
        return self.state(rng.integers(self.topics, size=len(self.words.word)).tolist())

    def state(self, assignments: Iterable[int]) -> LDAState:
        """Return the state with these topics.

        Parameters
        ----------
        assignments : iterable of int
            Topic of each word, shape (N,), from 0 and below K.

        Raises
        ------
        ValueError
            If there is not one for each word, or if one is out of range.
        """
        labels = self._checked(assignments, self.topics)
        return LDAState(self.words, labels, self.topics, self.topic_prior, self.word_prior)

    def replicate(self, state: LDAState, rng: np.random.Generator) -> list[np.ndarray]:
        """Draw new words for each document, as many as it has: a replicate of the data given the topics of a draw.

        Each document's mixture and each topic's word probabilities are drawn once, given the topics of the words; then
        a topic and a word for each place (Gelman et al. 2013, Bayesian Data Analysis, section 6.3).
        """
        counts = np.array(state.by_word, float).T
        words = [rng.dirichlet(row + state.word_prior) for row in counts]
        found = []
        for row, document in zip(state.by_document, self.documents, strict=True):
            mixture = rng.dirichlet(np.array(row) + state.topic_prior)
            lengths = rng.multinomial(len(document), mixture)
            drawn = [rng.choice(self.vocabulary, size=n, p=p) for n, p in zip(lengths, words, strict=True)]
            found.append(np.concatenate([*drawn, np.empty(0, int)]))
        return found

    def variables(self, state: LDAState) -> dict[str, Any]:
        """Return the topic of each word, how many words each topic has, α and β, and the log joint."""
        return {
            "assignments": state.assignments,
            "counts": np.array(state.totals),
            "topic_prior": state.topic_prior,
            "word_prior": state.word_prior,
            "log_joint": self.log_joint(state),
        }

    def sites(self, state: LDAState) -> Iterator[Site]:
        """Yield every word in reading order, then α and β if they are learned."""
        yield from range(len(state.labels))
        if self.learned:
            yield TOPIC_PRIOR
            yield WORD_PRIOR

    def score(self, state: LDAState, site: Site) -> Distribution:
        """Return the conditional of a word's topic, or of α or β over `VALUES`.

        The options of a word are the topics in order. The first factor is the number of the document's other words of
        the topic, plus α; the second is the share of this word in the topic, with pseudo-counts.
        """
        if isinstance(site, str):
            return self._prior_conditional(state, site)
        alpha = state.topic_prior
        document = [count + alpha for count in state.by_document[self.words.document[site]]]
        return Products((self.in_document, self.in_topic), document, self.word_shares(state, self.words.word[site]))

    def log_joint(self, state: LDAState) -> float:
        """Return log p(words, topics), and of α and β if they are learned."""
        log_joint = self._log_topics(state, state.topic_prior) + log_words_given_topics(state.by_word, state.word_prior)
        return log_joint - (2 * math.log(len(VALUES)) if self.learned else 0.0)

    def _log_topics(self, state: LDAState, topic_prior: float) -> float:
        counts = np.array(state.by_document)
        seen = counts[counts > 0]
        below = log_rising(counts.sum(axis=1), self.topics * topic_prior).sum()
        return float(log_rising(seen, topic_prior).sum() - below)
