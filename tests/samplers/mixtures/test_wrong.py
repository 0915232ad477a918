"""Every wrong rule must fail both tests that the right one passes: by how much is known."""

import math

import numpy as np
import pytest

from samplers.chain import Chain
from samplers.conjugate.dirichlet import log_marginal_of_counts
from samplers.enumerated import stationary
from samplers.mixtures.exact_labellings import ExactLabels, exact_naive_bayes, sweep_matrix
from samplers.mixtures.naive_bayes import NaiveBayes
from samplers.mixtures.wrong import WRONG_LABEL_RULES, Products
from samplers.recipe import updates
from tests.samplers.mixtures.geweke_labels import Documents, z_scores
from tests.samplers.mixtures.labellings import check_run, label_matrix

COUNTS = [[2, 1], [0, 3], [3, 0]]
PRIORS = {"class_prior": [1.2, 1.7], "word_prior": [0.8, 1.3]}
TRUTH = exact_naive_bayes(COUNTS, 2, **PRIORS)
COLLAPSED = {"word_probs": "collapsed"}

every_rule = pytest.mark.parametrize(("name", "rule"), WRONG_LABEL_RULES.items(), ids=WRONG_LABEL_RULES.keys())


def joint_test(name, rule, settings, seed=3):
    plain = {"lengths": (4, 3, 6, 0), "iterations": 1_000}
    special = {
        "no logarithms": {"lengths": (1_500, 1_500), "iterations": 500, "afresh": True},
        "repeated words as powers": {"lengths": (6, 6), "iterations": 1_500},
        "word probabilities a sweep late": {"lengths": (3, 3), "iterations": 2_000, "sweeps": 3},
    }
    how = plain | special.get(name, {})
    world = Documents(rule=rule, settings=settings, lengths=how.pop("lengths"))
    return np.abs(z_scores(world, **how, seed=seed)).max()


@every_rule
def test_every_rule_fails_the_joint_test_and_the_right_one_passes_there(name, rule):
    assert joint_test(name, rule, dict(rule.where)) > 6
    assert joint_test(name, NaiveBayes, dict(rule.where)) < 4


def test_the_laws_of_the_rules_that_need_no_block():
    """No chance, and no quadrature: total variation between where the labels end up and the truth."""
    known = {"one too few": 0.2654, "repeated words as powers": 0.1350}
    for name, distance in known.items():
        matrix = sweep_matrix(WRONG_LABEL_RULES[name](COUNTS, 2, **PRIORS, **COLLAPSED), TRUTH.labellings)
        assert np.abs(stationary(matrix) - TRUTH.probabilities).sum() / 2 == pytest.approx(distance, abs=1e-4)
    matrix = sweep_matrix(NaiveBayes(COUNTS, 2, **PRIORS, **COLLAPSED), TRUTH.labellings)
    assert np.abs(stationary(matrix) - TRUTH.probabilities).sum() / 2 < 1e-12


def test_one_too_few_is_wrong_beside_explicit_words_as_well():
    matrix = label_matrix(WRONG_LABEL_RULES["one too few"](COUNTS, 2, **PRIORS), TRUTH.labellings, 8)
    assert np.abs(stationary(matrix) - TRUTH.probabilities).sum() / 2 > 0.2


def test_weights_that_were_drawn_once_are_as_good_as_known():
    """The labels' law is the one given these weights: twelve runs have twelve of them, and none is the truth."""
    rule = WRONG_LABEL_RULES["weights drawn once"]
    sampler = rule(COUNTS, 2, **PRIORS, **rule.where)
    start = sampler.init(np.random.default_rng(0))
    assert [update.site for update in updates(sampler, start, np.random.default_rng(1))][3:] == ["word probabilities"]
    assert len({tuple(sampler.init(np.random.default_rng(seed)).log_weights) for seed in range(12)}) == 12
    seldom = exact_naive_bayes(COUNTS, 2, 1.0, PRIORS["word_prior"])
    fits = seldom.log_joint - log_marginal_of_counts((seldom.labellings[:, :, None] == [0, 1]).sum(axis=1), np.ones(2))
    law = fits + np.array([np.take(start.log_weights, labels).sum() for labels in seldom.labellings])
    law = np.exp(law - law.max())
    law /= law.sum()
    assert np.abs(law - TRUTH.probabilities).sum() / 2 > 0.1
    given = ExactLabels(TRUTH.labellings, np.log(law), 2)
    check_run(sampler, given, seed=0)  # begins like `start`: the same seed
    with pytest.raises(AssertionError, match="total variation"):
        check_run(sampler, TRUTH, seed=0)


def test_words_a_sweep_late_have_a_law_that_looks_two_sweeps_back():
    """Labels come from the last labels' counts, and from word probabilities drawn given the labels before those.

    That is a chain over pairs of labellings, with a known matrix. The rule's own run agrees with its law, and neither
    agrees with the truth, to which the right rule leads in the same quadrature.
    """
    priors = PRIORS | {"class_prior": 0.5}
    truth = exact_naive_bayes(COUNTS, 2, **priors)
    sampler = WRONG_LABEL_RULES["word probabilities a sweep late"](COUNTS, 2, **priors)
    matrix = label_matrix(sampler, truth.labellings, 6, late=True)
    every = np.arange(len(matrix))
    assert np.abs(stationary(matrix[every, every]) - truth.probabilities).sum() / 2 < 1e-3
    pairs = np.zeros((len(every),) * 4)
    pairs[:, every, every] = matrix
    law = stationary(pairs.reshape(len(every) ** 2, -1)).reshape(len(every), -1).sum(axis=0)
    assert np.abs(law - truth.probabilities).sum() / 2 == pytest.approx(0.083, abs=1e-3)
    check_run(sampler, ExactLabels(truth.labellings, np.log(law), 2), kept=3_000, thin=4, seed=0)
    with pytest.raises(AssertionError, match="total variation"):
        check_run(sampler, truth, kept=3_000, thin=4, seed=0)


def test_a_class_that_empties_does_not_come_back_with_one_too_few():
    counts = [[1, 0], [0, 1], [1, 1], [2, 0]]
    for rule, returns in ((WRONG_LABEL_RULES["one too few"], False), (NaiveBayes, True)):
        sampler = rule(counts, 2, 1.0, 1.0)
        rng = np.random.default_rng(0)
        state = sampler.state([1, 1, 1, 1])
        seen = set()
        for _ in range(100):
            state, _ = sampler.step(state, rng)
            seen.add(state.counts[0])
        assert (seen == {0}) is not returns
    less = WRONG_LABEL_RULES["one too few"](counts, 2, 0.3, 1.0)
    state = less.state([0, 1, 1, 1])
    less.forget(state, 0)
    assert less.class_terms(state) == [-math.inf, pytest.approx(math.log(2.3))]


@pytest.mark.parametrize("variant", [{}, COLLAPSED], ids=["words explicit", "words collapsed"])
def test_products_of_many_words_are_nought_over_nought(variant):
    """Two long documents, the second one's words being known to be of class 1: the first class gets it in the end."""
    counts = [[900, 1_500], [1_500, 900], [1_490, 910]]
    rule = WRONG_LABEL_RULES["no logarithms"]
    sampler = rule(counts, 2, 1.0, 1.0, [0, 1, -1], **variant)
    truth = exact_naive_bayes(counts, 2, 1.0, 1.0, [0, 1, -1])
    assert truth.class_probabilities[2] == pytest.approx([0, 1], abs=1e-9)
    chain = Chain(sampler, seed=0)
    update = chain.record(3)[0]
    law = update.conditional
    assert isinstance(law, Products)
    assert law.undefined
    assert np.isnan(law.probabilities).all()
    assert 0 <= update.uniform < 1
    assert law.terms["words"] == [-math.inf, -math.inf]
    assert (update.value, chain[3].labels) == (0, [0, 1, 0])
    with pytest.raises(AssertionError, match="total variation"):
        check_run(sampler, truth, kept=50)


def test_products_of_a_few_words_are_right():
    rule = WRONG_LABEL_RULES["no logarithms"]
    matrix = sweep_matrix(rule(COUNTS, 2, **PRIORS, **COLLAPSED), TRUTH.labellings)
    assert stationary(matrix) == pytest.approx(TRUTH.probabilities, abs=1e-12)
    law = Products({"documents already there": [0.0, 1.0], "words": [-math.inf, -3.0]})
    assert not law.undefined
    assert law.probabilities.tolist() == [0, 1]
    assert law.draw(np.random.default_rng(0)) == 1


@every_rule
def test_wrong_rules_run_and_keep_their_counts(name, rule):
    sampler = rule([[2, 1, 0], [0, 3, 1], [4, 0, 0], [0, 0, 0]], 3, 1.0, 0.4, [2, -1, -1, -1], **rule.where)
    state = Chain(sampler, seed=0)[30]
    assert state.counts == np.bincount(state.labels, minlength=3).tolist()
    assert state.labels[0] == 2
    assert math.isfinite(sampler.log_joint(state))
