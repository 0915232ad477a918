"""Documents for topics: words in reading order with the vocabulary, and the theme of each word where it is known.

The messages about two things are made of sentences about food, sport or travel; the sampler never sees which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from lessons.data.messages import Messages
from lessons.data.words import NO_WORD, BagOfWords, StopWords, bag_of_words
from samplers.data.topics import EIGHT, SIDE, TWELVE, TopicData, bars

SENTENCES = Path(__file__).with_name("two_things.tsv")
MESSAGES, ALONE = 120, 0.4  # how many, and the share of them that are about one thing
MOST_TOKENS = 20_000  # words in all, of a learner's own messages
UNKNOWN = -1  # the theme of a word whose theme is not known

Documents = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class TopicTexts:
    """Documents, and what is known of them."""

    documents: Documents  # the words of each document as numbers in the vocabulary, in reading order
    words: tuple[str, ...]  # the vocabulary; names of pixels for images
    themes: np.ndarray  # the true theme of each word, document after document, -1 where it is not known; shape (N,)
    names: tuple[str, ...] = ()  # names of the themes
    # the word probabilities of the topics that made the documents, shape (themes, V), where these are known
    truth: np.ndarray | None = None
    side: int = 0  # the pixels across and down of an image; 0 for texts
    notes: tuple[str, ...] = ()  # what was left out, in sentences

    @cached_property
    def word(self) -> np.ndarray:
        """The number of each word, document after document, shape (N,)."""
        return np.array([word for document in self.documents for word in document])

    @cached_property
    def document(self) -> np.ndarray:
        """The document of each word, shape (N,)."""
        return np.repeat(np.arange(len(self.documents)), [len(document) for document in self.documents])

    @property
    def size(self) -> int:
        """N, the number of words."""
        return len(self.word)


@cache
def two_things() -> Messages:
    """Return messages of two or three sentences, each about food, sport or travel; some are about two of them.

    The class of a message is the theme of its first sentence.
    """
    labels = np.array([themes[0] for _, themes in _composed()])
    return Messages(tuple(" ".join(text) for text, _ in _composed()), labels, themes_of())


def themes_of() -> tuple[str, ...]:
    """Return the names of the themes."""
    return tuple(_bank())


@cache
def _bank() -> dict[str, list[str]]:
    bank: dict[str, list[str]] = {}
    for line in SENTENCES.read_text("utf-8").splitlines():
        theme, sentence = line.split("\t")
        bank.setdefault(theme, []).append(f"{sentence}.")
    return bank


@cache
def _composed() -> list[tuple[list[str], list[int]]]:
    """Return the sentences of each message, and their themes; each sentence is used about as often as any other."""
    rng, sentences = np.random.default_rng(0), list(_bank().values())
    left = [list(rng.permutation(len(each))) for each in sentences]
    messages = []
    for _ in range(MESSAGES):
        first, second = rng.permutation(len(sentences))[:2].tolist()
        if rng.random() < ALONE:
            second = first
        themes = [first, second, *([first] if rng.random() < 0.3 else [])]
        texts = []
        for theme in themes:
            left[theme] = left[theme] or list(rng.permutation(len(sentences[theme])))
            texts.append(sentences[theme][left[theme].pop()])
        messages.append((texts, themes))
    return messages


def about_two_things(
    *, stop_words: StopWords = "dropped", minimum_count: int = 1, most_words: int = 1000
) -> TopicTexts:
    """Return the messages about two things as words; arguments and errors as for `lessons.data.words.bag_of_words`."""
    texts = two_things().texts
    bag = bag_of_words(texts, stop_words=stop_words, minimum_count=minimum_count, most_words=most_words)
    themes = []
    for (sentences, of), spans in zip(_composed(), bag.spans, strict=True):
        ends = np.cumsum([len(sentence) + 1 for sentence in sentences])
        themes += [of[int(np.searchsorted(ends, start, "right"))] for start, _, word in spans if word != NO_WORD]
    return TopicTexts(_documents(bag), bag.words, np.array(themes), themes_of(), notes=bag.dropped)


def texts_as_words(
    texts: Sequence[str], *, stop_words: StopWords = "dropped", minimum_count: int = 1, most_words: int = 1000
) -> TopicTexts:
    """Return texts as words, 20,000 words at most; arguments and errors as for `lessons.data.words.bag_of_words`."""
    bag = bag_of_words(texts, stop_words=stop_words, minimum_count=minimum_count, most_words=most_words)
    documents, notes = _documents(bag), bag.dropped
    fitting = int(np.searchsorted(np.cumsum(list(map(len, documents))), MOST_TOKENS, "right"))
    if fitting < len(documents):
        documents = documents[:fitting] or (documents[0][:MOST_TOKENS],)
        notes = (*notes, f"Only the first {len(documents):,} messages are used: {MOST_TOKENS:,} words are the limit.")
    return TopicTexts(documents, bag.words, np.full(sum(map(len, documents)), UNKNOWN), notes=notes)


def _documents(bag: BagOfWords) -> Documents:
    return tuple(tuple(word for *_, word in spans if word != NO_WORD) for spans in bag.spans)


def images_of_bars(documents: int, seed: int) -> TopicTexts:
    """Return images of 5 by 5 pixels made of ten bars; arguments and errors as for `samplers.data.topics.bars`.

    An image is a document, and each of its words is a pixel.
    """
    names = [f"row {place + 1}" for place in range(SIDE)] + [f"column {place + 1}" for place in range(SIDE)]
    pixels = tuple(f"pixel {row + 1},{column + 1}" for row in range(SIDE) for column in range(SIDE))
    return _made(bars(documents, seed), pixels, tuple(names), SIDE)


@cache
def twelve_words() -> TopicTexts:
    """Return three documents of four words, few enough to list every labelling: about food, about sport, about both."""
    return _listed(TWELVE)


@cache
def eight_words() -> TopicTexts:
    """Return two documents of four words, few enough to list every partition: about food, and about both."""
    return _listed(EIGHT)


def _listed(documents: Documents) -> TopicTexts:
    themes = tuple(tuple(int(word > 1) for word in document) for document in documents)
    halves = np.array([[0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]])
    return _made(TopicData(documents, themes, halves), ("bread", "butter", "goal", "ball"), themes_of()[:2], 0)


def _made(data: TopicData, words: tuple[str, ...], names: tuple[str, ...], side: int) -> TopicTexts:
    themes = np.array([label for labels in data.labels for label in labels])
    return TopicTexts(data.documents, words, themes, names, data.topics, side)
