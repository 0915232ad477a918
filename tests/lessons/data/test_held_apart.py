"""Messages that are held apart teach nothing, unless the test is set to leak."""

import numpy as np
import pytest

from lessons.data.held_apart import can_test, hold_apart
from lessons.data.messages import Messages, six_messages, toy_messages
from lessons.topics.gibbs_text import GibbsTextSettings

COUNT = GibbsTextSettings().bag_of


def held(test_set="apart", number=60, messages=None):
    return hold_apart(messages or toy_messages(), number, test_set, 0, COUNT)


def test_neither_words_nor_labels_of_the_test_take_part():
    found, messages = held(), toy_messages()
    assert (len(found.test), len(found.taught)) == (60, 194)
    assert not set(found.test) & set(found.taught)
    assert np.bincount(found.truth).tolist() == [30, 30]
    taught = [messages.texts[each] for each in found.taught]
    assert found.corpora[0].bag.words == COUNT(taught).words, "not even the vocabulary knows the test"
    assert [int((each.shown >= 0).sum()) for each in found.corpora] == [194, 97, 0]
    assert found.counts.shape == (60, len(found.corpora[0].bag.words))
    words = [found.corpora[0].bag.words[word] for word in found.counts[[0]].indices]
    assert all(word in messages.texts[found.test[0]].lower() for word in words if word.isalpha())


@pytest.mark.parametrize(("test_set", "shown"), [("read", [194, 97, 0]), ("told", [254, 157, 0])])
def test_a_leak_takes_words_or_labels(test_set, shown):
    found = held(test_set)
    assert found.test.tolist() == held().test.tolist(), "the same messages test"
    assert len(found.taught) == 254
    assert [int((each.shown >= 0).sum()) for each in found.corpora] == shown
    labels = found.corpora[0].shown[found.test]
    assert (labels == (found.truth if test_set == "told" else -1)).all()


def test_at_most_half_of_all_test_and_there_must_be_two_classes():
    found = held(number=60, messages=six_messages())
    assert len(found.test) == 3
    assert can_test(six_messages())
    assert not can_test(Messages(("a", "b") * 4, [0] * 8, ("x",)))
    assert not can_test(Messages(("a", "b"), [0, 1], ("x", "y")))
