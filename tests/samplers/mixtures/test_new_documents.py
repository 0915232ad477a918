"""New documents against enumeration: the same document as one more of the model's, its label hidden."""

import numpy as np
import pytest
from scipy import sparse, special

from samplers.mixtures.exact_labellings import exact_naive_bayes
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.mixtures.new_documents import (
    class_probabilities,
    drawn_log_joints,
    log_joints,
    log_joints_of_documents,
    make_document,
    replicate_word_totals,
)

COUNTS = np.array([[2, 0, 1, 0], [0, 3, 1, 0], [1, 1, 0, 0], [0, 0, 0, 2]])
PRIORS = [0.5, 2.0], [0.5, 1.0, 1.5, 0.3]
KNOWN = [0, -1, -1, -1]
NEW = [2, 1, 2, 2, 3]  # a word comes again: it makes itself more likely
MODEL = NaiveBayes(COUNTS, 2, *PRIORS, KNOWN)


def with_document(words) -> np.ndarray:
    return np.vstack([COUNTS, np.bincount(words, minlength=4)])


def test_a_new_document_is_foretold_as_one_more_whose_label_is_hidden():
    seen = exact_naive_bayes(COUNTS, 2, *PRIORS, KNOWN)
    found = class_probabilities(MODEL, seen.labellings, NEW, seen.probabilities)
    assert found.shape == (len(NEW) + 1, 2)
    for number, row in enumerate(found):
        together = exact_naive_bayes(with_document(np.array(NEW[:number], int)), 2, *PRIORS, [*KNOWN, -1])
        assert row == pytest.approx(together.class_probabilities[-1], rel=1e-10), number


def test_neither_the_average_of_probabilities_nor_repeated_words_as_powers_give_that():
    seen = exact_naive_bayes(COUNTS, 2, *PRIORS, KNOWN)
    right = class_probabilities(MODEL, seen.labellings, NEW, seen.probabilities)[-1]
    each = np.array([log_joints(MODEL, labels, NEW)[-1] for labels in seen.labellings])
    assert abs(seen.probabilities @ special.softmax(each, axis=1) - right)[0] > 0.003
    means = [np.log(MODEL.word_counts(labels) + MODEL.word_prior) for labels in seen.labellings]
    powers = np.array([(logs - special.logsumexp(logs, axis=1)[:, None])[:, NEW].sum(axis=1) for logs in means])
    before = np.array([log_joints(MODEL, labels, [])[0] for labels in seen.labellings])
    wrong = special.softmax(special.logsumexp(powers + before + np.log(seen.probabilities)[:, None], axis=0))
    assert abs(wrong - right)[0] > 0.002


def test_many_documents_at_once_are_each_by_itself():
    labels, rows = [0, 1, 1, 0], with_document(NEW)
    found = log_joints_of_documents(MODEL, labels, sparse.csr_array(np.vstack([rows, np.zeros(4)])))
    each = [log_joints(MODEL, labels, np.repeat(np.arange(4), row))[-1] for row in rows]
    assert found[:-1] == pytest.approx(np.array(each), rel=1e-10)
    assert found[-1] == pytest.approx(log_joints(MODEL, labels, [])[0]), "an empty one is as its class"


def test_drawn_parameters_average_to_what_is_integrated():
    labels, rng = [0, 1, 1, 0], np.random.default_rng(3)
    draws = np.exp([drawn_log_joints(MODEL, labels, NEW[:3], rng) for _ in range(20_000)])
    error = draws.std(axis=0) / np.sqrt(len(draws))
    off = (draws.mean(axis=0) - np.exp(log_joints(MODEL, labels, NEW[:3]))) / error
    assert np.abs(off).max() < 4  # of 8 numbers
    assert np.isfinite(drawn_log_joints(MODEL, labels, [0, 1, 2, 3], rng)).all()


def test_a_document_is_made_by_the_numbers_that_are_told():
    weights, probs = np.array([0.25, 0.75]), np.array([[0.5, 0.5, 0.0], [0.0, 0.1, 0.9]])
    made = [make_document(weights, probs, 4, np.random.default_rng(seed)) for seed in range(2_000)]
    assert all((one.label == 0) == (one.uniforms[0] < 0.25) for one in made)
    for one in made[:50]:
        ends = np.cumsum(probs[one.label])
        assert all(
            u < ends[word] and (word == 0 or u >= ends[word - 1])
            for word, u in zip(one.words, one.uniforms[1:], strict=True)
        )
    words = np.concatenate([one.words for one in made if one.label == 1])
    assert np.bincount(words, minlength=3) / len(words) == pytest.approx([0, 0.1, 0.9], abs=0.015)
    assert np.mean([one.label for one in made]) == pytest.approx(0.75, abs=0.04)


def test_replicated_totals_have_the_mean_that_the_posterior_gives():
    labels, rng = [0, 1, 1, 0], np.random.default_rng(5)
    sets = np.array([replicate_word_totals(MODEL, labels, rng) for _ in range(5_000)])
    assert (sets.sum(axis=1) == COUNTS.sum()).all()
    seen = MODEL.word_counts(labels)
    probs = (seen + MODEL.word_prior) / (seen + MODEL.word_prior).sum(axis=1, keepdims=True)
    expected = seen.sum(axis=1) @ probs
    assert np.abs((sets.mean(axis=0) - expected) / (sets.std(axis=0) / np.sqrt(len(sets)))).max() < 4
    assert abs(expected - COUNTS.sum(axis=0)).max() > 0.5, "the prior pulls: the check has something to find"
