"""A run of the text stage's chain: what is kept of each sweep, and what each sweep visits."""

from functools import cached_property

import numpy as np
from scipy import special

from lessons.data.corpora import Corpus
from lessons.settings.fields import SWEEPS
from lessons.topics.gibbs_text import agreement
from pages.player.run import KEPT, Run
from pages.scenes.close_up import CloseUp
from samplers import Chain, Update
from samplers.mixtures.naive_bayes import DocumentsState, NaiveBayes

ROOM = 12_000_000  # bytes of labels and certainties that a run may fill
WORDS = 12  # whose probabilities are followed
REFERENCE, EARLY = 1, 10  # the seed of the run that sets the axes for all seeds; sweeps that another one begins with
MANY = 1_000  # messages from which a look ahead is shorter, and fewer states are kept
NOT_DRAWN, UNDEFINED = 255, 253  # in place of a certainty, in per cent: no label was drawn, or its distribution was 0/0


def first_look(documents: int) -> int:
    """Return how many sweeps set the axes and choose the words: of the reference, or of a run that has none."""
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
    reference : TextRun, optional
        The same on another seed, after its first look: the words are its words, and few sweeps are made at first.

    Attributes
    ----------
    last : int
        The last sweep that can be made.
    labels, certainty : numpy.ndarray
        Of each message after each sweep, uint8 of shape (last + 1, M). The second is the probability that its label had
        when it was drawn, in per cent.
    log_joint, agree : numpy.ndarray
        After each sweep, shape (last + 1,); agreement with the held-back labels in per cent, NaN if there are none.
    words : numpy.ndarray
        Numbers of the words with the largest contrast between classes in the first look, shape (W,), W up to 12.
    look : int
        How many sweeps are made before anything is shown.
    word_probs : numpy.ndarray
        Their probabilities in each class after each sweep, shape (last + 1, W, K).
    """

    def __init__(self, sampler: NaiveBayes, corpus: Corpus, seed: int, reference: "TextRun | None" = None) -> None:
        self.sampler, self.corpus, self._reference = sampler, corpus, reference
        self.look = EARLY if reference else first_look(corpus.size)
        self.last = min(SWEEPS, ROOM // (2 * corpus.size) - 1)
        self.labels = np.zeros((self.last + 1, corpus.size), np.uint8)
        self.certainty = np.zeros((self.last + 1, corpus.size), np.uint8)
        self.certainty[0] = NOT_DRAWN
        self.log_joint = np.zeros(self.last + 1, np.float32)
        self.agree = np.zeros(self.last + 1, np.float32)
        self.words = np.empty(0, int)
        width = min(WORDS, sampler.vocabulary_size)
        self.word_probs = np.zeros((self.last + 1, width, sampler.classes), np.float32)
        self._early: list[np.ndarray] = []  # word probabilities of the sweeps before the words are chosen
        few = 16 if corpus.size > MANY else KEPT
        super().__init__(Chain(sampler, seed, keep=few, on_step=self._note), few)

    @cached_property
    def order(self) -> "Order":
        """The sites of a sweep, in order."""
        return Order(self.sampler, self.chain[0])

    def add(self, t: int, state: DocumentsState) -> None:
        self.labels[t] = state.labels
        self.log_joint[t] = self.sampler.log_joint(state)
        self.agree[t] = 100 * agreement(self.corpus, state.labels, self.sampler.classes)
        probs = word_probs(self.sampler, state)
        if self.words.size:
            self.word_probs[t] = probs[:, self.words].T
            return
        self._early.append(probs.astype(np.float32))
        if t == self.look:
            late = np.mean(self._early[t // 2 :], axis=0)
            known = self._reference.words if self._reference else contrasting(late, self.word_probs.shape[1])
            self.words = by_lean(late, known)
            self.word_probs[: t + 1] = np.array(self._early)[:, :, self.words].transpose(0, 2, 1)
            self._early = []

    def seen_early(self, name: str) -> np.ndarray:
        """Return a column of the sweeps that set the axes: the run's own first ones, and those of its reference."""
        own: np.ndarray = getattr(self, name)[: self.look + 1]
        return np.concatenate([self._reference.seen_early(name), own]) if self._reference else own

    def _note(self, t: int, record: list[Update]) -> None:
        """Keep how sure each label was when it was drawn."""
        labels = [update for update in record if not isinstance(update.site, str)]
        certainty = np.full(self.corpus.size, NOT_DRAWN, np.uint8)
        if labels:
            log_weights = np.array([update.conditional.log_weights for update in labels])
            values = [update.value for update in labels]
            with np.errstate(invalid="ignore"):  # -inf - -inf, where every option underflowed
                drawn = 100 * special.softmax(log_weights, axis=1)[np.arange(len(values)), values]
            sites = [int(update.site) for update in labels]
            certainty[sites] = np.where(np.isfinite(drawn), drawn.round(), UNDEFINED)
        self.certainty[t] = certainty

    def close_up(self, sweep: int) -> CloseUp[DocumentsState]:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return CloseUp(self.chain, sweep, self.state(sweep - 1))


def word_probs(sampler: NaiveBayes, state: DocumentsState) -> np.ndarray:
    """Return the word probabilities in a state, or those expected given its labels, shape (K, V)."""
    if sampler.word_probs == "explicit":
        return state.word_probs
    seen = state.word_counts + sampler.word_prior
    return seen / seen.sum(axis=1, keepdims=True)


def contrasting(probs: np.ndarray, number: int) -> np.ndarray:
    """Return the words with the largest contrast between classes, the largest first: integers of shape (number,).

    A word's contrast is the sum over classes of (p - q) log(p / q), q being its mean over the classes.
    """
    mean = probs.mean(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        contrast = ((probs - mean) * np.log(probs / mean)).sum(axis=0)
    return np.argsort(-contrast, kind="stable")[:number]


def by_lean(probs: np.ndarray, words: np.ndarray) -> np.ndarray:
    """Return words ordered by how much they favour the first class, the most typical first."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # a tiny prior draws probabilities of 0
        lean = np.log(probs[0] / np.max(probs[1:], axis=0))
    return words[np.argsort(-lean[words], kind="stable")]


class Order:
    """The sites of a sweep, in order: the same in every sweep, from any of the sampler's states.

    Attributes
    ----------
    sites : list
        Messages, and before or after them blocks.
    documents : numpy.ndarray
        The message of each update, -1 for a block; shape (updates,).
    visit_of : numpy.ndarray
        Which update is a message's, a number beyond all if it is not visited; shape (M,).
    """

    def __init__(self, sampler: NaiveBayes, state: DocumentsState) -> None:
        self.sites: list[int | str] = list(sampler.sites(state))
        self.documents = np.array([-1 if isinstance(site, str) else site for site in self.sites], np.int64)
        visited = self.documents >= 0
        self.visit_of = np.full(len(state.labels), len(self.sites))
        self.visit_of[self.documents[visited]] = np.flatnonzero(visited)

    def frame_of(self, document: int, otherwise: int) -> int:
        """Return the frame in which a message is taken out, or another one if it is not visited."""
        visit = int(self.visit_of[document])
        return 4 * visit + 1 if visit < len(self.sites) else otherwise

    def document_at(self, t: int, otherwise: int) -> int:
        """Return the message that frame t speaks of: that of its update, or of the last one before a block."""
        seen = self.documents[: max(t - 1, 0) // 4 + 1]
        seen = seen[seen >= 0]
        return int(seen[-1]) if seen.size else otherwise
