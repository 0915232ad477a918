"""The mode of documents, whose classes are those of naive Bayes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.settings.calls import Origins, call
from lessons.settings.program_data import DOCUMENTS, counted
from lessons.topics.marginalise.mixture import Mixture
from samplers.gradient.naive_bayes_marginal import MarginalModel
from samplers.mixtures.exact_labellings import ExactLabels, exact_naive_bayes
from samplers.mixtures.labels import HIDDEN
from samplers.mixtures.naive_bayes import NaiveBayes

if TYPE_CHECKING:
    from lessons.topics.marginalise import MarginaliseSettings


class Documents(Mixture):
    """Documents whose words are counted; a close-up can go by the terms that the program adds."""

    controls = (
        *("data", "variant", "known_labels", "classes", "words", "word_prior", "class_prior", "rule"),
        "gamma_scope",
    )
    close_ups = ("leapfrog", "term")

    def comparable(self, settings: "MarginaliseSettings") -> bool:
        """Return whether Gibbs samples the same posterior: prediction keeps the unlabelled documents out of it."""
        return settings.variant in ("unsupervised", "full Bayes")

    def classes(self, settings: "MarginaliseSettings") -> int:
        return settings.classes

    def labels(self, settings: "MarginaliseSettings") -> np.ndarray:
        return settings.corpus().shown

    def origins(self, settings: "MarginaliseSettings") -> Origins:
        """Return the calls that read the documents, count their words and choose the labels to show."""
        reading = call(DOCUMENTS[settings.data])
        how = settings.words, settings.variant, settings.known_labels
        return {"messages": reading, **counted(reading.made(), *how)}

    def target(self, settings: "MarginaliseSettings") -> MarginalModel:
        return settings.density(*_given(settings), unlabelled=settings.unlabelled)

    def gibbs(self, settings: "MarginaliseSettings") -> NaiveBayes:
        return NaiveBayes(*_given(settings), word_probs=settings.gibbs, weights=settings.gibbs)

    def listed(self, settings: "MarginaliseSettings") -> ExactLabels:
        return exact_naive_bayes(*_given(settings))

    def gamma(
        self, settings: "MarginaliseSettings", target: Any, position: np.ndarray, item: int
    ) -> tuple[np.ndarray, np.ndarray]:
        terms = target.log_joint_steps(position, item)
        return terms, terms[0] + int(settings.repeat) * terms[1:].sum(axis=0)

    def steps(self, settings: "MarginaliseSettings") -> int:
        return _terms(settings) if settings.step_by == "term" else super().steps(settings)


def _given(settings: "MarginaliseSettings") -> tuple[Any, int, float, float, np.ndarray]:
    """Return the arguments of density, Gibbs and list: counts, K, α, β and the labels that are shown."""
    corpus = settings.corpus()
    return corpus.bag.counts, settings.classes, settings.class_prior, settings.word_prior, corpus.shown


def _terms(settings: "MarginaliseSettings") -> int:
    """Return how often a program adds a term.

    There are Jacobian and priors, every word, where γ begins, each sum over labels, the way back, and each drawn label.
    A γ that is local to the model is made once more for the way back.
    """
    page, counts = settings.page, settings.corpus().bag.counts
    there = page[settings.labels[page] == HIDDEN]
    hidden = len(there)
    summed = any(line.role == "log_sum_exp" for line in settings.program())
    again = 1 + int(counts[there].sum()) if summed and settings.local and hidden else 0
    words, sums = int(counts[page].sum()), hidden if summed else 0
    return 3 + words + (hidden < len(page)) + 2 * (hidden > 0) + sums + again + hidden
