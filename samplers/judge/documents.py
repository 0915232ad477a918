"""Problems of documents: the class of each in naive Bayes, with weights in plain sight or summed out.

The word probabilities of the classes are given, as they are while a sweep redraws the labels.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import product
from math import exp
from typing import Any

import numpy as np
from scipy import special

from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.judge.mixtures import ALMOST_NOTHING
from samplers.judge.problem import Limit, Name, Own, Problem
from samplers.judge.table import Table, options_of
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.labels import WEIGHTS
from samplers.mixtures.naive_bayes import WORD_PROBS, DocumentsState, NaiveBayes, Variable
from samplers.recipe import Site

Knows = Mapping[str, float | list[float]]
PROBS = np.array([[0.32, 0.18, 0.28, 0.22], [0.22, 0.28, 0.30, 0.20]])
SHORT = ((2, 0, 1, 1), (0, 2, 1, 0), (1, 1, 0, 2), (0, 1, 2, 1), (2, 1, 1, 0), (1, 3, 0, 0))
LONG = tuple(tuple(200 + 4 * (count - 1) for count in document) for document in SHORT)
SHARES = (0.7, 0.3)
WORD_PRIOR = 1.0  # does nothing while the word probabilities are given
FIT = "words"


class GivenWords(NaiveBayes):
    """Naive Bayes between two draws of the word probabilities, and of the weights if these are in plain sight."""

    def state(self, assignments: Iterable[int]) -> DocumentsState:
        state = super().state(assignments)
        self.remember(state, WORD_PROBS, np.log(PROBS))
        if self.weights == "explicit":
            self.remember(state, WEIGHTS, np.log(SHARES))
        return state

    def sites(self, state: DocumentsState) -> Iterator[Site]:
        """Yield the documents alone."""
        return (site for site in super().sites(state) if not isinstance(site, str))

    def log_labels(self, state: DocumentsState) -> float:
        """Return the log joint of words and labels, given all else that is given."""
        fits = sum(fits[label] for fits, label in zip(state.fits, state.labels, strict=True))
        if self.weights == "explicit":
            return fits + float(np.dot(state.counts, np.log(SHARES)))
        return fits + float(log_marginal_of_counts(state.counts, self.class_prior))


def given_words(gamma: float, weights: Variable, documents: tuple[tuple[int, ...], ...], points: int) -> GivenWords:
    """Return a sampler of the first documents."""
    return GivenWords(documents[:points], len(PROBS), gamma, WORD_PRIOR, weights=weights)


def _of_class(sampler: NaiveBayes, lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Knows]]:
    counts = sampler.counts[[site]].toarray()[0].tolist()
    explicit = sampler.weights == "explicit"
    for label, (count, log_fit) in enumerate(zip(lifted.counts, conditional.terms[FIT], strict=True)):
        yield (
            0,
            {
                "n": float(count),
                "gamma": float(sampler.class_prior[0]),
                "total": float(len(lifted.labels) - 1),
                "classes": float(sampler.classes),
                "weight": exp(conditional.terms[sampler.class_term][label]) if explicit else 1 / sampler.classes,
                "fit": exp(log_fit),
                "mine": float(lifted.labels[site] == label),
                "counts": counts,
                "log_probs": lifted.log_word_probs[label].tolist(),
            },
        )


def _labels(sampler: GivenWords, form: Any, names: Mapping[str, Name]) -> Table:
    points = len(sampler.labels)
    states = list(product(range(len(PROBS)), repeat=points))
    posterior = special.softmax([sampler.log_labels(sampler.state(labels)) for labels in states])

    def knows(lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Knows]]:
        for line, known in _of_class(sampler, lifted, site, conditional):
            yield line, {name: value for name, value in known.items() if name in names}

    return Table(states, range(points), options_of(sampler, knows), posterior, form)


def _own(documents: tuple[tuple[int, ...], ...], more: Mapping[str, Any], meaning: Mapping[str, str]) -> Own:
    probs = tuple(map(tuple, PROBS.tolist()))
    words = {"counts": "how often each document has each word", "word_probs": "of each class: those of the words"}
    return Own(lambda points: {"counts": documents[:points], "word_probs": probs, **more}, words | dict(meaning))


ALL = {
    "n": Name("n", "how many other documents have the class"),
    "gamma": Name("γ", "the pseudo-count of each class"),
    "fit": Name("fit", "the probability of the document's words in the class"),
    "total": Name("total", "how many other documents there are"),
    "classes": Name("K", "how many classes there are"),
    "mine": Name("mine", "1 for the class that the document has just left, and 0 for others"),
    "weight": Name("π", "the weight of the class, as it was drawn last"),
    "counts": Name("counts", "how often the document has each word: a list"),
    "log_probs": Name("log θ", "the log probability of each word in the class: a list"),
}


def _some(*names: str) -> dict[str, Name]:
    return {name: ALL[name] for name in names}


SUMMED_OUT = _some("n", "gamma", "fit", "total", "classes", "mine")
IN_SIGHT = _some("weight", "fit", "n", "gamma", "total")
IN_LOGS = _some("n", "gamma", "counts", "log_probs", "total", "mine")
EQUAL_FITS = Limit("where all fits are equal", {"fit": 1.0})

PI_INTEGRATED = Problem(
    "pi-integrated",
    "The class of a document, with π integrated out",
    {"a class": SUMMED_OUT},
    ("(n + gamma) * fit",),
    lambda points: _labels(given_words(1.0, "collapsed", SHORT, points), "weights", SUMMED_OUT),
    6,
    wrong={
        "one too few, or γ left out: an empty class has nothing": [("(n + gamma - 1) * fit",), ("n * fit",)],
        "the counts include the document": [("(n + mine + gamma) * fit",)],
        "the counts are forgotten": [("fit",), ("gamma * fit",)],
        "the words are forgotten": [("n + gamma",)],
        "the -1 is divided on its own": [
            ("(n + gamma - 1 / (total + classes * gamma)) * fit",),
            ("(n + gamma - 1 / (total + classes * gamma - 1)) * fit",),
        ],
        "the pseudo-count is shared among the classes": [("(n + gamma / classes) * fit",)],
        "the pseudo-count is counted for all classes": [("(n + classes * gamma) * fit",)],
        "the words count twice": [("(n + gamma) * fit ** 2",)],
        "the log of the words' probability": [("(n + gamma) * log(fit)",)],
        "log weights that were not exponentiated": [("log(n + gamma) + log(fit)",)],
    },
    limits=(EQUAL_FITS, Limit("where γ is 2", {"gamma": 2.0})),
    noun="documents",
    own=_own(SHORT, {"gamma": 1.0}, {"gamma": "γ, the pseudo-count of each class"}),
    knows=_of_class,
)

PI_EXPLICIT = Problem(
    "pi-explicit",
    "The class of a document, with π in plain sight",
    {"a class": IN_SIGHT},
    ("weight * fit",),
    lambda points: _labels(given_words(1.0, "explicit", SHORT, points), "weights", IN_SIGHT),
    6,
    wrong={
        "the counts in place of the weights: two samplers mixed": [("(n + gamma) * fit",)],
        "the counts beside the weights": [
            ("weight * (n + gamma) * fit",),
            ("weight * n * fit",),
            ("(n + weight) * fit",),
        ],
        "the weights are forgotten": [("fit",)],
        "the words are forgotten": [("weight",)],
        "one minus the weight: the other class's": [("(1 - weight) * fit",)],
        "the weight counts twice": [("weight ** 2 * fit",)],
        "one too few, and for the wrong sampler": [("(n + gamma - 1) * fit",)],
    },
    limits=(EQUAL_FITS, Limit("where all weights are equal", {"weight": 0.5})),
    noun="documents",
    own=_own(SHORT, {"weights": SHARES}, {"weights": "π of each class"}),
    knows=_of_class,
)

NAIVE_BAYES_LOGS = Problem(
    "naive-bayes-logs",
    "The class of a long document, in logarithms",
    {"a class": IN_LOGS},
    ("log(n + gamma) + sum(counts * log_probs)",),
    lambda points: _labels(given_words(1.5, "collapsed", LONG, points), "logarithms", IN_LOGS),
    6,
    wrong={
        "no logarithms: the product underflows": [
            ("log((n + gamma) * exp(sum(counts * log_probs)))",),
            ("log(n + gamma) + log(exp(sum(counts * log_probs)))",),
        ],
        "a weight where its logarithm is asked for": [
            ("(n + gamma) * exp(sum(counts * log_probs))",),
            ("exp(log(n + gamma) + sum(counts * log_probs))",),
        ],
        "the count without its logarithm": [("n + gamma + sum(counts * log_probs)",)],
        "the logarithm of the count is multiplied": [("log(n + gamma) * sum(counts * log_probs)",)],
        "each word counts once": [
            ("log(n + gamma) + sum(log_probs)",),
            ("log(n + gamma) + sum(log_probs if counts > 0 else 0)",),
        ],
        "the word probabilities without logarithms": [("log(n + gamma) + sum(counts * exp(log_probs))",)],
        "one too few: the document is out of the count already": [("log(n + gamma - 1) + sum(counts * log_probs)",)],
        "the counts include the document": [("log(n + mine + gamma) + sum(counts * log_probs)",)],
        "the pseudo-count is forgotten": [
            ("log(n) + sum(counts * log_probs)",),
            ("log(n) + log(gamma) + sum(counts * log_probs)",),
        ],
        "the counts are forgotten": [("sum(counts * log_probs)",), ("log(gamma) + sum(counts * log_probs)",)],
        "the words are forgotten": [("log(n + gamma)",)],
        "the class counts for each word": [
            ("sum(counts * (log(n + gamma) + log_probs))",),
            ("sum(log(n + gamma) + counts * log_probs)",),
        ],
    },
    limits=(Limit("where all word probabilities are equal", {"log_probs": -1.0}),),
    noun="documents",
    own=_own(LONG, {"gamma": 1.5}, {"gamma": "γ, the pseudo-count of each class"}),
    knows=_of_class,
)

# ---- word probabilities integrated out -------------------------------------------------------------------------------

COLLAPSED = {
    "n": ALL["n"],
    "gamma": ALL["gamma"],
    "seen": Name("seen", "how often the other documents of the class have this word, for each word in turn: a list"),
    "before": Name("before", "how often this word has come before in the document, for each word in turn: a list"),
    "place": Name("place", "how many words of the document come before, for each word in turn: a list"),
    "words": Name("words", "how many words the other documents of the class have"),
    "beta": Name("β", "the pseudo-count of each word in a class"),
    "V": Name("V", "how many different words there are"),
}


def _word_by_word(sampler: NaiveBayes, lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Knows]]:
    tokens = sampler.tokens(site).tolist()
    before = [float(tokens[:place].count(word)) for place, word in enumerate(tokens)]
    for label, count in enumerate(lifted.counts):
        yield (
            0,
            {
                "n": float(count),
                "gamma": float(sampler.class_prior[0]),
                "seen": lifted.word_counts[label, tokens].tolist(),
                "before": before,
                "place": list(map(float, range(len(tokens)))),
                "words": float(lifted.word_totals[label]),
                "beta": float(sampler.word_prior[0]),
                "V": float(sampler.vocabulary_size),
            },
        )


def collapsed(points: int, rule: type[NaiveBayes] = NaiveBayes) -> NaiveBayes:
    """Return a sampler of the first documents."""
    return rule(SHORT[:points], 2, 1.5, 0.6, word_probs="collapsed")


def _collapsed_labels(points: int) -> Table:
    sampler = collapsed(points)
    exact = exact_naive_bayes(SHORT[:points], 2, sampler.class_prior, sampler.word_prior)
    states = [tuple(labels) for labels in exact.labellings.tolist()]
    options = options_of(sampler, partial(_word_by_word, sampler))
    return Table(states, range(points), options, exact.probabilities, "logarithms")


def _in_turn(above: str = "seen + before + beta", below: str = "words + place + V * beta") -> str:
    return f"sum(log({above}) - log({below}))"


NAIVE_BAYES_COLLAPSED = Problem(
    "naive-bayes-collapsed",
    "The class of a document, with its word probabilities integrated out, in logarithms",
    {"a class": COLLAPSED},
    (f"log(n + gamma) + {_in_turn()}",),
    _collapsed_labels,
    6,
    wrong={
        "repeated words as powers": [
            (f"log(n + gamma) + {_in_turn('seen + beta')}",),
            (f"log(n + gamma) + {_in_turn('seen + beta', 'words + V * beta')}",),
        ],
        "the document's own words are not added below": [(f"log(n + gamma) + {_in_turn(below='words + V * beta')}",)],
        "one β below, where all words have one": [
            (f"log(n + gamma) + {_in_turn(below='words + place + beta')}",),
            (f"log(n + gamma) + {_in_turn(below='words + beta')}",),
        ],
        "the number of words is forgotten": [("log(n + gamma) + sum(log(seen + before + beta))",)],
        "no pseudo-counts below": [(f"log(n + gamma) + {_in_turn(below='words + place')}",)],
        "no pseudo-counts above": [(f"log(n + gamma) + {_in_turn('seen + before')}",)],
        "the class's count is forgotten": [(_in_turn(),), (f"log(gamma) + {_in_turn()}",)],
        "the words are forgotten": [("log(n + gamma)",)],
        "the count without its logarithm": [(f"n + gamma + {_in_turn()}",)],
        "one too few: the document is out of the count already": [(f"log(n + gamma - 1) + {_in_turn()}",)],
        "the pseudo-count of the class is forgotten": [(f"log(n) + {_in_turn()}",)],
        "a weight where its logarithm is asked for": [(f"(n + gamma) * exp({_in_turn()})",)],
    },
    limits=(
        Limit("where no word comes twice in a document", {"before": 0.0}),
        Limit("as β goes to infinity", {"beta": 1 / ALMOST_NOTHING}),
    ),
    noun="documents",
    own=Own(
        lambda points: {"counts": SHORT[:points], "classes": 2, "gamma": 1.5, "beta": 0.6},
        {
            "counts": "how often each document has each word",
            "classes": "how many classes there are",
            "gamma": "γ, the pseudo-count of each class",
            "beta": "β, the pseudo-count of each word in a class",
        },
    ),
    knows=_word_by_word,
)
