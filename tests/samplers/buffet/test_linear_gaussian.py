"""The linear-Gaussian model of features: held to its exact posterior, to the joint, and to itself made afresh."""

import math

import numpy as np
import pytest
from scipy import stats

from samplers.buffet.conditionals import OwnFeatures
from samplers.buffet.exact import log_probability_of_class
from samplers.buffet.exact_features import class_of, exact_features
from samplers.buffet.lifted import LoadingSums
from samplers.buffet.linear_gaussian import LinearGaussian, Own
from samplers.buffet.loadings import draw_loadings, draw_matrix, log_likelihood, log_prior_of_matrix
from samplers.buffet.wrong import WRONG_FEATURE_RULES, OwnFeaturesDropped
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, check_ratios, run, shares
from tests.samplers.geweke import compare

THREE = np.array([[1.8, 0.2, -0.4], [1.5, 1.6, 0.3], [-0.2, 1.4, 0.3]])
FOUR = np.array([[2.0, 0.1], [1.9, 2.1], [0.2, 1.8], [0.1, 1.9]])
WORLDS = {"three rows": (THREE, 1.0, 0.3, 1.5, 8), "four rows": (FOUR, 0.3, 0.4, 1.5, 4)}


def check_classes(rule, world, *, kept, thin=2, seed=0):
    """Compare the classes that a chain visits with the exact posterior, both given no more columns than are listed."""
    data, alpha, noise, spread, most = WORLDS[world]
    truth = exact_features(data, alpha, noise, spread, most)
    visited = [class_of(state.matrix) for state in run(rule(data, alpha, noise, spread), kept, thin=thin, seed=seed)]
    listed = [columns for columns in visited if len(columns) <= most]
    found = shares(listed, truth.classes)
    check_frequencies(found, truth.probabilities, kept / 2)  # sweeps hold on to each other
    features = [len(columns) for columns in truth.classes]
    check_frequencies(np.bincount(features, found), truth.feature_counts, kept / 2)


@pytest.mark.parametrize("world", WORLDS)
def test_a_chain_visits_classes_as_often_as_enumeration_says(world):
    check_classes(LinearGaussian, world, kept=3_000)


@pytest.mark.parametrize("rule", WRONG_FEATURE_RULES.values(), ids=WRONG_FEATURE_RULES)
def test_a_wrong_rule_does_not(rule):
    with pytest.raises(AssertionError, match="total variation"):
        check_classes(rule, "three rows", kept=3_000)


def test_the_likelihood_is_that_of_a_normal_column():
    rng = np.random.default_rng(1)
    matrix, data = draw_matrix(5, 2.0, rng), rng.normal(size=(5, 3))
    covariance = 0.7**2 * np.eye(5) + 1.3**2 * matrix @ matrix.T
    expected = sum(stats.multivariate_normal(np.zeros(5), covariance).logpdf(column) for column in data.T)
    assert log_likelihood(data, matrix, 0.7, 1.3) == pytest.approx(expected, rel=1e-12)


def test_exact_classes_weigh_what_their_parts_say():
    truth = exact_features(THREE, 0.8, 0.6, 1.1, 3)
    assert len(set(truth.classes)) == len(truth.classes) == 120
    for index in (0, 5, 40, 119):
        matrix = np.array(truth.classes[index], int) >> np.arange(3)[::-1, None] & 1
        assert class_of(matrix) == truth.classes[index]
        expected = log_probability_of_class(matrix, 0.8) + log_likelihood(THREE, matrix, 0.6, 1.1)
        assert truth.log_joint[index] == pytest.approx(expected, rel=1e-12)
    with pytest.raises(ValueError, match="at most 60,000 classes can be listed; 4 rows with 7 columns"):
        exact_features(FOUR, 1.0, 1.0, 1.0, 7)


def test_the_orders_of_a_class_share_its_probability():
    two_alike = np.array([[1, 1, 0], [1, 1, 1]])
    assert log_prior_of_matrix(two_alike, 1.3) == pytest.approx(log_probability_of_class(two_alike, 1.3) - math.log(3))


def test_after_a_long_run_sums_that_were_kept_are_those_made_afresh():
    rng = np.random.default_rng(2)
    data = rng.integers(0, 2, (200, 5)) @ rng.normal(size=(5, 30)) + rng.normal(size=(200, 30))
    sampler = LinearGaussian(data, 1.0, 0.3, 1.0)
    state = sampler.state(rng.integers(0, 2, (200, 6)))
    for _ in updates(sampler, state, rng):  # 200 rows out and in again, with nothing made afresh between
        pass
    lifted = sampler._lifted(state, 199)
    kept, afresh = sampler._put_back(state, lifted), LoadingSums.of(state.matrix, data, state.ratio)
    assert len(state.features) > 6
    for one, other in zip(kept, afresh, strict=True):
        assert np.abs(one - other).max() < 1e-9 * max(1, np.abs(other).max())
    bits = np.array(lifted.bits, float)
    mean = lifted.sums.inverse @ lifted.sums.cross
    assert lifted.misfit == pytest.approx(((data[199] - bits @ mean) ** 2).sum(), rel=1e-6)
    assert lifted.spread == pytest.approx(bits @ lifted.sums.inverse @ bits, rel=1e-9)


@pytest.mark.parametrize(("alpha", "noise", "spread"), [(1.0, 0.5, 1.0), (30.0, 0.1, 0.05), (0.01, 0.1, 4.0)])
def test_what_is_left_out_of_a_rows_own_features_cannot_be_drawn(alpha, noise, spread):
    sampler = LinearGaussian(THREE, alpha, noise, spread)
    state = sampler.state([[0], [1], [1]])
    conditional = sampler.score(state, Own(0))
    counts = np.arange(3_000)
    variance = noise**2 + counts * spread**2
    log_weights = stats.poisson(alpha / 3).logpmf(counts)
    log_weights -= 0.5 * (3 * np.log(2 * np.pi * variance) + (THREE[0] ** 2).sum() / variance)
    weights = np.exp(log_weights - log_weights.max())
    exact = weights / weights.sum()
    scored = len(conditional.probabilities)
    assert conditional.probabilities == pytest.approx(exact[:scored], rel=1e-9)
    assert exact[scored:].sum() < 1e-16
    assert scored < 200


def test_features_keep_their_names_and_new_ones_stand_anywhere():
    sampler = LinearGaussian(THREE, 1.0, 0.5, 1.0)
    state = sampler.state([[1, 1, 0], [0, 1, 1], [0, 1, 0]])
    sampler.remember(state, Own(0), OwnFeatures(2, (0, 3)))
    assert state.features == [0, 1, 2, 3]
    sampler.remember(state, Own(1), OwnFeatures(0, ()))
    assert state.features == [0, 1, 3]
    sampler.remember(state, Own(2), OwnFeatures(1, (1,)))
    assert state.features == [0, 2, 1, 3]
    assert state.matrix.tolist() == [[1, 0, 1, 1], [0, 0, 1, 0], [0, 1, 1, 0]]


def z_scores(rule=LinearGaussian, *, iterations=1_500, seed=0, rows=3, resampled=True):
    """Geweke's test: matrix, settings, loadings and data from the top, or else by sweeps and new data."""
    rng = np.random.default_rng(seed)
    priors = {"concentration_prior": (3.0, 3.0), "noise_prior": (4.0, 1.5), "spread_prior": (4.0, 3.0)}
    priors = priors if resampled else {}

    def new_data(matrix, noise, spread):
        loadings = spread * rng.standard_normal((matrix.shape[1], 2))
        return matrix @ loadings + noise * rng.standard_normal((rows, 2))

    def from_the_top():
        alpha, noise, spread = 1.0, 0.6, 1.0
        if resampled:
            alpha = rng.gamma(3.0) / 3.0
            noise, spread = math.sqrt(1.5 / rng.gamma(4.0)), math.sqrt(3.0 / rng.gamma(4.0))
        matrix = draw_matrix(rows, alpha, rng)
        return new_data(matrix, noise, spread), matrix, noise, spread, alpha

    def move(data, matrix, noise, spread, alpha):
        sampler = rule(data, alpha, noise, spread, **priors)
        state = sampler.state(matrix)
        list(updates(sampler, state, rng))
        settings = state.noise, state.spread, state.concentration
        loadings = draw_loadings(data, state.matrix, state.noise, state.spread, rng)
        after = state.matrix @ loadings + state.noise * rng.standard_normal(data.shape)
        return (data, state.matrix, *settings), (after, state.matrix, *settings)

    def statistics(data, matrix, noise, spread, alpha):
        data = np.array(data)
        features = np.array([bits.shape[1] for bits in matrix])
        ones = np.array([bits.sum() for bits in matrix])
        both = np.array([(bits[0] * bits[1]).sum() for bits in matrix])
        alone = np.array([(bits.sum(axis=0) == 1).sum() for bits in matrix])
        size = np.tanh((data**2).mean(axis=(1, 2)) / 2)
        alike = np.tanh((data[:, 0] * data[:, 1]).sum(axis=1))
        scales = [np.log(noise), np.log(spread), np.log(alpha)]
        return [features, ones, both, alone, size, alike, alike * both, size * features, *scales, scales[2] * features]

    return compare(from_the_top, move, statistics, iterations)


def test_the_joint_distribution_is_left_as_it_is():
    assert np.abs(z_scores()).max() < 4


def test_new_features_for_every_row_fail_the_joint_test():
    """The other wrong rule hardly shows there, since new data fit what it has done; `check_ratios` is for it."""
    rule = WRONG_FEATURE_RULES["new features for every row"]
    assert np.abs(z_scores(rule, resampled=False, iterations=1_000)).max() > 5


def test_ratios_catch_own_features_that_are_dropped():
    with pytest.raises(AssertionError, match="off by"):
        check_ratios(OwnFeaturesDropped(THREE, 2.0, 0.5, 1.0, start="prior"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"data": [1.0, 2.0]}, "data must be a table of finite numbers"),
        ({"data": [[math.nan]]}, "data must be a table of finite numbers"),
        ({"noise": 0}, "noise must be finite and > 0"),
        ({"spread": -1}, "spread must be finite and > 0"),
        ({"concentration": 0}, "concentration must be finite and > 0"),
        ({"start": "full"}, "start must be 'empty' or 'prior'"),
        ({"noise_prior": (1, 0)}, "noise_prior must be finite and > 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        LinearGaussian(**({"data": THREE, "concentration": 1.0, "noise": 1.0, "spread": 1.0} | settings))


def test_a_matrix_of_another_shape_is_refused():
    with pytest.raises(ValueError, match="matrix must be 3 rows of 0 or 1"):
        LinearGaussian(THREE, 1.0, 1.0, 1.0).state([[1], [2], [0]])
