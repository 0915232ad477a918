"""Naive Bayes on documents against every labelling of a few of them, and by Geweke's joint test."""

import math

import numpy as np
import pytest
from scipy import sparse, special

from samplers.enumerated import stationary
from samplers.mixtures.exact_labellings import exact_naive_bayes, sweep_matrix
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.recipe import updates
from tests.samplers.mixtures.geweke_labels import Documents, z_scores
from tests.samplers.mixtures.labellings import check_log_joint, check_run, label_matrix, with_blocks

VARIANTS = [
    {"word_probs": word_probs, "weights": weights}
    for word_probs in ("explicit", "collapsed")
    for weights in ("collapsed", "explicit", "equal")
]
every_variant = pytest.mark.parametrize(
    "variant", VARIANTS, ids=[f"words {v['word_probs']}, weights {v['weights']}" for v in VARIANTS]
)
TWO_WORDS = [[1, 1], [0, 2], [2, 0]]
COUNTS = [[2, 0, 1], [0, 3, 1], [1, 1, 0], [3, 0, 2], [0, 0, 0]]
PRIORS = {"class_prior": [1.0, 0.7, 2.0], "word_prior": [0.5, 1.0, 0.3]}
BY_COLLAPSED = {"word_probs": "collapsed"}


def fixed(variant):
    return {"equal_weights": variant["weights"] == "equal"}


@every_variant
@pytest.mark.parametrize("labels", [None, [0, -1, -1]], ids=["all hidden", "one known"])
def test_the_labels_end_up_with_their_exact_law(variant, labels):
    """No chance: every label by every option, and blocks by Gaussian quadrature with eight values for each number."""
    priors = {"class_prior": [2.0, 1.7], "word_prior": [2.3, 2.0]}
    truth = exact_naive_bayes(TWO_WORDS, 2, labels=labels, **priors, **fixed(variant))
    matrix = label_matrix(NaiveBayes(TWO_WORDS, 2, labels=labels, **priors, **variant), truth.labellings, 8)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(len(matrix)), abs=1e-12)
    allowed = 1e-5 if "explicit" in variant.values() else 1e-12
    assert np.abs(stationary(matrix) - truth.probabilities).sum() / 2 < allowed


@every_variant
def test_a_long_run_is_as_near_the_truth_as_chance_allows(variant):
    labels = [-1, 2, -1, 0, -1]
    truth = exact_naive_bayes(COUNTS, 3, labels=labels, **PRIORS, **fixed(variant))
    check_run(NaiveBayes(COUNTS, 3, labels=labels, **PRIORS, **variant), truth, seed=1)


@every_variant
def test_the_joint_test_of_geweke(variant):
    """Two labels known; that none is, the tests of wrong rules have. About 70 z-scores in all.

    One is beyond 4 by chance less than once in 200 choices of seeds.
    """
    assert np.abs(z_scores(Documents(known=2, settings=variant), iterations=1_000, seed=3)).max() < 4


@every_variant
def test_log_joint_drops_nothing(variant):
    truth = exact_naive_bayes(COUNTS, 3, labels=[-1, 2, -1, -1, -1], **PRIORS, **fixed(variant))
    check_log_joint(NaiveBayes(COUNTS, 3, labels=[-1, 2, -1, -1, -1], **PRIORS, **variant), truth)


def test_the_terms_of_one_update():
    """Document 0 of four, out: counts 1, 2 and 0, each with its pseudo-count; words by the probabilities given."""
    sampler = NaiveBayes(COUNTS[:4], 3, **PRIORS)
    word_probs = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1], [0.1, 0.1, 0.8]])
    state = with_blocks(sampler, [0, 0, 1, 1], {"word probabilities": np.log(word_probs)})
    sampler.forget(state, 0)
    assert state.counts == [1, 2, 0]
    law = sampler.score(state, 0)
    assert law.terms["documents already there"] == pytest.approx(np.log([2.0, 2.7, 2.0]))
    assert law.terms["words"] == pytest.approx(2 * np.log(word_probs[:, 0]) + np.log(word_probs[:, 2]))
    assert sampler.word_terms(state, 0) == pytest.approx(np.log(word_probs[:, [0, 0, 2]].T))
    sampler.remember(state, 0, 2)
    assert (state.labels, state.counts) == ([2, 0, 1, 1], [1, 2, 1])
    assert state.assignments.tolist() == state.labels
    assert state.word_probs == pytest.approx(word_probs)


def test_repeated_words_are_foretold_one_after_the_other():
    sampler = NaiveBayes(COUNTS[:4], 3, **PRIORS, **BY_COLLAPSED)
    state = sampler.state([1, 0, 1, 1])
    sampler.forget(state, 3)  # words 0, 0, 0, 2, 2; class 1 keeps 3 x word 0, 1 x word 1, 1 x word 2
    expected = [3.5 / 6.8, 4.5 / 7.8, 5.5 / 8.8, 1.3 / 9.8, 2.3 / 10.8]
    assert np.exp(sampler.word_terms(state, 3)[:, 1]) == pytest.approx(expected)
    assert np.exp(sampler.word_terms(state, 3)[:, 2]) == pytest.approx(
        [0.5 / 1.8, 1.5 / 2.8, 2.5 / 3.8, 0.3 / 4.8, 1.3 / 5.8]
    )
    assert sampler.tokens(3).tolist() == [0, 0, 0, 2, 2]


@every_variant
def test_the_words_add_up_to_their_term(variant):
    sampler = NaiveBayes(COUNTS, 3, **PRIORS, **variant)
    state, _ = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(1))
    for document in range(5):
        sampler.forget(state, document)
        law = sampler.score(state, document)
        words = sampler.word_terms(state, document)
        assert words.shape == (len(sampler.tokens(document)), 3)
        assert words.sum(axis=0) == pytest.approx(law.terms["words"], rel=1e-12)
        sampler.remember(state, document, document % 3)


def test_word_counts_are_whole_and_leave_no_trace():
    sampler = NaiveBayes(COUNTS, 3, **PRIORS, **BY_COLLAPSED)
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    for _ in range(200):
        list(updates(sampler, state, rng))
    assert state.word_counts.tolist() == sampler.word_counts(state.labels).tolist()
    assert state.word_totals == state.word_counts.sum(axis=1).tolist()
    assert state.counts == np.bincount(state.labels, minlength=3).tolist()
    by_hand = [np.array(COUNTS)[state.assignments == label].sum(axis=0) for label in range(3)]
    assert state.word_counts.tolist() == np.array(by_hand).tolist()


@every_variant
def test_what_a_block_shows(variant):
    sampler = NaiveBayes(COUNTS, 3, **PRIORS, **variant)
    assert sampler.blocks == tuple(
        name
        for name, key in (("weights", "weights"), ("word probabilities", "word_probs"))
        if variant[key] == "explicit"
    )
    seen = list(updates(sampler, sampler.init(np.random.default_rng(0)), np.random.default_rng(1)))
    assert [update.site for update in seen] == [0, 1, 2, 3, 4, *sampler.blocks]
    state, _ = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(1))
    for update in seen[5:]:
        found = state.weights if update.site == "weights" else state.word_probs
        assert np.exp(update.value) == pytest.approx(found)
        assert found.sum(axis=-1) == pytest.approx(np.ones(found.shape[:-1]))


@every_variant
def test_five_thousand_words_do_not_underflow(variant):
    """Two kinds of long documents, of which one each is known and so long that it outweighs any false start."""
    counts = [[8_000, 2_000, 0], [2_000, 8_000, 0], [4_100, 900, 0], [900, 4_100, 0], [2, 0, 0]]
    sampler = NaiveBayes(counts, 2, 1.0, 0.01, [0, 1, -1, -1, -1], **variant)
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    for _ in range(5):
        seen = list(updates(sampler, state, rng))
        assert np.isfinite(sampler.log_joint(state))
    assert state.labels[:4] == [0, 1, 0, 1]
    assert min(seen[0].conditional.terms["words"]) < -2_000
    assert seen[0].conditional.probabilities.tolist() == [1.0, 0.0]
    truth = exact_naive_bayes(counts, 2, 1.0, 0.01, [0, 1, -1, -1, -1])
    assert truth.class_probabilities[2:4] == pytest.approx(np.eye(2), abs=1e-12)


@every_variant
def test_empty_documents_go_by_the_others_alone(variant):
    sampler = NaiveBayes(COUNTS, 3, **PRIORS, **variant)
    state = sampler.state([0, 0, 1, 1, 2])
    sampler.forget(state, 4)
    law = sampler.score(state, 4)
    assert law.terms["words"] == [0, 0, 0]
    nothing = NaiveBayes(np.zeros((3, 2)), 2, 1.0, 1.0, **variant)
    check_run(nothing, exact_naive_bayes(np.zeros((3, 2)), 2, 1.0, 1.0, **fixed(variant)))


@every_variant
def test_known_labels_stay_and_a_class_without_documents_is_kept_ready(variant):
    known = [0, 1, 1, 0, 0]
    sampler = NaiveBayes(COUNTS, 3, **PRIORS, labels=known, **variant)
    state, _ = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(1))
    assert (state.labels, state.counts) == (known, [3, 2, 0])
    assert list(sampler.sites(state)) == list(sampler.blocks)
    assert np.isfinite(sampler.log_joint(state))
    hidden = NaiveBayes(COUNTS, 3, **PRIORS, labels=[0, 1, 1, 0, -1], **variant)
    found = {tuple(hidden.step(hidden.state(known), np.random.default_rng(seed))[0].labels) for seed in range(60)}
    assert found == {(0, 1, 1, 0, label) for label in range(3)}


def test_sparse_counts_are_the_same_as_dense_ones():
    dense = NaiveBayes(COUNTS, 2, 1.0, 0.5)
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        other = NaiveBayes(kind(np.array(COUNTS)), 2, 1.0, 0.5)
        assert other.counts.toarray().tolist() == COUNTS
        assert other.init(np.random.default_rng(0)).fits == dense.init(np.random.default_rng(0)).fits
    twice = sparse.coo_array(([1, 2, 0], ([0, 0, 1], [1, 1, 0])), shape=(2, 2))
    assert NaiveBayes(twice, 2, 1.0, 1.0).counts.toarray().tolist() == [[0, 3], [0, 0]]
    given = sparse.csr_array(np.array(COUNTS, float))
    sampler = NaiveBayes(given, 2, 1.0, 0.5)
    given.data[:] = 99
    assert sampler.counts.toarray().tolist() == COUNTS


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"counts": np.zeros((3, 0))}, r"at least one document and one word, got the shape \(3, 0\)"),
        ({"counts": sparse.csr_array((0, 4))}, r"at least one document and one word, got the shape \(0, 4\)"),
        ({"counts": [[1, 0], [0.5, 1]]}, "whole numbers from 0, got 0.5 in document 1"),
        ({"counts": [[1, -1], [0, 1]]}, "whole numbers from 0, got -1 in document 0"),
        ({"counts": [[1, math.nan], [0, 1]]}, "whole numbers from 0, got nan in document 0"),
        ({"counts": [["a"]]}, "counts must be numbers"),
        ({"classes": 1}, "classes must be 2 or more, got 1"),
        ({"class_prior": 0}, "class_prior must be a number > 0, or 2 of them"),
        ({"class_prior": [1, 1, 1]}, "class_prior must be a number > 0, or 2 of them"),
        ({"word_prior": [1, 1]}, "word_prior must be a number > 0, or 3 of them"),
        ({"labels": [0, 1]}, "labels must be 5 integers, each -1 or a class below 2"),
        ({"labels": [0, 1, 2, 0, 0]}, "labels must be 5 integers, each -1 or a class below 2"),
        ({"labels": [0, 1, 0.5, 0, 0]}, "labels must be 5 integers, each -1 or a class below 2"),
        ({"word_probs": "both"}, "word_probs must be 'explicit' or 'collapsed', got 'both'"),
        ({"weights": True}, "weights must be 'collapsed', 'explicit' or 'equal', got True"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message):
    settings = {"counts": COUNTS, "classes": 2, "class_prior": 1.0, "word_prior": 1.0} | change
    with pytest.raises(ValueError, match=message):
        NaiveBayes(**settings)


def test_states_that_cannot_be_are_refused():
    sampler = NaiveBayes(COUNTS, 2, 1.0, 1.0, [-1, -1, 1, -1, -1])
    for bad in ([0, 0, 1, 0], [0, 0, 1, 0, 2], [0, 0, 1, 0, -1]):
        with pytest.raises(ValueError, match="assignments must be 5 classes below 2"):
            sampler.state(bad)
    with pytest.raises(ValueError, match="agree with the labels that are known"):
        sampler.state([0, 0, 0, 0, 0])
    with pytest.raises(TypeError):
        NaiveBayes(COUNTS, 2.5, 1.0, 1.0)


def test_expected_word_probabilities_stand_in_for_those_that_are_not_given():
    sampler = NaiveBayes(COUNTS, 2, 1.0, 0.5, weights="explicit")
    state = sampler.state([0, 0, 1, 1, 1])
    assert state.word_probs == pytest.approx(np.array([[2.5, 3.5, 2.5], [4.5, 1.5, 2.5]]) / 8.5)
    assert state.weights == pytest.approx(np.array([3, 4]) / 7)
    assert state.fits[4] == [0, 0]
    assert special.logsumexp(state.log_weights) == pytest.approx(0, abs=1e-12)


@every_variant
def test_a_start_from_what_is_shown_draws_each_label_by_the_known_ones_alone(variant):
    """Against the exact law of one document's label with all other hidden ones left out; 4.5 standard deviations."""
    labels, draws = np.array([-1, 2, -1, 0, -1]), 1_000
    sampler = NaiveBayes(COUNTS, 3, labels=labels, start="shown", **PRIORS, **variant)
    rng = np.random.default_rng(0)
    found = np.array([sampler.init(rng).labels for _ in range(draws)])
    assert (found[:, 1] == 2).all()
    assert (found[:, 3] == 0).all()
    for document in np.flatnonzero(labels < 0):
        kept = [document, 1, 3]
        truth = exact_naive_bayes(np.array(COUNTS)[kept], 3, labels=labels[kept], **PRIORS, **fixed(variant))
        law = np.bincount(np.array(truth.labellings)[:, 0], truth.probabilities, 3)
        shares = np.bincount(found[:, document], minlength=3) / draws
        assert (np.abs(shares - law) <= 4.5 * np.sqrt(law * (1 - law) / draws)).all()
        assert np.abs(law - 1 / 3).max() > 0.1 or not np.any(COUNTS[document]), "random labels would not do"


def test_fixed_weights_are_the_limit_of_a_strong_class_prior_and_not_of_a_weak_one():
    """No chance. The planted error: a sampler that goes on counting, with weights that should be fixed."""
    truth = exact_naive_bayes(COUNTS[:4], 3, 1.0, 0.4, equal_weights=True)
    strong, weak = (exact_naive_bayes(COUNTS[:4], 3, prior, 0.4) for prior in (1e7, 1.0))
    assert strong.probabilities == pytest.approx(truth.probabilities, abs=1e-7)
    assert np.abs(weak.probabilities - truth.probabilities).sum() / 2 > 0.05
    settings = {"class_prior": 1.0, "word_prior": 0.4, **BY_COLLAPSED}
    reached = stationary(sweep_matrix(NaiveBayes(COUNTS[:4], 3, weights="equal", **settings), truth.labellings))
    assert reached == pytest.approx(truth.probabilities, abs=1e-12)
    planted = stationary(sweep_matrix(NaiveBayes(COUNTS[:4], 3, **settings), truth.labellings))
    assert np.abs(planted - truth.probabilities).sum() / 2 > 0.05


def test_a_start_from_what_is_shown_weighs_repeated_words_by_rising_factorials():
    """Of any document, the weights are those of the collapsed sampler that has seen the known ones alone."""
    rng = np.random.default_rng(1)
    counts, labels = rng.poisson(0.8, (12, 6)), np.array([0, 1, 2, 0, 1] + [-1] * 7)
    sampler = NaiveBayes(counts, 3, [1.0, 0.7, 2.0], 0.4, labels, start="shown")
    for document in range(5, 12):
        kept = [0, 1, 2, 3, 4, document]
        alone = NaiveBayes(counts[kept], 3, [1.0, 0.7, 2.0], 0.4, labels[kept], word_probs="collapsed")
        state = alone.state([0, 1, 2, 0, 1, 0])
        alone.forget(state, 5)
        expected = alone.score(state, 5).probabilities
        assert special.softmax(sampler._foretold()[document]) == pytest.approx(expected, rel=1e-9)


def test_an_unknown_start_is_refused():
    with pytest.raises(ValueError, match="start must be 'random' or 'shown', got 'mode'"):
        NaiveBayes(COUNTS, 3, 1.0, 1.0, start="mode")
