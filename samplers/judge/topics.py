"""Problems of topics: the topic of each word, with shares and word probabilities integrated out."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from samplers.judge.documents import Knows
from samplers.judge.mixtures import ALMOST_NOTHING
from samplers.judge.problem import Limit, Name, Own, Problem
from samplers.judge.table import Table, options_of
from samplers.topics.exact import exact_lda
from samplers.topics.lda import LDA

DOCUMENTS, WORDS, TOPICS = ((0, 0, 1), (2, 0, 2, 1)), 3, 2
TOPIC_PRIOR, BETA = 0.8, 0.5
WORD = {
    "n_doc": Name("n_doc", "how many other words of the document have the topic"),
    "n_word": Name("n_word", "how often the topic has this word elsewhere"),
    "n_topic": Name("n_topic", "how many other words have the topic"),
    "alpha": Name("α", "the pseudo-count of each topic in a document"),
    "beta": Name("β", "the pseudo-count of each word in a topic"),
    "V": Name("V", "how many different words there are"),
    "K": Name("K", "how many topics there are"),
    "length": Name("length", "how many other words the document has"),
    "mine": Name("mine", "1 for the topic that the word has just left, and 0 for others"),
}


def _known_of_word(sampler: LDA, lifted: Any, site: Any, conditional: Any) -> Iterator[tuple[int, Knows]]:
    document, word = sampler.words.document[site], sampler.words.word[site]
    for topic in range(sampler.topics):
        yield (
            0,
            {
                "n_doc": float(lifted.by_document[document][topic]),
                "n_word": float(lifted.by_word[word][topic]),
                "n_topic": float(lifted.totals[topic]),
                "alpha": lifted.topic_prior,
                "beta": lifted.word_prior,
                "V": float(sampler.vocabulary),
                "K": float(sampler.topics),
                "length": float(sum(lifted.by_document[document])),
                "mine": float(lifted.labels[site] == topic),
            },
        )


def first_words(points: int) -> tuple[tuple[int, ...], ...]:
    """Return the documents up to a number of words."""
    first = DOCUMENTS[0][:points]
    rest = DOCUMENTS[1][: points - len(first)]
    return (first, rest) if rest else (first,)


def lda(points: int, rule: type[LDA] = LDA) -> LDA:
    """Return a sampler of the first words."""
    return rule(first_words(points), WORDS, TOPICS, TOPIC_PRIOR, BETA)


def _topics(points: int) -> Table:
    sampler = lda(points)
    exact = exact_lda(first_words(points), WORDS, TOPICS, TOPIC_PRIOR, BETA)
    states = [tuple(labels) for labels in exact.labellings.tolist()]
    return Table(states, range(points), options_of(sampler, partial(_known_of_word, sampler)), exact.probabilities)


LDA_WORD = Problem(
    "lda-word",
    "The topic of a word",
    {"a topic": WORD},
    ("(n_doc + alpha) * (n_word + beta) / (n_topic + V * beta)",),
    _topics,
    7,
    wrong={
        "the document's count includes the word": [
            ("(n_doc + mine + alpha) * (n_word + beta) / (n_topic + V * beta)",)
        ],
        "the topic's counts include the word": [
            ("(n_doc + alpha) * (n_word + mine + beta) / (n_topic + mine + V * beta)",)
        ],
        "all counts include the word": [
            ("(n_doc + mine + alpha) * (n_word + mine + beta) / (n_topic + mine + V * beta)",)
        ],
        "one β below, where all words have one": [("(n_doc + alpha) * (n_word + beta) / (n_topic + beta)",)],
        "the topic's total is forgotten": [("(n_doc + alpha) * (n_word + beta)",)],
        "the document is forgotten": [("(n_word + beta) / (n_topic + V * beta)",)],
        "the word is forgotten": [("n_doc + alpha",)],
        "α is forgotten": [("n_doc * (n_word + beta) / (n_topic + V * beta)",)],
        "β is forgotten": [
            ("(n_doc + alpha) * n_word / n_topic",),
            ("(n_doc + alpha) * n_word / (n_topic + V * beta)",),
        ],
        "α is shared among the topics": [("(n_doc + alpha / K) * (n_word + beta) / (n_topic + V * beta)",)],
        "α and β exchanged": [("(n_doc + beta) * (n_word + alpha) / (n_topic + V * alpha)",)],
        "topics in place of words below": [("(n_doc + alpha) * (n_word + beta) / (n_topic + K * beta)",)],
        "one is taken off, though the word is out already": [
            ("(n_doc + alpha - 1) * (n_word + beta) / (n_topic + V * beta)",),
            ("(n_doc + alpha - 1) * (n_word + beta - 1) / (n_topic + V * beta - 1)",),
        ],
        "a sum in place of the product": [("n_doc + alpha + (n_word + beta) / (n_topic + V * beta)",)],
        "no pseudo-counts below": [("(n_doc + alpha) * (n_word + beta) / n_topic",)],
        "no pseudo-counts at all": [("n_doc * n_word / n_topic",), ("n_doc / length * n_word / n_topic",)],
        "the bracket below is forgotten": [
            ("(n_doc + alpha) * (n_word + beta) / n_topic + V * beta",),
            ("(n_doc + alpha) * (n_word + beta) / n_topic + beta",),
        ],
        "log weights that were not exponentiated": [
            ("log(n_doc + alpha) + log(n_word + beta) - log(n_topic + V * beta)",)
        ],
    },
    limits=(Limit("as β goes to infinity", {"beta": 1 / ALMOST_NOTHING}), Limit("where β is 1", {"beta": 1.0})),
    noun="words",
    own=Own(
        lambda points: {
            "words": tuple(lda(points).words.word),
            "documents": tuple(lda(points).words.document),
            "topics": TOPICS,
            "vocabulary": WORDS,
            "alpha": TOPIC_PRIOR,
            "beta": BETA,
        },
        {
            "words": "which word each is, from 0",
            "documents": "the document of each word, from 0",
            "topics": "how many topics there are",
            "vocabulary": "V",
            "alpha": "α, the pseudo-count of each topic in a document",
            "beta": "β, the pseudo-count of each word in a topic",
        },
    ),
    knows=_known_of_word,
)
