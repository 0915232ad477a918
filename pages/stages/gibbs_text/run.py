"""A run of the text stage's chain: what is kept of each sweep, and one sweep seen update by update."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from lessons.reader.corpora import Corpus
from lessons.reader.stages.fields import SWEEPS
from lessons.reader.stages.gibbs_text import agreement
from pages.parts.run import KEPT, Run
from samplers import Chain, Update, updates
from samplers.naive_bayes import DocumentsState, NaiveBayes

ROOM = 12_000_000  # bytes of labels and certainties that a run may fill
WORDS = 12  # whose probabilities are followed
MANY = 1_000  # messages from which a look ahead is shorter, and fewer states are kept
NOT_DRAWN, UNDEFINED = 255, 253  # in place of a certainty, in per cent: no label was drawn, or its law was 0/0


class WatchedChain(Chain[DocumentsState]):
    """A chain that looks on while it advances: it notes how sure each label was when it was drawn.

    Attributes
    ----------
    certainty : numpy.ndarray
        Probability that the last step's label had when it was drawn, in per cent: uint8 of shape (M,).
    """

    def __init__(self, sampler: NaiveBayes, seed: int, *, keep: int) -> None:
        self.certainty = np.full(sampler.labels.size, NOT_DRAWN, np.uint8)
        super().__init__(sampler, seed, keep=keep)

    def _advance(self, state: DocumentsState, rng: np.random.Generator) -> DocumentsState:
        state = state.copy()
        sites, laws, values = [], [], []
        for site, law, value in updates(self.sampler, state, rng):  # type: ignore[type-var]
            if not isinstance(site, str):
                sites.append(site)
                laws.append(law.log_weights)
                values.append(value)
        if sites:
            self.certainty[sites] = _certainties(np.array(laws), np.array(values))
        return state


def _certainties(log_weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the probability of the drawn option of each law in per cent, UNDEFINED where the law is."""
    top = log_weights.max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):  # -inf - -inf, where every option underflowed
        weights = np.exp(log_weights - top)
    drawn = 100 * weights[np.arange(len(values)), values] / weights.sum(axis=1)
    return np.where(np.isfinite(drawn), drawn.round(), UNDEFINED).astype(np.uint8)


def first_look(documents: int) -> int:
    """Return how many sweeps are made at once: they set the axes and choose the words."""
    return 30 if documents <= MANY else 12


class TextRun(Run[DocumentsState]):
    """The sweeps of one chain. Its labels and certainties take 12 MB at most: of many messages, fewer sweeps.

    Parameters
    ----------
    sampler : NaiveBayes
        With a rule that is right or wrong.
    corpus : Corpus
        What it samples the labels of.
    seed : int
        Of the chain.

    Attributes
    ----------
    last : int
        The last sweep that can be made.
    labels, certainty : numpy.ndarray
        Of each message after each sweep, uint8 of shape (last + 1, M); see `WatchedChain` for the second.
    log_joint, agree : numpy.ndarray
        After each sweep, shape (last + 1,); agreement with the held-back labels in per cent, NaN if there are none.
    words : numpy.ndarray
        Numbers of the words with the largest contrast between classes in the first look, shape (W,), W up to 12.
    word_probs : numpy.ndarray
        Their probabilities in each class after each sweep, shape (last + 1, W, K).
    """

    def __init__(self, sampler: NaiveBayes, corpus: Corpus, seed: int) -> None:
        self.sampler, self.corpus = sampler, corpus
        self.last = min(SWEEPS, ROOM // (2 * corpus.size) - 1)
        self.labels = np.zeros((self.last + 1, corpus.size), np.uint8)
        self.certainty = np.zeros((self.last + 1, corpus.size), np.uint8)
        self.log_joint = np.zeros(self.last + 1, np.float32)
        self.agree = np.zeros(self.last + 1, np.float32)
        self.words = np.empty(0, int)
        width = min(WORDS, sampler.vocabulary_size)
        self.word_probs = np.zeros((self.last + 1, width, sampler.classes), np.float32)
        self._early: list[np.ndarray] = []  # word probabilities of the sweeps before the words are chosen
        few = 16 if corpus.size > MANY else KEPT
        super().__init__(WatchedChain(sampler, seed, keep=few))
        self.grow(first_look(corpus.size), seconds=60)

    def add(self, t: int, state: DocumentsState) -> None:
        """Keep what the charts need of sweep t."""
        self.labels[t] = state.labels
        self.certainty[t] = self.chain.certainty if t else NOT_DRAWN
        self.log_joint[t] = self.sampler.log_joint(state)
        self.agree[t] = 100 * agreement(self.corpus, state.labels, self.sampler.classes)
        probs = word_probs(self.sampler, state)
        if self.words.size:
            self.word_probs[t] = probs[:, self.words].T
            return
        self._early.append(probs.astype(np.float32))
        if t == first_look(self.corpus.size):
            self.words = contrasting(np.mean(self._early[t // 2 :], axis=0), self.word_probs.shape[1])
            self.word_probs[: t + 1] = np.array(self._early)[:, :, self.words].transpose(0, 2, 1)
            self._early = []

    def close_up(self, sweep: int) -> CloseUp:
        """Return one sweep, from 1, update by update."""
        with self._lock:
            return CloseUp(self.chain, sweep)


def word_probs(sampler: NaiveBayes, state: DocumentsState) -> np.ndarray:
    """Return the word probabilities in a state, or those expected given its labels, shape (K, V)."""
    if sampler.word_probs == "explicit":
        return state.word_probs
    seen = state.word_counts + sampler.word_prior
    expected: np.ndarray = seen / seen.sum(axis=1, keepdims=True)
    return expected


def contrasting(probs: np.ndarray, number: int) -> np.ndarray:
    """Return the words that tell most about the class, those of the first class first: integers of shape (number,).

    A word's contrast is the sum over classes of (p - q) log(p / q), q being its mean over the classes.
    """
    mean = probs.mean(axis=0)
    contrast = ((probs - mean) * np.log(probs / mean)).sum(axis=0)
    largest = np.argsort(-contrast, kind="stable")[:number]
    lean = np.log(probs[0] / np.max(probs[1:], axis=0))
    return largest[np.argsort(-lean[largest], kind="stable")]


@dataclass(frozen=True)
class Beat:
    """One update with its surroundings.

    Attributes
    ----------
    update : Update
        The site, its law and the value that was drawn.
    before : list of int
        Labels before the update.
    counts : list of int
        Messages of each class before it.
    lifted : DocumentsState
        The state without the site.
    """

    update: Update
    before: list[int]
    counts: list[int]
    lifted: DocumentsState

    @property
    def is_label(self) -> bool:
        """Whether it is a message's label that was redrawn, and not a block."""
        return not isinstance(self.update.site, str)


class CloseUp:
    """One sweep, update by update: the same updates that the chain made, replayed.

    It keeps a few numbers of each update; the state around one is made when it is asked for.

    Parameters
    ----------
    chain : Chain
        Whose sweep it is.
    sweep : int
        Which, from 1.

    Attributes
    ----------
    sites : list
        What is visited, in order: messages, and before or after them blocks.
    documents : numpy.ndarray
        The message of each update, -1 for a block; shape (updates,).
    visit_of : numpy.ndarray
        Which update is a message's, a number beyond all if it is not visited; shape (M,).
    probabilities : numpy.ndarray
        Of each update's options, shape (updates, K); NaN for blocks, and where undefined.
    labels, after : numpy.ndarray
        Before and after the sweep, shape (M,).
    shares : numpy.ndarray
        Share of the first class before the sweep and after each update, shape (updates + 1,).
    """

    def __init__(self, chain: Chain[DocumentsState], sweep: int) -> None:
        self.sweep, self.sampler = sweep, chain.sampler
        self._chain, self._before = chain, chain[sweep - 1]
        self.sites: list[int | str] = []
        documents, probabilities, values = [], [], []
        for site, law, value in self._updates(self._before.copy()):
            block = isinstance(site, str)
            self.sites.append(site)
            documents.append(-1 if block else site)
            probabilities.append(np.full(self.sampler.classes, np.nan) if block else law.probabilities)
            values.append(-1 if block else value)
        self.documents, self.probabilities = np.array(documents), np.array(probabilities)
        self.labels = np.array(self._before.labels, np.uint8)
        visited = self.documents >= 0
        self.visit_of = np.full(self.labels.size, len(self.sites))
        self.visit_of[self.documents[visited]] = np.flatnonzero(visited)
        self.after = self.labels.copy()
        self.after[self.documents[visited]] = np.array(values)[visited]
        self.shares = self._shares(visited)
        self._opened: tuple[int, Beat] | None = None

    def _updates(self, state: DocumentsState) -> Iterator[Update]:
        return updates(self.sampler, state, self._chain.rng(self.sweep))

    def _shares(self, visited: np.ndarray) -> np.ndarray:
        change = (self.after[self.documents] == 0).astype(int) - (self.labels[self.documents] == 0)
        first = int((self.labels == 0).sum()) + np.append(0, np.cumsum(change * visited))
        shares: np.ndarray = first / self.labels.size
        return shares

    def beat(self, number: int) -> Beat:
        """Return one update, from 0, with the states around it."""
        if self._opened is None or self._opened[0] != number:
            self._opened = (number, self._open(number))
        return self._opened[1]

    def _open(self, number: int) -> Beat:
        state = self._before.copy()
        made = self._updates(state)
        for _ in range(number):
            next(made)
        lifted = state.copy()
        before, counts = lifted.labels.copy(), lifted.counts.copy()
        self.sampler.forget(lifted, self.sites[number])
        return Beat(next(made), before, counts, lifted)

    def document_at(self, t: int, otherwise: int) -> int:
        """Return the message that frame t speaks of: that of its update, or of the last one before a block."""
        seen = self.documents[: max(t - 1, 0) // 4 + 1]
        seen = seen[seen >= 0]
        return int(seen[-1]) if seen.size else otherwise
