"""Labels summed out of a mixture, so that what is left is smooth and a gradient can be followed: what Stan does.

Stan has no discrete parameters. The Stan user's guide, section "Naive Bayes classification and clustering", sums over
the classes of each document and runs its sampler on the weights and word probabilities alone; the probability of each
class comes back afterwards, from the same numbers that were summed.
"""

from abc import ABC, abstractmethod
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from samplers import portable
from samplers.conjugate.dirichlet import Dirichlet
from samplers.gradient.stan_programs import Line, Variant, program
from samplers.gradient.unconstrained import Simplexes
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import as_documents
from samplers.portable import dot, total

Unlabelled = Literal["model", "generated quantities"]


class LogSumExp:
    """log Σ exp of each row, by way of the row's largest term, so that nothing that counts can underflow.

    Parameters
    ----------
    terms : array_like
        Logarithms, shape (..., K), with a finite one in each row.

    Attributes
    ----------
    largest : numpy.ndarray
        The largest term of each row, shape (...).
    shifted : numpy.ndarray
        exp(term - largest), shape (..., K): 1 for the largest, and 0 only for what is lost in the sum anyway.
    values : numpy.ndarray
        largest + log Σ shifted, shape (...).

    Examples
    --------
    >>> sums = LogSumExp([[-1000.0, -1001.0]])
    >>> sums.shifted.round(3), sums.values.round(3), naive_log_sum_exp([[-1000.0, -1001.0]])
    (array([[1.   , 0.368]]), array([-999.687]), array([-inf]))
    """

    def __init__(self, terms: ArrayLike) -> None:
        logs = np.asarray(terms, float)
        self.largest: np.ndarray = logs.max(axis=-1)
        self.shifted: np.ndarray = portable.exp(logs - self.largest[..., None])
        self._totals: np.ndarray = self.shifted.sum(axis=-1)
        self.values: np.ndarray = self.largest + portable.log(self._totals)

    @property
    def softmax(self) -> np.ndarray:
        """Each term's share of the sum, shape (..., K): what log Σ exp rises by when the term rises by 1."""
        return self.shifted / self._totals[..., None]


def naive_log_sum_exp(terms: ArrayLike) -> np.ndarray:
    """Return log Σ exp of each row as it is written: -inf where every exponential underflows, inf where one overflows.

    Parameters
    ----------
    terms : array_like
        Logarithms, shape (..., K). Below about -745 an exponential is 0 as a float.
    """
    with np.errstate(over="ignore", divide="ignore"):
        return np.log(np.exp(np.asarray(terms, float)).sum(axis=-1))


class MarginalModel(ABC):
    """A mixture with its labels summed out, as a density of unconstrained numbers.

    Attributes
    ----------
    dimension : int
        How many numbers a position has.
    """

    dimension: int

    def log_density(self, position: ArrayLike) -> float:
        """Return the log density of a position, nothing dropped: the sum of `log_density_terms`."""
        return self.log_density_and_gradient(position)[0]

    def class_probabilities(self, position: ArrayLike) -> np.ndarray:
        """Return the probability of each class for each item given the parameters, from the item alone: shape (M, K).

        It is what Stan's ``softmax(gamma[m])`` gives. An item whose label is known gets what its content says of it.
        """
        return LogSumExp(self.log_joint_by_class(position)).softmax

    @abstractmethod
    def log_density_and_gradient(self, position: ArrayLike) -> tuple[float, np.ndarray]:
        """Return log density and gradient, which share most of the work."""

    @abstractmethod
    def log_density_terms(self, position: ArrayLike) -> dict[str, float]:
        """Return the terms of the log density, by name."""

    @abstractmethod
    def log_joint_by_class(self, position: ArrayLike) -> np.ndarray:
        """Return γ: log p(item, class) for each item and class given the parameters, shape (M, K)."""

    def _checked(self, position: ArrayLike) -> np.ndarray:
        numbers = np.asarray(position, float)
        if numbers.shape[-1:] != (self.dimension,):
            raise ValueError(f"a position must have {self.dimension} numbers, got the shape {numbers.shape}")
        return numbers


class ClassParameters(NamedTuple):
    """Parameters of `NaiveBayesMarginal` at a position, on their own scale."""

    weights: np.ndarray  # of the classes, shape (..., K)
    word_probs: np.ndarray  # of each word in each class, shape (..., K, V)


class NaiveBayesMarginal(MarginalModel):
    """Naive Bayes on documents with the hidden labels summed out.

    A position has the K - 1 unconstrained numbers of the weights, and then V - 1 for the word probabilities of each
    class in turn, as in `samplers.gradient.unconstrained.Simplexes`.

    Parameters
    ----------
    counts, classes, class_prior, word_prior, labels
        As for `samplers.mixtures.naive_bayes.NaiveBayes`.
    unlabelled : {"model", "generated quantities"}, optional
        Whether documents with hidden labels are part of the density, or have no part in it and only get class
        probabilities: Stan's full Bayes, or its prediction without model updates.

    Raises
    ------
    TypeError, ValueError
        As there, and if ``unlabelled`` is something else.

    Notes
    -----
    The labels make the four programs of the user's guide: all known, the supervised one; all hidden, the unsupervised
    one; some of either, one of the two named above. The mean of a document's class probabilities over draws is the
    posterior probability of its label if the document is part of the density. If it is not, it is a little off that,
    as the document's own words then have no say in what the classes are like.

    As in `samplers.mixtures.naive_bayes.NaiveBayes`, what has a probability is the words in their order.

    Examples
    --------
    >>> model = NaiveBayesMarginal([[3, 0, 1], [2, 1, 0], [0, 4, 2]], 2, 1.0, 0.5, labels=[0, -1, 1])
    >>> position = model.unconstrain([0.5, 0.5], [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]])
    >>> model.class_probabilities(position)[1].round(3)
    array([0.942, 0.058])
    """

    def __init__(
        self,
        counts: ArrayLike | sparse.sparray | sparse.spmatrix,
        classes: int,
        class_prior: ArrayLike,
        word_prior: ArrayLike,
        labels: ArrayLike | None = None,
        *,
        unlabelled: Unlabelled = "model",
    ) -> None:
        documents = as_documents(counts, classes, class_prior, word_prior, labels)
        self.counts, self.classes, self.class_prior, self.word_prior, self.labels = documents
        self.vocabulary_size = self.counts.shape[1]
        self.labels.flags.writeable = False
        if unlabelled not in get_args(Unlabelled):
            raise ValueError(f"unlabelled must be 'model' or 'generated quantities', got {unlabelled!r}")
        self.unlabelled = unlabelled
        self.dimension = self.classes - 1 + self.classes * (self.vocabulary_size - 1)

        known = (self.labels[:, None] == np.arange(self.classes)).astype(float)
        self._label_counts = known.sum(axis=0)
        self._word_counts = np.asarray((self.counts.T @ known).T)
        self._summed = self.counts[self._summed_out()]
        self._summed_by_word = sparse.csr_array(self._summed.T)
        prior = [self.class_prior, *[self.word_prior] * self.classes]
        self._log_normaliser = total(Dirichlet(row).log_density(np.zeros(len(row))) for row in prior)
        self._class_slopes = self._label_counts + self.class_prior - 1
        self._word_slopes = self._word_counts + self.word_prior - 1

    def constrain(self, position: ArrayLike) -> ClassParameters:
        """Return weights and word probabilities; of several positions if there are leading axes."""
        return ClassParameters(*(np.exp(simplexes.log_probs) for simplexes in self._simplexes(position)))

    def unconstrain(self, weights: ArrayLike, word_probs: ArrayLike) -> np.ndarray:
        """Return the position of weights, shape (..., K), and word probabilities, shape (..., K, V).

        Raises
        ------
        ValueError
            If the shapes are others, if a probability is 0, or if probabilities do not sum to 1.
        """
        given = [np.asarray(weights, float), np.asarray(word_probs, float)]
        shapes = [(self.classes,), (self.classes, self.vocabulary_size)]
        if [values.shape[-len(shape) :] for values, shape in zip(given, shapes, strict=True)] != shapes:
            raise ValueError(f"weights and word_probs must have the shapes {shapes[0]} and {shapes[1]}")
        with np.errstate(divide="ignore", invalid="ignore"):  # Simplexes says what is wrong with 0 or less
            free = [Simplexes.unconstrain(np.log(values)) for values in given]
        return np.concatenate([free[0], free[1].reshape(*free[1].shape[:-2], -1)], axis=-1)

    def log_density_and_gradient(self, position: ArrayLike) -> tuple[float, np.ndarray]:
        """Return log density and gradient of a position of shape (dimension,)."""
        weights, words = self._simplexes(position)
        terms, class_slopes, word_slopes = self._terms(weights.log_probs, words.log_probs)
        gradient = np.concatenate([weights.pull_back(class_slopes), words.pull_back(word_slopes).ravel()])
        return total(terms.values()), gradient

    def log_density_terms(self, position: ArrayLike) -> dict[str, float]:
        """Return the terms of the log density, by name.

        They are ``"priors"``, ``"labelled documents"``, ``"unlabelled documents"`` (0 if they are generated quantities)
        and ``"log-Jacobian"``.
        """
        weights, words = self._simplexes(position)
        return self._terms(weights.log_probs, words.log_probs)[0]

    def log_joint_by_class(self, position: ArrayLike) -> np.ndarray:
        """Return γ for every document, in the density or not: log weight and log word probabilities, shape (M, K)."""
        weights, words = self._simplexes(position)
        return self._gamma(self.counts, weights.log_probs, words.log_probs)

    def log_joint_steps(self, position: ArrayLike, document: int) -> np.ndarray:
        """Return the terms that Stan's loops add up to a document's γ, one row for each addition: (1 + tokens, K).

        They are the log weights, and then for each word, in ascending order, its log probability in each class.
        """
        weights, words = self._simplexes(position)
        row = slice(*self.counts.indptr[document : document + 2])
        tokens = np.repeat(self.counts.indices[row], self.counts.data[row].astype(int))
        return np.vstack([weights.log_probs, words.log_probs[:, tokens].T])

    @staticmethod
    def sum_out(gamma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the log density of each document, shape (M,), and its slope in each γ, shape (M, K)."""
        sums = LogSumExp(gamma)
        return sums.values, sums.softmax

    @classmethod
    def program(cls, variant: Variant, *, local: bool = False) -> tuple[Line, ...]:
        """Return the lines of the Stan program that has this density; see `samplers.gradient.stan_programs.program`."""
        return program(variant, local=local)

    def _simplexes(self, position: ArrayLike) -> tuple[Simplexes, Simplexes]:
        numbers = self._checked(position)
        rows = (*numbers.shape[:-1], self.classes, self.vocabulary_size - 1)
        return Simplexes(numbers[..., : self.classes - 1]), Simplexes(numbers[..., self.classes - 1 :].reshape(rows))

    def _terms(
        self, log_weights: np.ndarray, log_word_probs: np.ndarray
    ) -> tuple[dict[str, float], np.ndarray, np.ndarray]:
        """Return the terms of the log density, and what it gains as each log weight and log word probability rises."""
        log_sums, shares = self.sum_out(self._gamma(self._summed, log_weights, log_word_probs))
        log_jacobian, jacobian_slope = self._log_jacobian(log_weights, log_word_probs)
        priors = dot(log_weights, self.class_prior - 1) + dot(log_word_probs, self.word_prior - 1)
        terms = {
            "priors": priors + self._log_normaliser,
            "labelled documents": dot(log_weights, self._label_counts) + dot(log_word_probs, self._word_counts),
            "unlabelled documents": float(log_sums.sum()),
            "log-Jacobian": log_jacobian,
        }
        class_slopes = self._class_slopes + shares.sum(axis=0) + jacobian_slope
        word_slopes = self._word_slopes + (self._summed_by_word @ shares).T + jacobian_slope
        return terms, class_slopes, word_slopes

    @staticmethod
    def _gamma(counts: sparse.csr_array, log_weights: np.ndarray, log_word_probs: np.ndarray) -> np.ndarray:
        return np.asarray(counts @ log_word_probs.T + log_weights)

    @staticmethod
    def _log_jacobian(log_weights: np.ndarray, log_word_probs: np.ndarray) -> tuple[float, float]:
        """Return the log-Jacobian of all simplexes, and its slope in each log probability."""
        return float(log_weights.sum() + log_word_probs.sum()), 1.0

    def _summed_out(self) -> np.ndarray:
        """Return the documents whose label is summed out in the density: integers of shape (documents,)."""
        return np.flatnonzero((self.labels == HIDDEN) & (self.unlabelled == "model"))
