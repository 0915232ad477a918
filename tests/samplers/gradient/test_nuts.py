"""NUTS by what it must leave as it is, its trees by their definition, and its warm-up by formulas written out."""

import math
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from samplers.chain import Chain
from samplers.diagnostics.convergence import diagnose
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.hmc import leapfrog
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.nuts import NUTS, StepSizeSearch, VarianceEstimate, warmup_windows
from samplers.mixtures.exact_labellings import exact_naive_bayes
from tests.samplers.gradient.calibration import (
    COUNTS,
    GENTLE,
    check_class_probabilities,
    check_means,
    draws,
    rank_by_prior,
    rank_given_labels,
    rank_of_unlikeness,
    ranks_of_a_corpus,
)
from tests.samplers.gradient.targets import Normal
from tests.samplers.gradient.trees import PLANE, straight

TWO_MEANS = GaussianMarginal([-2.1, -1.9, 2.0], 2)


def never_turns(points, inverse_mass):
    """Whether a tree and all trees in it are straight, with the stretches of one tree and a point of its neighbour."""
    if len(points) == 1:
        return True
    half = len(points) // 2
    stretches = (points, points[: half + 1], points[half - 1 :])
    if not all(straight(stretch, inverse_mass) for stretch in stretches):
        return False
    return never_turns(points[:half], inverse_mass) and never_turns(points[half:], inverse_mass)


def last_doubling(inside):
    return [point for point, number in zip(inside.points, inside.doublings, strict=True) if number > inside.depth]


@pytest.mark.parametrize("step_size", [0.15, 0.6, 1.1])
def test_trees_are_what_they_are_defined_to_be(step_size):
    sampler = NUTS(PLANE, warmup=0, step_size=step_size, inverse_mass=[0.7, 1.4], start=[0.5, 0.5])
    chain, reasons = Chain(sampler, seed=0), Counter()
    for t in range(1, 120):
        inside, after = chain.record(t), chain[t]
        points = inside.points
        assert [point.step for point in points] == list(range(points[0].step, points[-1].step + 1))
        assert (points[inside.start].position == chain[t - 1].position).all()
        for here, there in zip(points[inside.start :], points[inside.start + 1 :], strict=False):
            assert leapfrog(PLANE, here, step_size, inside.inverse_mass).energy == there.energy
        for here, there in zip(points[: inside.start + 1][::-1], points[: inside.start][::-1], strict=False):
            assert leapfrog(PLANE, here, -step_size, inside.inverse_mass).energy == there.energy

        sizes = Counter(inside.doublings)
        assert all(sizes[number] == 2 ** (number - 1) for number in range(1, inside.depth + 1))
        tree = [point for point, offered in zip(points, inside.offered, strict=True) if offered]
        assert len(tree) == 2**inside.depth
        assert inside.offered == tuple(number <= inside.depth for number in inside.doublings)
        assert inside.offered[inside.chosen]
        before = [point for point, number in zip(points, inside.doublings, strict=True) if number < inside.depth]
        assert never_turns(before, inside.inverse_mass)  # else there would have been no doubling after it
        assert inside.turn is not None
        first, last = inside.turn
        assert not straight(points[first : last + 1], inside.inverse_mass)
        if len(points) == len(tree):
            reasons["the whole path turns"] += 1
            assert not never_turns(tree, inside.inverse_mass)
        else:
            reasons["the last doubling turns within"] += 1
            assert never_turns(tree, inside.inverse_mass)
            assert not any(inside.offered[first : last + 1])
            assert len(last_doubling(inside)) <= 2**inside.depth

        rates = np.minimum(1, np.exp(inside.energies[inside.start] - np.delete(inside.energies, inside.start)))
        assert inside.accept_statistic == pytest.approx(rates.mean())
        assert (after.position == points[inside.chosen].position).all()
        assert (inside.leapfrogs, after.iteration) == (len(points) - 1, t)
    assert len(reasons) == 2 or step_size > 1


def test_depth_is_limited():
    sampler = NUTS(PLANE, max_depth=3, warmup=0, step_size=0.01, start=[0.5, 0.5])
    _, inside = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(1))
    assert (inside.depth, inside.leapfrogs, inside.turn, inside.divergent) == (3, 7, None, None)


def test_where_all_weights_are_equal_the_last_doubling_is_taken_and_each_of_its_points_as_often():
    """Each direction as often, too. Three p-values above 1e-4."""
    sampler = NUTS(PLANE, max_depth=4, warmup=0, step_size=1e-3, start=[0.5, 0.5])
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    replays = [sampler.step(state, rng)[1] for _ in range(400)]
    assert np.mean([inside.doublings[inside.chosen] == 4 for inside in replays]) > 0.97
    places = [inside.chosen - inside.doublings.index(4) for inside in replays if inside.doublings[inside.chosen] == 4]
    assert stats.chisquare(np.bincount(places, minlength=8)).pvalue > 1e-4
    starts = np.bincount([inside.start for inside in replays], minlength=16)  # one for each way to go back or forth
    assert stats.chisquare(starts).pvalue > 1e-4
    assert stats.binomtest(sum(inside.start >= 8 for inside in replays), 400).pvalue > 1e-4


# ---- which point of a path is chosen ---------------------------------------------------------------------------------


def test_a_normal_distribution_of_five_numbers_after_a_warm_up():
    """Means and variances within 4 standard errors, of which there are 20: by chance once in 800 seeds."""
    rng = np.random.default_rng(0)
    roots = rng.normal(size=(5, 5)) * [0.1, 1, 1, 3, 10]
    covariance = roots.T @ roots + 0.01 * np.eye(5)
    mean = np.array([0.0, 5.0, -1.0, 2.0, 30.0])
    states, records = draws(Normal(covariance, mean), seed=1, kept=600)
    positions = np.array([state.position for state in states])
    for series, expected in zip(positions.T, mean, strict=True):
        assert abs(series.mean() - expected) < 4 * diagnose(series).mcse_mean
    for row in range(5):
        for column in range(row + 1):
            products = (positions - mean)[:, row] * (positions - mean)[:, column]
            assert abs(products.mean() - covariance[row, column]) < 4 * diagnose(products).mcse_mean
    assert states[-1].inverse_mass == pytest.approx(np.diag(covariance), rel=0.6)
    assert len({state.step_size for state in states}) == 1
    assert all(record.divergent is None for record in records)


def test_the_schedule_of_the_warm_up():
    assert warmup_windows(1_000) == ((76, 100), (101, 150), (151, 250), (251, 450), (451, 950))
    for warmup in range(200):
        windows = warmup_windows(warmup)
        assert bool(windows) == (warmup >= 20)
        if windows:
            assert 1 < windows[0][0] < windows[-1][1] < warmup
            assert all(before[1] + 1 == after[0] for before, after in pairwise(windows))

    chain = Chain(NUTS(PLANE, warmup=300), seed=0)
    changes = [t for t in range(1, 320) if (chain[t].inverse_mass != chain[t - 1].inverse_mass).any()]
    assert changes == [100, 150, 250]
    inside = np.array([chain[t].position for t in range(101, 151)])
    expected = inside.var(axis=0, ddof=1) * 50 / 55 + 1e-3 * 5 / 55
    assert chain[150].inverse_mass == pytest.approx(expected)
    assert chain[149].search.count == 49
    assert (chain[150].search.count, chain[150].variances) == (0, None)
    assert chain[150].search.centre == pytest.approx(math.log(10 * chain[150].step_size))
    assert chain[299].step_size != pytest.approx(chain[300].step_size, rel=1e-3)
    assert chain[300].search is None
    search, _ = chain[299].search.learn(chain.record(300).accept_statistic, 0.8)
    assert chain[300].step_size == chain[319].step_size == pytest.approx(math.exp(search.log_average))


def test_dual_averaging_by_the_paper():
    """Hoffman & Gelman (2014), algorithm 5, in sums over all statistics that have come."""
    rates = np.random.default_rng(0).random(40)
    search, steps = StepSizeSearch(math.log(2.0)), []
    for rate in rates:
        search, step_size = search.learn(rate, 0.65)
        steps.append(math.log(step_size))
    for count in (1, 5, 40):
        shortfall = np.sum(0.65 - rates[:count]) / (count + 10)
        assert steps[count - 1] == pytest.approx(math.log(2.0) - math.sqrt(count) / 0.05 * shortfall)
    average = 0.0
    for count, step in enumerate(steps, start=1):
        average += count**-0.75 * (step - average)
    assert search.log_average == pytest.approx(average)


def test_running_variances():
    values = np.random.default_rng(0).normal(1e6, 1.0, (30, 2))
    estimate = VarianceEstimate.empty(2)
    for value in values:
        estimate = estimate.add(value)
    assert estimate.squares / 29 == pytest.approx(values.var(axis=0, ddof=1), rel=1e-8)


@pytest.mark.parametrize(
    ("target_accept", "rates", "step_sizes"),
    [(0.6, (0.62, 0.84), (0.75, 1.35)), (0.8, (0.83, 0.93), (0.55, 0.87)), (0.95, (0.92, 0.98), (0.35, 0.6))],
)
def test_the_step_size_is_adapted_as_in_stan(target_accept, rates, step_sizes):
    """Where eight chains of Stan 2.35 lie after the same warm-up, and a little around: above the target on average."""
    states, records = draws(Normal(np.diag(np.arange(1.0, 11.0))), seed=0, target_accept=target_accept, kept=300)
    assert rates[0] < np.mean([record.accept_statistic for record in records]) < rates[1]
    assert step_sizes[0] < states[-1].step_size < step_sizes[1]


class Funnel:
    """Neal's funnel (2003, Slice sampling): its neck is too narrow for any step that suits the rest."""

    dimension = 2

    def log_density_and_gradient(self, position):
        width, place = position
        square = place**2 * np.exp(-width)
        log_density = -(width**2) / 18 - width / 2 - square / 2
        return float(log_density), np.array([-width / 9 - 0.5 + square / 2, -place * np.exp(-width)])


def test_divergences_are_told():
    chain = Chain(NUTS(Funnel(), warmup=0, step_size=1.5, start=[0.0, 0.5]), seed=0)
    divergent = [t for t in range(1, 400) if chain.record(t).divergent is not None]
    assert len(divergent) > 5
    for t in divergent:
        inside = chain.record(t)
        energies = inside.energies - inside.energies[inside.start]
        assert energies[inside.divergent] > 1_000
        assert inside.divergent in (0, len(inside.points) - 1)
        assert not inside.offered[inside.divergent]
        assert inside.turn is None
        assert energies[list(inside.offered)].max() < 1_000


def test_a_first_step_size_crosses_an_acceptance_of_four_fifths():
    for scale in (1e-4, 1.0, 1e4):
        target = Normal(scale**2 * np.eye(3))
        sampler = NUTS(target, warmup=100, start=[scale / 2] * 3)
        guesses = [sampler.init(np.random.default_rng(seed)).step_size / scale for seed in range(20)]
        assert 0.3 < np.median(guesses) < 4

    class Flat:
        dimension = 1

        def log_density_and_gradient(self, position):
            return 0.0, np.zeros(1)

    with pytest.raises(ValueError, match="no step size fits the target: it is not proper"):
        NUTS(Flat()).init(np.random.default_rng(0))
    state, generator = NUTS(Flat(), warmup=100, step_size=2.0).init(np.random.default_rng(0)), np.random.default_rng(1)
    for _ in range(60):
        state, _ = NUTS(Flat(), warmup=100, step_size=2.0).step(state, generator)
    assert np.isfinite(state.position).all(), "a chain goes on, and runs away"
    assert abs(state.position[0]) > 1e6


def test_bad_arguments():
    with pytest.raises(ValueError, match="max_depth must be 1 or more, got 0"):
        NUTS(PLANE, max_depth=0)
    for bad in (0, -0.1):
        with pytest.raises(ValueError, match="target_accept must be finite and > 0"):
            NUTS(PLANE, target_accept=bad)
    with pytest.raises(ValueError, match="target_accept must be below 1, got 1"):
        NUTS(PLANE, target_accept=1)
    with pytest.raises(ValueError, match="warmup must be 0 or more, got -1"):
        NUTS(PLANE, warmup=-1)
    with pytest.raises(ValueError, match="step_size must be finite and > 0"):
        NUTS(PLANE, step_size=-0.1)


def test_class_probabilities_of_documents_are_exact_with_two_labels_known():
    """Four means within 4 standard errors of enumeration: by chance once in 4,000 seeds."""
    check_class_probabilities(NaiveBayesMarginal)


def test_co_clustering_is_exact_with_all_labels_hidden():
    """The names of the classes do not matter to it. Ten means, as above: by chance once in 1,500 seeds."""
    model = NaiveBayesMarginal(COUNTS, 2, **GENTLE)
    truth = exact_naive_bayes(COUNTS, 2, **GENTLE)
    pairs = np.triu_indices(5, 1)
    same = truth.labellings[:, :, None] == truth.labellings[:, None, :]
    shares = np.array(
        [model.class_probabilities(state.position) for state in draws(model, seed=3, warmup=150, kept=600)[0]]
    )
    together = shares @ shares.transpose(0, 2, 1)
    check_means(together[:, *pairs], np.tensordot(truth.probabilities, same, axes=1)[pairs])


@pytest.mark.parametrize(("known", "statistic"), [(4, rank_given_labels), (1, rank_by_prior), (1, rank_of_unlikeness)])
def test_calibration(known, statistic):
    """Supervised, where the posterior is a Beta; and with hidden labels, where posteriors average to the prior."""
    assert stats.kstest(ranks_of_a_corpus(NaiveBayesMarginal, known, statistic), "uniform").pvalue > 1e-4
