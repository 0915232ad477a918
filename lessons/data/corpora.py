"""Messages as a stage plays with them: their words counted, and some of their labels shown to the sampler."""

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from lessons.data.messages import Messages, toy_messages
from lessons.data.words import BagOfWords
from samplers.mixtures.labels import HIDDEN

LONG_DOCUMENTS, GLUED = 40, 24  # long messages, and how many of the toy corpus each is made of


@dataclass(frozen=True, eq=False)
class Corpus:
    """Messages, their bag of words, and the labels that the sampler is given.

    Parameters
    ----------
    messages : Messages
        M messages with the labels that are known of them.
    bag : BagOfWords
        Of their texts.
    shown : numpy.ndarray
        Labels that the sampler sees, and -1 where it is not; integers of shape (M,).
    """

    messages: Messages
    bag: BagOfWords
    shown: np.ndarray

    @property
    def size(self) -> int:
        """The number of messages."""
        return len(self.messages.texts)

    @property
    def hidden(self) -> np.ndarray:
        """The messages whose labels are sampled: integers in ascending order."""
        return np.flatnonzero(self.shown == HIDDEN)

    @property
    def named(self) -> bool:
        """Whether a shown label gives the classes their names."""
        return bool((self.shown != HIDDEN).any())

    @cached_property
    def held_back(self) -> np.ndarray:
        """Labels that are known, but not shown: class of each message, -1 elsewhere; shape (M,)."""
        return np.where(self.shown == HIDDEN, self.messages.labels, HIDDEN)

    def class_names(self, classes: int) -> tuple[str, ...]:
        """Return names for K classes: those of the shown labels, or numbers if none is shown."""
        names = self.messages.classes if self.named else ()
        return tuple(names[k] if k < len(names) else f"class {k + 1}" for k in range(classes))

    def confusion(self, labels: np.ndarray, classes: int) -> np.ndarray:
        """Count the messages of each sampled class by their held-back label, integers of shape (K, classes known)."""
        known = self.held_back
        there = known != HIDDEN
        width = max(1, len(self.messages.classes))
        cells = np.asarray(labels, np.int64)[there] * width + known[there]
        return np.bincount(cells, minlength=classes * width).reshape(classes, width)


def show_labels(labels: np.ndarray, number: int, seed: int, *, in_turn: bool = True) -> np.ndarray:
    """Choose labels to show to the sampler, drawn at random; a larger number adds to a smaller.

    Parameters
    ----------
    labels : numpy.ndarray
        Class of each message, -1 where it is not known, shape (M,).
    number : int
        How many to show, at most; from 0.
    seed : int
        Of the draw.
    in_turn : bool, optional
        Whether the classes take turns. If not, labels are missing completely at random, and a class may have none.

    Returns
    -------
    numpy.ndarray
        The labels that are shown, and -1 elsewhere, shape (M,).
    """
    order = np.random.default_rng(seed).permutation(len(labels))
    order = order[labels[order] != HIDDEN]
    classes = labels[order]
    turn = np.zeros(len(order), int)
    for label in np.unique(classes):
        turn[classes == label] = np.arange((classes == label).sum())
    chosen = (order[np.lexsort((classes, turn))] if in_turn else order)[:number]
    shown = np.full(len(labels), HIDDEN)
    shown[chosen] = labels[chosen]
    return shown


def swap_words(messages: Messages, bag: BagOfWords, *, within: bool) -> Messages:
    """Return messages two of which have swapped their first words that are in the vocabulary.

    They are the first two of the class of the first message, or, if not `within` a class, its first and the first of
    another class, the words of which differ; without such a pair, the messages stay as they are.
    """
    firsts = [next((span for span in spans if span[2] >= 0), None) for spans in bag.spans]
    able = [each for each in np.flatnonzero(messages.labels != HIDDEN).tolist() if firsts[each]]
    for one in able[:1]:
        for other in able:
            a, b = firsts[one], firsts[other]
            alike = messages.labels[one] == messages.labels[other]
            if a is None or b is None or alike != within or a[2] == b[2]:
                continue
            texts = list(messages.texts)
            words = {each: texts[each][start:end] for each, (start, end, _) in ((one, a), (other, b))}
            for each, (start, end, _), word in ((one, a, words[other]), (other, b, words[one])):
                texts[each] = texts[each][:start] + word + texts[each][end:]
            return Messages(tuple(texts), messages.labels, messages.classes, messages.notes)
    return messages


@cache
def long_messages() -> Messages:
    """Return a few long messages: each is 24 messages of the toy corpus of one class, one after the other."""
    toy, rng = toy_messages(), np.random.default_rng(0)
    labels = np.arange(LONG_DOCUMENTS) % len(toy.classes)
    texts = []
    for label in labels:
        chosen = rng.choice(np.flatnonzero(toy.labels == label), GLUED, replace=False)
        texts.append(". ".join(toy.texts[place].rstrip(" .") for place in chosen) + ".")
    return Messages(tuple(texts), labels, toy.classes)
