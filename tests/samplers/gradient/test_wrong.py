"""Every wrong rule must fail what the right one passes, and by how much is known."""

import numpy as np
import pytest
from scipy import special, stats

from samplers.chain import Chain
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS
from samplers.gradient.wrong import WRONG_MARGINALS
from tests.samplers.derivatives import central_differences
from tests.samplers.gradient.calibration import (
    check_class_probabilities,
    rank_by_prior,
    rank_given_labels,
    rank_of_unlikeness,
    ranks_of_a_corpus,
)
from tests.samplers.gradient.documents import COUNTS, LABELS, POSITION, PRIORS, TINY, TINY_PRIORS, integral

every_rule = pytest.mark.parametrize(("name", "rule"), WRONG_MARGINALS.items(), ids=WRONG_MARGINALS.keys())


@every_rule
def test_gradients_are_those_of_the_wrong_density(name, rule):
    model = rule(COUNTS, 3, **PRIORS, labels=LABELS, **rule.where)
    assert model.log_density_and_gradient(POSITION)[1] == pytest.approx(
        central_differences(model.log_density, POSITION), abs=1e-7
    )
    right = NaiveBayesMarginal(COUNTS, 3, **PRIORS, labels=LABELS, **rule.where)
    assert abs(model.log_density(POSITION) - right.log_density(POSITION)) > 1


@every_rule
def test_the_density_is_another_one(name, rule):
    """Its integral over all positions and its class probabilities, on a grid coarse enough to be quick."""
    right = NaiveBayesMarginal(TINY, 2, **TINY_PRIORS, **rule.where)
    log_evidence, shares = integral(right, 6.0, 1.0)
    wrong_evidence, wrong_shares = integral(rule(TINY, 2, **TINY_PRIORS, **rule.where), 6.0, 1.0)
    assert abs(wrong_evidence - log_evidence) > 0.5
    assert np.abs(wrong_shares - shares)[1:].max() > 0.01


@pytest.mark.parametrize(
    ("name", "known", "statistic"),
    [
        ("Jacobian forgotten", 4, rank_given_labels),
        ("Jacobian forgotten", 1, rank_by_prior),
        ("sum of logs", 1, rank_of_unlikeness),
    ],
)
def test_calibration_shows_it(name, known, statistic):
    """With the same replicates for which the right rule passes."""
    assert stats.kstest(ranks_of_a_corpus(WRONG_MARGINALS[name], known, statistic), "uniform").pvalue < 1e-4


def test_the_forgotten_log_jacobian_is_one_pseudo_count_less():
    less = {key: np.array(value) + 1 for key, value in PRIORS.items()}
    right = NaiveBayesMarginal(COUNTS, 3, **PRIORS, labels=LABELS)
    wrong = WRONG_MARGINALS["Jacobian forgotten"](COUNTS, 3, **less, labels=LABELS)
    for position in np.random.default_rng(0).normal(size=(3, 8)):
        assert wrong.log_density_and_gradient(position)[1] == pytest.approx(
            right.log_density_and_gradient(position)[1], abs=1e-10
        )


def test_the_sum_of_logs_fails_against_enumeration():
    with pytest.raises(AssertionError, match="mean"):
        check_class_probabilities(WRONG_MARGINALS["sum of logs"])


def test_the_sum_of_logs_gives_every_class_the_same_words():
    """Its density is a product of Dirichlets, the same one for each class: all documents count in all of them."""
    counts = np.array([[9, 1], [1, 9], [8, 2], [2, 8]])
    wrong = WRONG_MARGINALS["sum of logs"](counts, 2, 1.0, 1.0)
    chain = Chain(NUTS(wrong, warmup=100), seed=0)
    positions = [chain[t].position for t in range(101, 501)]
    word_probs = wrong.constrain(positions).word_probs[:, :, 0].T
    for first_word in word_probs:
        assert stats.kstest(first_word[::4], stats.beta(21, 21).cdf).pvalue > 1e-4
    shares = np.array([wrong.class_probabilities(position)[:, 0] for position in positions])
    assert np.abs(shares.mean(axis=0) - 0.5).max() < 0.15
    assert np.ptp(np.abs(shares - 0.5).mean(axis=0)) < 0.1  # none is told apart better than another


def test_test_documents_that_teach_are_full_bayes():
    rule = WRONG_MARGINALS["test documents teach"]
    taught = rule(COUNTS, 3, **PRIORS, labels=LABELS, unlabelled="generated quantities")
    full = NaiveBayesMarginal(COUNTS, 3, **PRIORS, labels=LABELS)
    apart = NaiveBayesMarginal(COUNTS, 3, **PRIORS, labels=LABELS, unlabelled="generated quantities")
    assert taught.log_density(POSITION) == full.log_density(POSITION)
    gamma = full.log_joint_by_class(POSITION)[np.array(LABELS) < 0]
    more = special.logsumexp(gamma, axis=1).sum()
    assert taught.log_density(POSITION) - apart.log_density(POSITION) == pytest.approx(more)
