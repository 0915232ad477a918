"""The tokeniser and the bag of words do what they say; and what the lessons' messages are to a model."""

import unicodedata
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.data import words
from lessons.data.messages import six_messages, toy_messages
from lessons.data.words import STOP_WORDS, bag_of_words, tokens
from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.naive_bayes import NaiveBayes

TEXTS = ["The cat saw a dog", "dog, dog and CAT!", "the and a", "bird"]
ANY_TEXT = st.text(st.one_of(st.characters(), st.sampled_from("aab'’ 1.£$-_e\u0301İß")), max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Call ME now", "call me now"),
        ("don't DON’T 'quoted' dogs' o'clock", "don't don't quoted dogs o'clock"),
        ("£1,000 or $5.50 or 20€", "£ # or £ # or # £"),
        ("at 10:30, on 3/5, code 00417, 1-2", "at # on # code # #"),
        ("3pm gr8 50p", "# pm gr # # p"),
        ("now... 1. 2,", "now # #"),
        ("snake_case e-mail example.org/win", "snake case e mail example org win"),
        ("no no no", "no no no"),
        ("Straße STRASSE", "strasse strasse"),
        ("cafe\u0301 café", "café café"),
        ("नमस्ते мир", "नमस्ते мир"),
        ("x" * 50, "x" * 40),
        ("x" * 39 + "'yz", "x" * 39),
        ("!? \n \U0001f600 #", ""),
        ("", ""),
    ],
)
def test_tokens(text, expected):
    assert tokens(text) == expected.split()


@given(ANY_TEXT)
@settings(deadline=None)
def test_tokens_of_any_text_are_letters_or_one_of_two_signs(text):
    for token in tokens(text):
        if token not in {words.NUMBER, words.MONEY}:
            assert all(letter == "'" or unicodedata.category(letter)[0] in "LMN" for letter in token)
            assert token == token.strip("'")
            assert not any(letter.isdecimal() for letter in token)


def test_stop_words_are_tokens_and_say_nothing_of_spam():
    assert 50 <= len(STOP_WORDS) <= 70
    assert all(tokens(word) == [word] for word in STOP_WORDS)
    assert not STOP_WORDS & {"free", "call", "win", "now", "no", "not", "you", "your", "i", "me", "my", "we"}


def test_a_bag_holds_what_the_texts_say():
    bag = bag_of_words(TEXTS)
    assert bag.words == ("dog", "cat", "bird", "saw")  # the most frequent first, then by the alphabet
    assert bag.counts.toarray().tolist() == [[1, 1, 0, 1], [2, 1, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0]]
    assert bag.spans[1] == ((0, 3, 0), (5, 8, 0), (9, 12, -1), (13, 16, 1))
    assert bag.dropped == ("3 stop words were left out (6 occurrences).", "1 text has no word left.")


def test_stop_words_can_be_kept():
    bag = bag_of_words(TEXTS, stop_words="kept")
    assert bag.words == ("dog", "a", "and", "cat", "the", "bird", "saw")
    assert bag.dropped == ()


def test_rare_words_and_words_beyond_the_cap_are_left_out():
    bag = bag_of_words(TEXTS, minimum_count=2, most_words=1)
    assert bag.words == ("dog",)
    assert bag.dropped == (
        "3 stop words were left out (6 occurrences).",
        "2 words found fewer than 2 times were left out (2 occurrences).",
        "1 word beyond the 1 most frequent was left out (2 occurrences).",
        "2 texts have no word left.",
    )


def test_the_vocabulary_does_not_depend_on_the_order_of_the_texts():
    bag = bag_of_words(toy_messages().texts)
    assert bag.words == bag_of_words(toy_messages().texts[::-1]).words
    totals = bag.counts.sum(axis=0)
    ranks = list(zip(-totals, bag.words, strict=True))
    assert ranks == sorted(ranks)


@given(st.lists(ANY_TEXT, max_size=6), st.sampled_from(["kept", "dropped"]), st.integers(1, 3), st.integers(1, 9))
@settings(deadline=None)
def test_counts_and_spans_agree_whatever_the_texts(texts, stop_words, minimum_count, most_words):
    totals = Counter(token for text in texts for token in tokens(text))
    stopped = STOP_WORDS if stop_words == "dropped" else set()
    if not any(total >= minimum_count for word, total in totals.items() if word not in stopped):
        with pytest.raises(ValueError, match="; "):
            bag_of_words(texts, stop_words=stop_words, minimum_count=minimum_count, most_words=most_words)
        return
    bag = bag_of_words(texts, stop_words=stop_words, minimum_count=minimum_count, most_words=most_words)
    assert bag.counts.shape == (len(texts), len(bag.words))
    assert 1 <= len(bag.words) <= most_words
    assert bag.counts.sum(axis=0).min() >= minimum_count
    for text, row, spans in zip(texts, bag.counts.toarray(), bag.spans, strict=True):
        numbers = [word for _, _, word in spans if word >= 0]
        assert np.bincount(np.array(numbers, int), minlength=len(bag.words)).tolist() == row.tolist()
        assert [token for start, end, _ in spans for token in tokens(text[start:end])] == tokens(text)
        named = [bag.words[word] if word >= 0 else None for _, _, word in spans]
        assert all(name in (None, token) for name, token in zip(named, tokens(text), strict=True))
        assert all(end <= start for (_, end, _), (start, _, _) in pairwise(spans))


def test_the_sampler_takes_the_counts_as_they_are():
    bag = bag_of_words(TEXTS)
    sampler = NaiveBayes(bag.counts, 2, 1.0, 0.5)
    assert (sampler.counts != bag.counts).nnz == 0
    assert sampler.tokens(1).tolist() == sorted(word for _, _, word in bag.spans[1] if word >= 0)


@pytest.mark.parametrize(
    ("texts", "options", "expected"),
    [
        ([], {}, "there is no word in 0 texts; give texts that have letters or numbers"),
        (["?", "!"], {}, "there is no word in 2 texts; give texts that have letters or numbers"),
        (["The, a"], {}, "no word is left in 1 text, only 2 stop words; keep the stop words"),
        (["cat"], {"minimum_count": 2}, "only 1 word found fewer than 2 times; lower the minimum count"),
        (
            ["the cat"],
            {"minimum_count": 2},
            "only 1 stop word and 1 word found fewer than 2 times; keep the stop words or lower the minimum count",
        ),
        (["cat"], {"stop_words": "some"}, "stop_words must be 'kept' or 'dropped', got 'some'"),
        (["cat"], {"minimum_count": 0}, "minimum_count must be 1 or more, got 0"),
        (["cat"], {"most_words": 0}, "most_words must be 1 or more, got 0"),
    ],
)
def test_cause_and_remedy(texts, options, expected):
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the whole message follows
        bag_of_words(texts, **options)
    assert str(caught.value).endswith(expected)


@pytest.mark.parametrize("stop_words", ["kept", "dropped"])
def test_no_word_gives_a_class_away(stop_words):
    toy = toy_messages()
    there = bag_of_words(toy.texts, stop_words=stop_words).counts.toarray() > 0
    for label in range(2):
        inside, outside = there[toy.labels == label].mean(axis=0), there[toy.labels != label].mean(axis=0)
        assert inside.max() < 0.75
        assert inside[outside == 0].max() < 0.35


def left_out_accuracy(counts, labels):
    """Return how many messages get their own class from a naive Bayes model that all others have taught."""
    right = 0
    for place, label in enumerate(labels):
        known = labels.copy()
        known[place] = -1
        right += exact_naive_bayes(counts, 2, 1.0, 1.0, known).class_probabilities[place].argmax() == label
    return right / len(labels)


@pytest.mark.parametrize(("stop_words", "expected"), [("dropped", 0.909), ("kept", 0.925)])
def test_most_but_not_all_toy_messages_can_be_told(stop_words, expected):
    counts = bag_of_words(toy_messages().texts, stop_words=stop_words).counts
    accuracy = left_out_accuracy(counts, toy_messages().labels)
    assert 0.88 <= accuracy <= 0.96
    assert accuracy == pytest.approx(expected, abs=0.0005)  # a lesson may name it


def test_labels_by_chance_cannot_be_told():
    counts = bag_of_words(toy_messages().texts).counts
    assert left_out_accuracy(counts, np.random.default_rng(0).permutation(toy_messages().labels)) < 0.65


def six_posterior(labels=None):
    return exact_naive_bayes(bag_of_words(six_messages().texts).counts, 2, 1.0, 0.5, labels)


def test_six_messages_are_small():
    six = six_messages()
    assert six.labels.tolist() == [1, 1, 1, 0, 0, 0]
    bag = bag_of_words(six.texts)
    assert len(bag.words) == 10
    assert bag.words == bag_of_words(six.texts, stop_words="kept").words
    assert bag.counts.toarray().max(axis=1).tolist() == [1, 2, 1, 1, 1, 1]
    assert bag.counts.sum(axis=1).tolist() == [3, 4, 4, 3, 3, 5]


def test_the_posterior_of_six_messages_is_neither_flat_nor_a_spike():
    posterior = six_posterior()
    probabilities = posterior.probabilities
    best = [posterior.labellings[place].tolist() for place in np.argsort(-probabilities, kind="stable")[:4]]
    assert sorted(best[:2]) == [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0]]
    assert sorted(best[2:]) == [[0, 0, 0, 1, 1, 0], [1, 1, 1, 0, 0, 1]]  # the last message has changed sides
    assert np.sort(probabilities)[::-1][:4] == pytest.approx([0.245, 0.245, 0.105, 0.105], abs=0.0005)
    entropy = -(probabilities * np.log(probabilities)).sum()
    assert 8 < np.exp(entropy) < 20  # of 64


def test_the_last_of_six_messages_is_ambiguous():
    chances = []
    for place, label in enumerate(six_messages().labels.tolist()):
        known = six_messages().labels.copy()
        known[place] = -1
        chances.append(six_posterior(known).class_probabilities[place, label])
    assert chances[-1] == pytest.approx(0.70, abs=0.005)
    assert min(chances[:-1]) > 0.8
