"""Exact posterior over all labellings of a few items in K classes, and the transition matrix of a sweep.

Unlike the partitions of `samplers.partitions`, labellings have names for the classes: with three points and
two classes there are 8. Whatever a sampler integrates out or keeps, its labels must come from the distribution that is
found here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import log

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from samplers.checks import finite_above, for_each, whole_from
from samplers.conjugate import Family
from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.enumerated import Enumerated, transitions
from samplers.mixtures.labels import HIDDEN, L, LabelSampler, as_labels
from samplers.mixtures.naive_bayes import as_documents

MOST_LABELLINGS = 60_000  # ten items in three classes are 59,049


@dataclass(frozen=True, eq=False)
class ExactLabels(Enumerated):
    """The posterior over every labelling."""

    labellings: np.ndarray  # in lexical order, known labels as they are: integers of shape (labellings, items)
    # log p(items, labelling) of each, with weights and parameters integrated out and nothing dropped
    log_joint: np.ndarray
    classes: int  # K

    @property
    def class_probabilities(self) -> np.ndarray:
        """Posterior probability of each class for each item, shape (items, K)."""
        by_class = self.labellings[:, :, None] == np.arange(self.classes)
        return np.tensordot(self.probabilities, by_class, axes=1)


def exact_finite_mixture(
    data: ArrayLike, family: Family, components: int, class_prior: ArrayLike, labels: ArrayLike | None = None
) -> ExactLabels:
    """Return the posterior over all labellings of the points of a finite mixture.

    Parameters
    ----------
    data, family, components, class_prior, labels
        As for `samplers.mixtures.finite.FiniteMixture`.

    Raises
    ------
    ValueError
        If there are more than 60,000 labellings, if a setting is out of range, or if the data are not what the family
        takes.
    """
    rows = family.rows(data)
    classes = whole_from("components", components, 1)
    prior = for_each("class_prior", class_prior, classes)
    return _posterior(
        as_labels(labels, len(rows), classes),
        classes,
        lambda counts: log_marginal_of_counts(counts, prior),
        lambda members: family.cluster(rows[members]).log_marginal(),
    )


def exact_truncated_stick(data: ArrayLike, family: Family, components: int, concentration: float) -> ExactLabels:
    """Return the posterior over all labellings of a mixture whose weights are a stick that is broken K - 1 times.

    Parameters
    ----------
    data, family, components
        As for `samplers.mixtures.finite.FiniteMixture`, with K from 2.
    concentration : float
        α, above 0: fractions are Beta(1, α), and the last component has the rest of the stick.

    Raises
    ------
    ValueError
        As for `exact_finite_mixture`.
    """
    rows = family.rows(data)
    classes = whole_from("components", components, 2)
    prior = np.array([1.0, finite_above("concentration", concentration, 0)])

    def log_prior(counts: np.ndarray) -> np.ndarray:
        later = counts[:, ::-1].cumsum(axis=1)[:, ::-1][:, 1:]
        return log_marginal_of_counts(np.stack([counts[:, :-1], later], axis=-1), prior).sum(axis=1)

    hidden = as_labels(None, len(rows), classes)
    return _posterior(hidden, classes, log_prior, lambda members: family.cluster(rows[members]).log_marginal())


def exact_naive_bayes(
    counts: ArrayLike | sparse.sparray | sparse.spmatrix,
    classes: int,
    class_prior: ArrayLike,
    word_prior: ArrayLike,
    labels: ArrayLike | None = None,
    *,
    equal_weights: bool = False,
) -> ExactLabels:
    """Return the posterior over all labellings of the documents of a naive Bayes model.

    Parameters
    ----------
    counts, classes, class_prior, word_prior, labels
        As for `samplers.mixtures.naive_bayes.NaiveBayes`.
    equal_weights : bool, optional
        Whether the weights are 1/K for certain; otherwise they have their prior and are integrated out.

    Raises
    ------
    TypeError, ValueError
        As there, and if there are more than 60,000 labellings.
    """
    documents = as_documents(counts, classes, class_prior, word_prior, labels)

    def fit(members: np.ndarray) -> float:
        return float(log_marginal_of_counts(documents.counts[members].sum(axis=0), documents.word_prior))

    def log_prior(counts: np.ndarray) -> np.ndarray:
        if equal_weights:
            return np.full(len(counts), -len(documents.labels) * log(documents.classes))
        return log_marginal_of_counts(counts, documents.class_prior)

    return _posterior(documents.labels, documents.classes, log_prior, fit)


def _posterior(
    labels: np.ndarray,
    classes: int,
    log_prior: Callable[[np.ndarray], np.ndarray],
    fit: Callable[[np.ndarray], float],
) -> ExactLabels:
    """Weigh every labelling by the sizes of its classes, shape (labellings, K), and by the fit of each class's members.

    A class's members are a subset of the items, and each subset is integrated once.
    """
    hidden = np.flatnonzero(labels == HIDDEN)
    if classes ** len(hidden) > MOST_LABELLINGS:
        raise ValueError(
            f"at most {MOST_LABELLINGS:,} labellings can be listed, and {len(hidden)} items in {classes} classes have "
            f"{classes ** len(hidden):,}"
        )
    every = np.repeat(labels[None], classes ** len(hidden), axis=0)
    every[:, hidden] = np.array(list(product(range(classes), repeat=len(hidden))), int)
    log_joint = log_prior((every[:, :, None] == np.arange(classes)).sum(axis=1))
    fit_of = cache(lambda members: fit(np.frombuffer(members, bool)))
    for label in range(classes):
        subsets, which = np.unique(every == label, axis=0, return_inverse=True)
        log_joint += np.array([fit_of(members.tobytes()) for members in subsets])[which]
    return ExactLabels(every, log_joint, classes)


def sweep_matrix(sampler: LabelSampler[L], labellings: np.ndarray) -> np.ndarray:
    """Return where one sweep of a sampler leads that has integrated everything out but the labels.

    The shape is (labellings, labellings): from the row's to the column's. Rows sum to 1.

    Parameters
    ----------
    sampler : LabelSampler
        Without blocks, on a few items (the time grows as the square of the number of labellings).
    labellings : numpy.ndarray
        All of them, shape (labellings, items).

    Raises
    ------
    ValueError
        If the sampler has blocks: their values are no finite list.
    """
    if sampler.blocks:
        raise ValueError(f"all but the labels must be integrated out, and {' and '.join(sampler.blocks)} are not")
    return transitions(sampler, map(tuple, labellings.tolist()))
