"""Documents that are bags of words, each of one class: Gibbs sampling of a naive Bayes model, any labels hidden.

Resnik & Hardisty (2010, Gibbs sampling for the uninitiated), section 2: a document's class is drawn by the weights, and
each of its words by the class's word probabilities; both have Dirichlet priors. Either can be integrated out or stay in
plain sight; the weights can also be fixed. Their own sampler, and the default here, keeps the word probabilities alone.
"""

from math import lgamma
from typing import Any, Literal, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse, special

from samplers.checks import for_each, whole_from
from samplers.conjugate.dirichlet import Dirichlet, log_marginal_of_counts
from samplers.mixtures.labels import LabelSampler, LabelState, Weights, as_labels

WORD_PROBS = "word probabilities"  # the name of the block that redraws them
Variable = Literal["explicit", "collapsed"]
Start = Literal["random", "shown"]


class DocumentsState(LabelState):
    """Labels of documents, and what is known of the words of each class.

    Attributes
    ----------
    word_counts : numpy.ndarray
        How often each class has each word, shape (K, V), changed in place; of shape (0, 0) if the word probabilities
        are explicit, as they are then all that a label needs.
    word_totals : list of float
        How many words each class has; empty like the counts.
    log_word_probs : numpy.ndarray
        Logarithms of the word probabilities, shape (K, V); of shape (0, 0) if they are integrated out.
    """

    __slots__ = ("log_word_probs", "word_counts", "word_totals")

    def __init__(self, labels: list[int], counts: list[int]) -> None:
        super().__init__(labels, counts)
        self.word_counts = np.empty((0, 0))
        self.word_totals: list[float] = []
        self.log_word_probs = np.empty((0, 0))

    @property
    def word_probs(self) -> np.ndarray:
        """Probability of each word in each class, shape (K, V); of shape (0, 0) if they are integrated out."""
        return np.exp(self.log_word_probs)

    def copy(self) -> Self:
        twin = super().copy()
        twin.word_counts = self.word_counts.copy()
        twin.word_totals = self.word_totals.copy()
        return twin


class Document(NamedTuple):
    """Words of one document in the form that the collapsed update reads."""

    words: np.ndarray  # those that occur, each once, integers of shape (distinct,)
    times: np.ndarray  # how often, shape (distinct,)
    tokens: np.ndarray  # every occurrence: its word, integers of shape (tokens,)
    head_start: np.ndarray  # of every occurrence, the word's pseudo-count and its occurrences before, shape (tokens,)


class Documents(NamedTuple):
    """Documents and the settings of a naive Bayes model of them, checked by `as_documents`."""

    counts: sparse.csr_array  # how often each document has each word, shape (M, V)
    classes: int
    class_prior: np.ndarray  # shape (K,)
    word_prior: np.ndarray  # shape (V,)
    labels: np.ndarray  # class of each document, -1 where it is hidden, shape (M,)


class NaiveBayes(LabelSampler[DocumentsState]):
    """Classes of documents, with any of their labels hidden.

    Parameters
    ----------
    counts : scipy.sparse array or array_like
        How often each document has each word, whole numbers, shape (M, V); a document may be empty.
    classes : int
        K, from 2.
    class_prior : float or array_like
        Pseudo-count of each class, above 0: one number for all, or shape (K,).
    word_prior : float or array_like
        Pseudo-count of each word in every class, above 0: one number for all, or shape (V,).
    labels : array_like of int, optional
        Class of each document, shape (M,), and -1 where it is hidden. Known labels stay. All are hidden if left out.
    word_probs : {"explicit", "collapsed"}, optional
        Whether the word probabilities of the classes are a block of the sweep, or integrated out.
    weights : {"collapsed", "explicit", "equal"}, optional
        The same for the weights of the classes, or these are fixed at 1/K, as the Stan User's Guide (naive Bayes
        classification and clustering) mentions; then `class_prior` does nothing.
    start : {"random", "shown"}, optional
        How `init` labels what is hidden: each class with the same chance, or each document by itself as the known
        labels predict it. The second keeps a chain from settling with the right groups under wrong names.

    Raises
    ------
    TypeError
        If classes is no integer.
    ValueError
        If there is no document or no word in the vocabulary, if a count is no whole number from 0, or if a setting or a
        label is out of range.

    Notes
    -----
    A sweep redraws the hidden labels, and then the blocks; the values of both blocks are logarithms. What has a
    probability is the words in their order: as many as there are orders of the words have the same counts, and that
    number, the multinomial coefficient, is the same whatever the labels.

    With the word probabilities integrated out, the words of a document are predicted one after the other, each with all
    before it known, so that a word that comes c times weighs (n + β)(n + β + 1)…(n + β + c - 1) and not (n + β)^c (Yin
    & Wang 2014, A Dirichlet multinomial mixture model-based approach for short text clustering, equation 4).

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> counts = [[3, 0, 1], [2, 1, 0], [0, 4, 2], [0, 2, 3]]
    >>> state = Chain(NaiveBayes(counts, 2, 1.0, 0.5, labels=[0, -1, 1, -1]), seed=1)[20]
    >>> state.assignments
    array([0, 0, 1, 1])
    """

    already_there = "documents already there"
    fit = "words"

    def __init__(
        self,
        counts: ArrayLike | sparse.sparray | sparse.spmatrix,
        classes: int,
        class_prior: ArrayLike,
        word_prior: ArrayLike,
        labels: ArrayLike | None = None,
        *,
        word_probs: Variable = "explicit",
        weights: Weights = "collapsed",
        start: Start = "random",
    ) -> None:
        documents = as_documents(counts, classes, class_prior, word_prior, labels)
        self.counts, self.word_prior = documents.counts, documents.word_prior
        size, self.vocabulary_size = self.counts.shape
        if word_probs not in get_args(Variable):
            raise ValueError(f"word_probs must be 'explicit' or 'collapsed', got {word_probs!r}")
        if start not in get_args(Start):
            raise ValueError(f"start must be 'random' or 'shown', got {start!r}")
        self.word_probs = word_probs
        self.start = start
        content = WORD_PROBS if word_probs == "explicit" else None
        super().__init__(documents.labels, documents.classes, class_prior, weights, content)
        self._document_of = np.repeat(np.arange(size), np.diff(self.counts.indptr))
        self._prior_total = float(self.word_prior.sum())
        self._documents = [] if content else [self._document(item) for item in range(size)]

    def _first_labels(self, rng: np.random.Generator) -> np.ndarray:
        if self.start == "random":
            return super()._first_labels(rng)
        shares = np.cumsum(special.softmax(self._foretold(), axis=1), axis=1)
        return np.asarray((shares[:, :-1] < rng.random(len(shares))[:, None]).sum(axis=1))

    def _foretold(self) -> np.ndarray:
        """Return the log weight of each class for each document, given the known labels alone, shape (M, K)."""
        members = self.labels[:, None] == np.arange(self.classes)
        seen = (self.counts.T @ members.astype(float)).T + self.word_prior
        return log_joints_by_class(self.counts, seen, self.log_mean_weights(members.sum(axis=0)))

    def variables(self, state: DocumentsState) -> dict[str, Any]:
        """Return the same, and the word probabilities of each class where these are explicit."""
        words = {"word_probs": state.word_probs} if self.word_probs == "explicit" else {}
        return {**super().variables(state), **words}

    def _bare_state(self, labels: list[int], counts: list[int]) -> DocumentsState:
        state = DocumentsState(labels, counts)
        if self.word_probs == "collapsed":
            state.word_counts = self.word_counts(labels)
            state.word_totals = state.word_counts.sum(axis=1).tolist()
        return state

    def word_counts(self, labels: ArrayLike) -> np.ndarray:
        """Return how often each class has each word when the documents have these labels, floats of shape (K, V)."""
        cells = np.asarray(labels, np.int64)[self._document_of] * self.vocabulary_size + self.counts.indices
        size = self.classes * self.vocabulary_size
        totals: np.ndarray = np.bincount(cells, self.counts.data, size).astype(float)  # integers if there are no words
        return totals.reshape(self.classes, self.vocabulary_size)

    def tokens(self, document: int) -> np.ndarray:
        """Return the words of a document, every occurrence, in ascending order: integers of shape (tokens,)."""
        words, times = self._words(document)
        return np.repeat(words, times.astype(int))

    def word_terms(self, state: DocumentsState, document: int) -> np.ndarray:
        """Return the log probability in each class of each of a document's `tokens`, shape (tokens, K).

        The document has been taken out. In sum it is the term ``"words"``. With word probabilities integrated out, a
        word is predicted by the class's documents and the words before it.
        """
        if self.word_probs == "explicit":
            return np.asarray(state.log_word_probs[:, self.tokens(document)].T)
        seen = self._seen(state, document)
        read = np.array(state.word_totals)[:, None] + self._prior_total + np.arange(seen.shape[1])
        return np.asarray(np.log(seen / read).T)

    def _words(self, document: int) -> tuple[np.ndarray, np.ndarray]:
        places = slice(*self.counts.indptr[document : document + 2])
        words = self.counts.indices[places].astype(
            np.intp
        )  # half as many bits would take three times as long to look up
        return words, self.counts.data[places]

    def _document(self, item: int) -> Document:
        words, times = self._words(item)
        tokens = self.tokens(item)
        return Document(words, times, tokens, self.word_prior[tokens] + self._occurrences_before(times))

    @staticmethod
    def _occurrences_before(times: np.ndarray) -> np.ndarray:
        """Return for each occurrence of each word how many of the same have come before: 0, 1, … for each word."""
        ends = np.cumsum(times)
        return np.arange(times.sum()) - np.repeat(ends - times, times.astype(int))

    def _seen(self, state: DocumentsState, document: int) -> np.ndarray:
        """Return the count and pseudo-count of each occurrence's word in each class, shape (K, tokens)."""
        _, _, tokens, head_start = self._documents[document]
        seen: np.ndarray = state.word_counts.take(tokens, axis=1)
        seen += head_start
        return seen

    def _fits(self, state: DocumentsState, item: int) -> list[float]:
        seen = self._seen(state, item)
        tokens = seen.shape[1]
        fits: list[float] = np.log(seen, out=seen).sum(axis=1).tolist()
        for label, total in enumerate(state.word_totals):
            read = total + self._prior_total
            fits[label] -= lgamma(read + tokens) - lgamma(read)
        return fits

    def _put_in(self, state: DocumentsState, item: int, label: int) -> None:
        words, times, tokens, _ = self._documents[item]
        state.word_counts[label][words] += times
        state.word_totals[label] += tokens.size

    def _take_out(self, state: DocumentsState, item: int, label: int) -> None:
        words, times, tokens, _ = self._documents[item]
        state.word_counts[label][words] -= times
        state.word_totals[label] -= tokens.size

    def _content_conditional(self, state: DocumentsState) -> Dirichlet:
        return Dirichlet(self.word_counts(state.labels) + self.word_prior)

    def _typical_content(self, state: DocumentsState) -> np.ndarray:
        return self._content_conditional(state).log_mean()

    def _set_content(self, state: DocumentsState, value: Any) -> None:
        state.log_word_probs = value
        state.fits = (self.counts @ value.T).tolist()

    def _log_content(self, state: DocumentsState) -> float:
        if self.word_probs == "explicit":
            prior = np.broadcast_to(self.word_prior, state.log_word_probs.shape)
            log_prior = Dirichlet(prior).log_density(state.log_word_probs)
            return log_prior + float(np.vdot(self.word_counts(state.labels), state.log_word_probs))
        return float(log_marginal_of_counts(state.word_counts, self.word_prior).sum())


def as_documents(
    counts: ArrayLike | sparse.sparray | sparse.spmatrix,
    classes: int,
    class_prior: ArrayLike,
    word_prior: ArrayLike,
    labels: ArrayLike | None = None,
) -> Documents:
    """Return documents and settings in one form: arguments and errors as for `NaiveBayes`."""
    rows, size = _as_counts(counts), whole_from("classes", classes, 2)
    documents, vocabulary = rows.shape
    class_prior, word_prior = for_each("class_prior", class_prior, size), for_each("word_prior", word_prior, vocabulary)
    return Documents(rows, size, class_prior, word_prior, as_labels(labels, documents, size))


def log_joints_by_class(counts: sparse.csr_array, seen: np.ndarray, log_weights: np.ndarray) -> np.ndarray:
    """Return log p(class, words) of each document by itself, shape (M, K), the word probabilities integrated out.

    A word that comes c times weighs Γ(n + β + c) / Γ(n + β).

    Parameters
    ----------
    counts : scipy.sparse.csr_array
        How often each document has each word, shape (M, V).
    seen : numpy.ndarray
        n + β: how often each class has each word, with its pseudo-count, shape (K, V).
    log_weights : numpy.ndarray
        Of the classes, shape (K,).
    """
    sizes, times = np.diff(counts.indptr), counts.data
    which = np.repeat(np.arange(len(sizes)), sizes)
    read = np.bincount(which, times, len(sizes))
    found = np.empty((len(sizes), len(seen)))
    for label, there in enumerate(seen):
        here, total = there[counts.indices], there.sum()
        fit = np.bincount(which, special.gammaln(here + times) - special.gammaln(here), len(sizes))
        found[:, label] = log_weights[label] + fit - special.gammaln(total + read) + special.gammaln(total)
    return found


def _as_counts(counts: ArrayLike | sparse.sparray | sparse.spmatrix) -> sparse.csr_array:
    """Return a sparse array of its own, each word of a document once and in order."""
    try:
        given = counts if sparse.issparse(counts) else np.atleast_2d(np.asarray(counts, float))
        rows = sparse.csr_array(given, dtype=float, copy=True)
    except (TypeError, ValueError) as error:
        raise ValueError(f"counts must be numbers of shape (documents, words): {error}") from None
    if rows.ndim != 2 or not rows.shape[0] or not rows.shape[1]:
        raise ValueError(f"counts must have at least one document and one word, got the shape {rows.shape}")
    rows.sum_duplicates()
    rows.eliminate_zeros()
    bad = np.flatnonzero(~(np.isfinite(rows.data) & (rows.data > 0) & (rows.data == np.floor(rows.data))))
    if bad.size:
        document = np.searchsorted(rows.indptr, bad[0], side="right") - 1
        raise ValueError(f"counts must be whole numbers from 0, got {rows.data[bad[0]]:g} in document {document}")
    return rows
