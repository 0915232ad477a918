"""Documents that a naive Bayes model has not seen: their class, word by word, and how the model would make one.

Given the labels of the documents that it has seen, word probabilities and weights have Dirichlet posteriors, so that a
new document is predicted in closed form; labels are averaged over: those of a chain's sweeps, or all of them with their
exact probabilities. What is averaged is p(class, words | labels), not the class's probability: a labelling under which
these words are probable counts for more.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse, special

from samplers.conjugate.dirichlet import Dirichlet
from samplers.mixtures.naive_bayes import NaiveBayes, log_joints_by_class


def log_joints(model: NaiveBayes, labels: ArrayLike, words: ArrayLike) -> np.ndarray:
    """Return log p(class, first words | labels) of a new document, all parameters integrated out.

    Parameters
    ----------
    model : NaiveBayes
        With the documents that it has seen.
    labels : array_like of int
        Of those, shape (M,).
    words : array_like of int
        The new document's, in reading order, shape (words,); a word may come again.

    Returns
    -------
    numpy.ndarray
        Shape (words + 1, K): before the first word and after each. A word is predicted with those before it known.
    """
    words = np.asarray(words, int)
    seen = model.word_counts(labels) + model.word_prior
    before = np.array([(words[:place] == word).sum() for place, word in enumerate(words)])
    each = np.log(seen[:, words] + before) - np.log(seen.sum(axis=1)[:, None] + np.arange(len(words)))
    return _cumulated(model.log_mean_weights(_sizes(model, labels)), each)


def drawn_log_joints(model: NaiveBayes, labels: ArrayLike, words: ArrayLike, rng: np.random.Generator) -> np.ndarray:
    """Return the same given parameters that are drawn from their posterior given the labels: arguments as there.

    Words that the document does not have are drawn together, as one: a Dirichlet distribution allows it.
    """
    distinct, which = np.unique(np.asarray(words, int), return_inverse=True)
    seen = model.word_counts(labels) + model.word_prior
    here = seen[:, distinct]
    rest = seen.sum(axis=1, keepdims=True) - here.sum(axis=1, keepdims=True)
    some = distinct.size < model.vocabulary_size
    log_probs = Dirichlet(np.hstack([here, rest]) if some else here).draw(rng)
    log_weights = model.draw_log_weights(_sizes(model, labels), rng)
    return _cumulated(log_weights, log_probs[:, which])


def class_probabilities(
    model: NaiveBayes, labellings: ArrayLike, words: ArrayLike, probabilities: ArrayLike | None = None
) -> np.ndarray:
    """Return the probability of each class of a new document, averaged over labels of the documents seen.

    Before the first word and after each: shape (words + 1, K).

    Parameters
    ----------
    model, words
        As for `log_joints`.
    labellings : array_like of int
        Shape (labellings, M): of sweeps, or all that there are.
    probabilities : array_like, optional
        Of each labelling; each counts the same if left out.
    """
    each = np.array([log_joints(model, labels, words) for labels in np.asarray(labellings)])
    if probabilities is not None:
        with np.errstate(divide="ignore"):
            each = each + np.log(np.asarray(probabilities))[:, None, None]
    return special.softmax(special.logsumexp(each, axis=0), axis=1)


def log_joints_of_documents(model: NaiveBayes, labels: ArrayLike, counts: sparse.csr_array) -> np.ndarray:
    """Return log p(class, words | labels) of each of some new documents by itself, shape (documents, K).

    Parameters
    ----------
    model, labels
        As for `log_joints`.
    counts : scipy.sparse.csr_array
        How often each new document has each word of the model's vocabulary, shape (documents, V).
    """
    log_weights, seen = model.log_mean_weights(_sizes(model, labels)), model.word_counts(labels) + model.word_prior
    return log_joints_by_class(counts, seen, log_weights)


class MadeDocument(NamedTuple):
    """A document that a model has made."""

    label: int  # its class
    words: np.ndarray  # in the order in which they were drawn, integers of shape (words,)
    uniforms: np.ndarray  # the random numbers that drew the class and each word, shape (words + 1,)


def make_document(weights: ArrayLike, word_probs: ArrayLike, length: int, rng: np.random.Generator) -> MadeDocument:
    """Draw a class by the weights, and then words by its word probabilities.

    Parameters
    ----------
    weights : array_like
        Of the classes, shape (K,).
    word_probs : array_like
        Shape (K, V).
    length : int
        How many words, which the model does not say.
    rng : numpy.random.Generator
        For one number for the class and one for each word.
    """
    uniforms = rng.random(length + 1)
    label = int(_hit(np.asarray(weights), uniforms[:1])[0])
    return MadeDocument(label, _hit(np.asarray(word_probs)[label], uniforms[1:]), uniforms)


def replicate_word_totals(model: NaiveBayes, labels: ArrayLike, rng: np.random.Generator) -> np.ndarray:
    """Return how often each word comes in as many new documents, with the same labels and lengths: shape (V,).

    Word probabilities are drawn from their posterior given the labels, and words by them: one set of data for a
    posterior predictive check (Gelman, Meng & Stern 1996).
    """
    counts = model.word_counts(labels)
    log_probs = Dirichlet(counts + model.word_prior).draw(rng)
    totals: np.ndarray = np.zeros(model.vocabulary_size, int)
    for there, logs in zip(counts, log_probs, strict=True):
        probs = np.exp(logs)
        totals += rng.multinomial(int(there.sum()), probs / probs.sum())
    return totals


def _hit(probabilities: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """Return which option each random number from 0 to 1 hits, the options lying end to end."""
    ends = np.cumsum(probabilities)
    return np.minimum(np.searchsorted(ends / ends[-1], uniforms, side="right"), len(ends) - 1)


def _sizes(model: NaiveBayes, labels: ArrayLike) -> np.ndarray:
    return np.bincount(np.asarray(labels, int), minlength=model.classes)


def _cumulated(log_weights: np.ndarray, each: np.ndarray) -> np.ndarray:
    """Return the sums of log weights, shape (K,), and terms of words, shape (K, words), word by word."""
    return np.cumsum(np.vstack([log_weights, each.T]), axis=0)
