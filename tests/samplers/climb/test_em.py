"""EM, its MAP form and k-means: they climb, and they end where direct optimisation and brute force end."""

import math
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import softmax
from scipy.stats import dirichlet, invgamma, multivariate_normal, norm

from samplers.climb.em import EM, KMeans
from samplers.climb.wrong import WRONG_CLIMBS, NotNormalised, WeightsLeftOut
from samplers.conjugate import NormalKnownVariance
from samplers.mixtures.best_fit import best_fit
from samplers.partitions import partitions
from tests.samplers.climb.climbs import (
    FEW,
    KNOWN,
    OVERLAPPING,
    PLANE_KNOWN,
    PLANE_UNKNOWN,
    UNKNOWN,
    climbed,
    falls,
)

CLIMBS = [
    EM(FEW, KNOWN, 2),
    EM(FEW, UNKNOWN, 2, 1.5, True),
    EM(OVERLAPPING, PLANE_KNOWN, 3),
    EM(OVERLAPPING, PLANE_KNOWN, 4, 2.0, True),
    EM(OVERLAPPING, PLANE_UNKNOWN, 3, start="k-means++"),
    EM(OVERLAPPING, PLANE_UNKNOWN, 3, [1.0, 2.0, 3.0], True),
    KMeans(OVERLAPPING, PLANE_KNOWN, 4),
]


def density(climb, parts):
    """log p(points | parts), and the prior of these if it counts: by SciPy, a term each."""
    rows = climb.data
    pairs = list(zip(parts.weights, parts.components, strict=True))
    each = sum(weight * multivariate_normal(c.mean, c.covariance).pdf(rows) for weight, c in pairs)
    total = float(np.log(each).sum())
    if climb.prior:
        total += dirichlet(climb.class_prior).logpdf(parts.weights)
        total += sum(climb.family.log_density_of(component) for component in parts.components)
    return total


@pytest.mark.parametrize("climb", CLIMBS)
def test_no_half_step_goes_down_and_e_reaches_the_log_likelihood(climb):
    for seed in range(4):
        states, records = climbed(climb, seed, 60)
        assert falls([state.bound for state in states]) == 0
        assert falls([climb.level(state) for state in states]) == 0
        np.testing.assert_allclose([record.rise for record in records], np.diff([state.bound for state in states]))
        if isinstance(climb, EM):
            for state in states[1:12:2]:
                assert state.bound == pytest.approx(density(climb, state.parts), rel=1e-9)
                np.testing.assert_allclose(state.responsibilities.sum(axis=1), 1)


@pytest.mark.parametrize("rule", [NotNormalised, WeightsLeftOut])
def test_a_wrong_e_step_lets_the_log_likelihood_fall(rule):
    wrong = rule(OVERLAPPING, PLANE_UNKNOWN, 3, start="k-means++")
    states, _ = climbed(wrong, 1, 60)
    assert falls([wrong.level(state) for state in states]) > 0.01
    assert WRONG_CLIMBS


@pytest.mark.parametrize("prior", [False, True])
def test_the_end_is_a_maximum_by_direct_optimisation(prior):
    family = UNKNOWN if prior else KNOWN
    climb = EM(FEW, family, 2, 1.5, prior)
    end = climbed(climb, 0, 1_500)[0][-1]

    def loss(values):
        weights, means = softmax([0.0, values[0]]), values[1:3]
        variances = np.exp(values[3:5]) if prior else np.full(2, KNOWN.variance)
        parts = [
            weight * norm(m, math.sqrt(v)).pdf(FEW) for weight, m, v in zip(weights, means, variances, strict=True)
        ]
        total = np.log(sum(parts)).sum()
        if prior:
            total += dirichlet([1.5, 1.5]).logpdf(weights)
            for m, v in zip(means, variances, strict=True):
                total += norm(0, math.sqrt(v / 0.125)).logpdf(m) + invgamma(2, scale=0.5).logpdf(v)
        return -float(total)

    here = [float(np.log(end.parts.weights[1] / end.parts.weights[0])), *(c.mean[0] for c in end.parts.components)]
    here += [math.log(c.covariance[0, 0]) for c in end.parts.components] if prior else []
    assert loss(np.array(here)) == pytest.approx(-end.bound, rel=1e-9)
    found = minimize(loss, here, method="BFGS")
    assert found.fun == pytest.approx(-end.bound, abs=1e-7)  # nothing to gain
    np.testing.assert_allclose(found.x, here, atol=2e-3)


@pytest.mark.parametrize("components", [2, 3])
def test_the_best_of_all_starts_is_the_best_fit(components):
    climb = EM(FEW, KNOWN, components)
    starts = [each for each in partitions(5) if max(each) + 1 == components]
    ends = [climbed(climb, half_steps=150, start=labels)[0][-1].bound for labels in starts]
    assert max(ends) == pytest.approx(best_fit(FEW, KNOWN, components).log_likelihood, abs=1e-3)


def test_k_means_finds_the_best_assignment_from_some_start_and_a_good_one_from_all():
    for components in (2, 3):
        climb, every = KMeans(FEW, KNOWN, components), list(product(range(components), repeat=len(FEW)))
        squares = {}
        for labels in every:
            groups = [FEW[np.array(labels) == label] for label in set(labels)]
            squares[labels] = sum(((group - group.mean()) ** 2).sum() for group in groups)
        ends = [climbed(climb, half_steps=20, start=labels)[0][-1] for labels in every]
        assert max(end.bound for end in ends) == pytest.approx(-0.5 * min(squares.values()), rel=1e-12)
        for end in ends:
            labels = tuple(end.responsibilities.argmax(axis=1))
            assert end.bound == pytest.approx(-0.5 * squares[labels], abs=1e-12)
            means = np.array([component.mean[0] for component in end.parts.components])
            assert (np.abs(FEW[:, None] - means).argmin(axis=1) == labels).all()


def test_em_with_a_variance_near_0_is_k_means():
    hard = KMeans(OVERLAPPING, PLANE_KNOWN, 3)
    for seed in range(3):
        tight = NormalKnownVariance([0.0, 0.0], 4.0, 1e-4)
        start = hard.init(np.random.default_rng(seed)).responsibilities.argmax(axis=1)
        soft = climbed(EM(OVERLAPPING, tight, 3), half_steps=60, start=start)[0]
        limit = climbed(hard, half_steps=60, start=start)[0]
        np.testing.assert_allclose(soft[-1].responsibilities, limit[-1].responsibilities, atol=1e-6)
        constant = 2 * len(OVERLAPPING) / 2 * math.log(2 * math.pi * 1e-4)
        assert 1e-4 * (soft[-1].bound + constant) == pytest.approx(limit[-1].bound, rel=1e-2)


def test_without_a_prior_a_spread_of_its_own_collapses_and_with_one_it_does_not():
    start = [0, 0, 1, 0, 0]
    states, records = climbed(EM(FEW, UNKNOWN, 2), half_steps=40, start=start)
    deviations = [state.parts.components[1].deviations[0] for state in states]
    assert states[-1].stuck
    assert falls(-np.array(deviations)) == 0
    assert deviations[-1] < 0.1 * deviations[0]
    assert sum(record.rise == math.inf for record in records) == 1
    assert states[-1].parts is states[-2].parts
    weights, others = states[-1].parts.weights, states[-1].parts.components[0]
    rest = weights[0] * norm(others.mean[0], others.deviations[0]).pdf(FEW)
    fits = [
        np.log(rest + weights[1] * norm(FEW[2], deviation).pdf(FEW)).sum() for deviation in (1e-2, 1e-20, 1e-40)
    ]  # without bound
    assert np.diff(fits) == pytest.approx([18 * math.log(10), 20 * math.log(10)], abs=1)
    assert not any(state.stuck for state in climbed(EM(FEW, UNKNOWN, 2, 1.0, True), half_steps=400, start=start)[0])


def test_an_empty_component_stays_as_it_is_and_points_that_nothing_reaches_end_the_climb():
    states, _ = climbed(EM(FEW, KNOWN, 3), half_steps=20, start=[0, 0, 1, 1, 1])
    assert states[-1].parts.weights[2] == 0
    assert states[-1].parts.components[2].mean == states[0].parts.components[2].mean
    assert np.isfinite([state.bound for state in states]).all()
    far = NotNormalised(FEW, NormalKnownVariance(0.0, 4.0, 1e-6), 1)  # every density underflows to 0
    states, _ = climbed(far, half_steps=4, start=[0] * 5)
    assert states[-1].stuck
    assert np.isfinite(states[-1].parts.weights).all()


def test_a_component_that_fades_has_a_weight_to_the_last():
    shares = np.column_stack([np.full(len(FEW), 1 - 1e-30), np.full(len(FEW), 1e-30)])
    found = EM(FEW, UNKNOWN, 2, 1.0, True).maximise(shares, None)
    assert found.weights[1] == pytest.approx(1e-30), "or its logarithm would be -inf, and the bound"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FEW, KNOWN, 0), "components must be 1 or more"),
        (([], KNOWN, 2), "at least one point"),
        ((FEW, KNOWN, 2, 0.5, True), "class_prior must be 1 or more"),
        ((FEW, KNOWN, 2, 1.0, False, "far"), "start must be"),
    ],
)
def test_bad_settings_are_rejected_in_words(arguments, message):
    with pytest.raises(ValueError, match=message):
        EM(*arguments)
