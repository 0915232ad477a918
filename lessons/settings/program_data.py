"""The documents that a Stan program is given, with the labels that it sees."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from lessons.data.corpora import Corpus, show_labels
from lessons.data.messages import Messages, six_messages, toy_messages
from lessons.data.words import BagOfWords, bag_of_words
from lessons.settings.calls import Origins, call
from samplers.mixtures.labels import HIDDEN

ALL_LABELS = 40  # this many known labels stand for all of them
DOCUMENTS = {"six_messages": six_messages, "toy_corpus": toy_messages}


@lru_cache(maxsize=64)
def corpus_of(data: str, words: int, variant: str, known_labels: int) -> Corpus:
    """Return the documents, words counted; those without a label are not given to the supervised program."""
    messages = DOCUMENTS[data]()
    calls = counted(messages, words, variant, known_labels)
    bag, shown = calls["bag"].made(), calls["labels"].made()
    if variant != "supervised":
        return Corpus(messages, bag, shown)
    kept = np.flatnonzero(shown != HIDDEN)
    few = replace(messages, texts=tuple(messages.texts[i] for i in kept), labels=messages.labels[kept])
    return Corpus(few, _some_of(bag, kept), shown[kept])


def counted(messages: Messages, words: int, variant: str, known_labels: int) -> Origins:
    """Return the calls that count words and choose the labels to show."""
    number = 0 if variant == "unsupervised" else len(messages.texts) if known_labels == ALL_LABELS else known_labels
    return {
        "bag": call(bag_of_words, messages.texts, most_words=words),
        "labels": call(show_labels, messages.labels, number, 0),
    }


def _some_of(bag: BagOfWords, kept: np.ndarray) -> BagOfWords:
    """Return the bag of some of the texts, with the vocabulary of all."""
    return replace(
        bag,
        counts=bag.counts[kept],
        spans=tuple(bag.spans[i] for i in kept),
    )
