"""Messages of which some are held apart to test by, and all, half or none of the other labels shown."""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from scipy import sparse

from lessons.data.corpora import Corpus, show_labels
from lessons.data.messages import Messages
from lessons.data.words import BagOfWords
from samplers.mixtures.labels import HIDDEN

TestSet = Literal["apart", "read", "told"]
VARIANTS = ("supervised", "half", "unlabelled")
FEWEST = 6  # labelled messages that make a test
FAR = 1_000  # added to the seed of the labels that are shown, so that others are held apart


class Tested(NamedTuple):
    """Messages with those that are held apart."""

    # test, taught: numbers of the messages that are tested, and of those whose words teach: both, if the test leaks
    test: np.ndarray
    taught: np.ndarray
    corpora: tuple[Corpus, ...]  # of the messages that teach, with all, with half and with no labels shown
    # how often each test message has each word of the vocabulary, which is that of the messages that teach
    counts: sparse.csr_array
    truth: np.ndarray  # classes of the test messages


def can_test(messages: Messages) -> bool:
    """Return whether enough labels of two classes or more are known."""
    known = messages.labels[messages.labels != HIDDEN]
    return len(known) >= FEWEST and len(np.unique(known)) > 1


def hold_apart(
    messages: Messages, number: int, test_set: TestSet, seed: int, count: Callable[[tuple[str, ...]], BagOfWords]
) -> Tested:
    """Hold some messages apart, the classes in turn.

    Parameters
    ----------
    messages : Messages
        All of them, `can_test`.
    number : int
        How many to hold apart; at most half of those whose class is known.
    test_set : {"apart", "read", "told"}
        Whether they take no part, their words do, or their labels do too.
    seed : int
        Of the choice.
    count : callable
        Makes bags of words.
    """
    labels = messages.labels
    number = min(number, int((labels != HIDDEN).sum()) // 2)
    tested = show_labels(labels, number, seed + FAR) != HIDDEN
    test, others = np.flatnonzero(tested), np.flatnonzero(~tested)
    taught = others if test_set == "apart" else np.arange(len(labels))
    kept = Messages(tuple(messages.texts[each] for each in taught), labels[taught], messages.classes)
    bag = count(kept.texts)
    mine = np.where(tested[taught], HIDDEN, labels[taught])  # labels that are no test's
    half = show_labels(mine, int((mine != HIDDEN).sum()) // 2, seed)
    shown = [mine, half, np.full(len(taught), HIDDEN)]
    if test_set == "told":
        shown[:2] = (np.where(tested[taught], labels[taught], each) for each in shown[:2])
    corpora = tuple(Corpus(kept, bag, each) for each in shown)
    return Tested(test, taught, corpora, bag.count([messages.texts[each] for each in test]), labels[test])
