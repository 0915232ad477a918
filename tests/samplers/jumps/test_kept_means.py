"""Neal's Algorithm 2 against every partition and Geweke's joint test, beside Algorithm 8 for the same model."""

import math

import numpy as np
import pytest
from scipy import stats

from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.data.blobs import DATASETS
from samplers.diagnostics.convergence import partition_ids
from samplers.jumps.auxiliary import AuxiliaryTables
from samplers.jumps.kept_means import KeptMeans, NormalMeans
from samplers.jumps.tables import MEANS
from samplers.jumps.wrong import WRONG_KEPT
from samplers.partitions import partitions
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run
from tests.samplers.geweke import compare, seating, statistics

SEVEN = DATASETS["seven_points"](7, 1).data
PRIOR = NormalKnownVariance(0.2, 4.0, 0.5)
FAMILY = NormalMeans(PRIOR)
WIDE = NormalMeans(NormalKnownVariance(0.0, 25.0, 0.3))
THREE = [-1.0, 0.0, 1.0]
Wrong = WRONG_KEPT["mean from the prior"]


def found(sampler, kept, seed):
    """How often each partition comes, in states two sweeps apart."""
    labels = [state.labels for state in run(sampler, kept, thin=2, seed=seed)]
    return np.bincount(partition_ids(labels), minlength=len(partitions(len(labels[0])))) / kept


def test_a_long_run_has_the_posterior_of_seven_points():
    """Total variation over 877 partitions in 2,000 states, counted as 667: a mean changes its place slowly."""
    truth = exact_posterior(SEVEN, PRIOR, 1.0).probabilities
    check_frequencies(found(KeptMeans(SEVEN, FAMILY, 1.0), 2_000, seed=1), truth, 2_000 / 3, chance=1e-4)


def test_a_long_run_has_the_posterior_by_both_algorithms_and_by_the_wrong_rule_another():
    truth = exact_posterior(THREE, WIDE.prior, 5.0).probabilities
    for right in (KeptMeans(THREE, WIDE, 5.0), AuxiliaryTables(THREE, WIDE, 5.0, 2)):
        check_frequencies(found(right, 2_000, 2), truth, 1_000, chance=1e-4)
    with pytest.raises(AssertionError, match="total variation"):
        check_frequencies(found(Wrong(THREE, WIDE, 5.0), 2_000, 2), truth, 1_000, chance=1e-4)


def z_scores(rule, iterations, seed):
    """The joint test: the means, and the numbers that make new ones, move along with the labels."""
    rng = np.random.default_rng(seed)

    def new(labels, means):
        noise = math.sqrt(FAMILY.variance) * rng.standard_normal((len(labels), 1))
        return np.array([means[label] for label in labels]) + noise

    def from_the_top():
        labels = seating(4, 1.0, rng)
        tables = sorted(set(labels.tolist()))
        means = dict(zip(tables, FAMILY.draw(rng, len(tables)), strict=True))
        return new(labels, means), labels, means

    def move(data, labels, means):
        sampler = rule(data, FAMILY, 1.0)
        state = sampler.state(labels, sampler.ahead().draw(rng))
        state.means = {table: means[table] for table in state.means}
        list(updates(sampler, state, rng))
        labels, means = state.assignments, dict(state.means)
        return (data, labels, means), (new(labels, means), labels, means)

    def seen(data, labels, _):
        return statistics(data, labels, [1.0] * len(data))

    return compare(from_the_top, move, seen, iterations)


def test_the_joint_test_of_geweke():
    """Eight z-scores: beyond 4 by chance less than once in a thousand choices of seeds."""
    assert np.abs(z_scores(KeptMeans, 4_000, 3)).max() < 4
    assert np.abs(z_scores(Wrong, 4_000, 3)).max() > 4


def test_the_terms_of_one_update():
    """Point 2 sat alone: the mean of its table is lost, and a new one is drawn given the point."""
    sampler = KeptMeans([-1.0, 0.5, 2.0], FAMILY, 0.6)
    state = sampler.state([0, 0, 4], [[(0.0,)], [(0.0,)], [(1.5,)]])
    sampler.forget(state, 2)
    conditional = sampler.score(state, 2)
    assert np.exp(conditional.terms[sampler.already_there]) == pytest.approx([2, 0.6])
    fits = [stats.norm.logpdf(2.0, -0.25, math.sqrt(0.5)), stats.norm.logpdf(2.0, 0.2, math.sqrt(4.5))]
    assert conditional.terms[sampler.fit] == pytest.approx(fits)
    posterior = PRIOR.cluster([[2.0]]).posterior()
    sampler.remember(state, 2, 1)
    assert state.means[4] == pytest.approx((posterior.mean[0] + 1.5 * math.sqrt(posterior.prior_variance),))
    assert (state.labels, state.counts) == ([0, 0, 4], [2, 1])


def test_a_mean_is_drawn_given_the_points_of_its_table():
    sampler = KeptMeans([-1.0, 0.5, 2.0], FAMILY, 0.6)
    conditional = sampler.score(sampler.state([0, 0, 1], [[(0.0,)]] * 3), MEANS)
    rng = np.random.default_rng(4)
    draws = np.array([conditional.draw(rng)[0][0] for _ in range(4_000)])
    precision = 1 / 4 + 2 / 0.5
    exact = stats.norm((0.2 / 4 + (-1.0 + 0.5) / 0.5) / precision, precision**-0.5)
    assert stats.kstest(draws, exact.cdf).pvalue > 1e-3
    at = {0: (0.3,), 1: (1.0,)}
    second = stats.norm((0.2 / 4 + 2.0 / 0.5) / (1 / 4 + 1 / 0.5), (1 / 4 + 1 / 0.5) ** -0.5)
    assert conditional.log_density(at) == pytest.approx(exact.logpdf(0.3) + second.logpdf(1.0))
