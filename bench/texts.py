"""From a file of short messages to a sweep: as many of them as a public collection has."""

from collections.abc import Iterator

import numpy as np

from bench import Row, median_seconds
from bench.documents import Sweeper
from lessons.data.messages import read_messages, toy_messages
from lessons.data.words import bag_of_words
from samplers.mixtures.naive_bayes import NaiveBayes

MESSAGES = 5_574
RARE_WORDS = 20_000


def message_file(messages: int = MESSAGES) -> bytes:
    """Return a file of labels and texts: of two toy messages of a class a part each, and now and then a new word."""
    toy, rng = toy_messages(), np.random.default_rng(0)
    of_class = [np.flatnonzero(toy.labels == label) for label in range(2)]
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    rare = ["".join(letters[rng.integers(26, size=7)]) for _ in range(RARE_WORDS)]
    lines = []
    for label in (rng.random(messages) < 0.134).astype(int).tolist():
        first, second = (toy.texts[rng.choice(of_class[label])].split() for _ in range(2))
        words = first[rng.integers(len(first)) :] + second[: rng.integers(1, len(second) + 1)]
        words += [rare[place] for place in rng.integers(RARE_WORDS, size=rng.integers(5))]
        lines.append(f"{toy.classes[label]}\t{' '.join(words)}\n")
    return "".join(lines).encode()


def sampler(content: bytes, most_words: int = 1_000) -> NaiveBayes:
    """Read a file and build the sampler, as a page does."""
    messages = read_messages(content, "messages.tsv")
    return NaiveBayes(bag_of_words(messages.texts, most_words=most_words).counts, 2, 1.0, 1.0)


def rows() -> Iterator[Row]:
    content = message_file()
    what = f"{MESSAGES:,} messages"
    yield Row(f"{what} read, counted and made a sampler, 1,000 words", median_seconds(lambda: sampler(content), 5), 2.0)
    every = sampler(content, 100_000)
    words = f"all {every.vocabulary_size:,} words"
    seconds = median_seconds(lambda: sampler(content, 100_000), 5)
    yield Row(f"the same, {words}", seconds, 2.0)
    seconds = median_seconds(Sweeper(sampler(content)))
    yield Row("a sweep over them, word probabilities explicit, 1,000 words", seconds, 0.1)
    yield Row(f"the same, {words}", median_seconds(Sweeper(every)), 0.1)
