import itertools
import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from samplers.crp.facts import log_joint
from samplers.crp.stick_breaking import STICK, Beta, StickBreakingSeating, StickState
from samplers.recipe import Conditional, updates
from tests.samplers.exactness import check_ratios, check_visited_probabilities, partitions

SETTINGS = [(1.0, 0.0), (0.3, 0.0), (4.0, 0.0), (2.5, 0.5), (0.2, 0.6), (0.0, 0.5), (-0.4, 0.7)]


def seating_probabilities(customers, concentration, discount):
    return {seating: math.exp(log_joint(seating, concentration, discount)) for seating in partitions(customers)}


class WrongFraction(StickBreakingSeating):
    """Forgets that a table which is open has taken its discount along."""

    def score(self, state, site):
        if site == STICK:
            return self.fraction_prior(len(state.counts) - 1)
        return super().score(state, site)


class WholeStick(StickBreakingSeating):
    """Takes the fraction for the length."""

    def score(self, state, site):
        if site == STICK:
            return super().score(state, site)
        return Conditional({"length of stick": [*map(math.log, state.fractions), state.log_left]})


class NewAlwaysWeighsOne(StickBreakingSeating):
    def score(self, state, site):
        if site == STICK:
            return super().score(state, site)
        return Conditional({"length of stick": [*state.log_sticks, 0.0]})


@pytest.mark.parametrize(("concentration", "discount"), [(1.0, 0.0), (0.2, 0.6), (-0.4, 0.7)])
def test_steps_visit_the_partitions_of_5_as_often_as_they_should(concentration, discount):
    check_visited_probabilities(
        StickBreakingSeating(concentration, discount), seating_probabilities(5, concentration, discount)
    )


@pytest.mark.parametrize("wrong", [WrongFraction, WholeStick, NewAlwaysWeighsOne])
def test_planted_errors_fail_both_checks(wrong):
    with pytest.raises(AssertionError, match="total variation"):
        check_visited_probabilities(wrong(0.2, 0.6), seating_probabilities(5, 0.2, 0.6))
    with pytest.raises(AssertionError, match="is off by"):
        check_ratios(wrong(0.2, 0.6))


def expected_joint(sampler, seating):
    """Integral of the joint over all fractions.

    By Gauss-Jacobi, each under its own Beta distribution: without the Beta densities the joint is a polynomial in the
    fractions, of a degree below the number of customers, so that as many nodes are exact.
    """
    distributions = [sampler.fraction_prior(table) for table in range(1, max(seating) + 2)]
    rules = []
    for distribution in distributions:
        nodes, weights = special.roots_jacobi(len(seating), distribution.b - 1, distribution.a - 1)
        rules.append(list(zip((1 + nodes) / 2, weights / weights.sum(), strict=True)))
    total = 0.0
    for points in itertools.product(*rules):
        state = StickState()
        for table in seating:
            state.seat(table)
            if len(state.counts) > len(state.fractions):
                state.break_off(points[table][0])
        densities = sum(
            distribution.log_density(fraction)
            for distribution, (fraction, _) in zip(distributions, points, strict=True)
        )
        weight = math.prod(weight for _, weight in points)
        total += weight * math.exp(sampler.log_joint(state) - densities)
    return total


@pytest.mark.parametrize(("concentration", "discount"), SETTINGS)
def test_with_the_sticks_integrated_out_it_is_the_seating_rule(concentration, discount):
    sampler = StickBreakingSeating(concentration, discount)
    for seating in partitions(4):
        exact = math.exp(log_joint(seating, concentration, discount))
        assert expected_joint(sampler, seating) == pytest.approx(exact, rel=1e-9), seating


@pytest.mark.parametrize(("concentration", "discount"), [(1.0, 0.0), (0.2, 0.6)])
def test_fractions_come_from_their_beta_priors(concentration, discount):
    sampler, rng = StickBreakingSeating(concentration, discount), np.random.default_rng(0)
    first, fraction_pairs = [], []
    for _ in range(3_000):
        state = sampler.init(rng)
        while len(state.fractions) < 2 and len(state) < 100:
            state, _ = sampler.step(state, rng)
        first.append(state.fractions[0])
        fraction_pairs += [state.fractions] if len(state.fractions) == 2 else []
    # a right sampler fails each line once in ten thousand seeds
    assert stats.kstest(first, stats.beta(1 - discount, concentration + discount).cdf).pvalue > 1e-4
    second = [pair[1] for pair in fraction_pairs]
    assert stats.kstest(second, stats.beta(1 - discount, concentration + 2 * discount).cdf).pvalue > 1e-4


def test_a_new_table_breaks_off_its_piece_in_the_same_step():
    sampler, rng = StickBreakingSeating(1.0, 0.25), np.random.default_rng(1)
    state = sampler.init(rng)
    for customer in range(60):
        tables = len(state.counts)
        state = state.copy()
        made = list(updates(sampler, state, rng))
        assert made[0].site == customer
        assert [update.site for update in made[1:]] == ([STICK] if made[0].value == tables else [])
        assert list(made[0].conditional.terms) == ["length of stick"]
        if len(made) == 2:
            assert made[1].conditional == Beta(0.75, 1 + 0.25 * len(state.counts))
            assert state.fractions[-1] == made[1].value
    left = math.exp(state.log_left)
    assert state.sticks.sum() + left == pytest.approx(1)
    assert state.sticks == pytest.approx(
        np.array(state.fractions) * np.cumprod([1, *1 - np.array(state.fractions)])[:-1]
    )
    assert len(state.sticks) == len(state.counts) == state.assignments.max() + 1


def test_pieces_are_broken_off_for_a_table_that_waits_and_no_other():
    state = StickState()
    with pytest.raises(ValueError, match="has its piece"):
        state.break_off(0.5)
    state.seat(0)
    for fraction in (0.0, 1.0, math.nan):
        with pytest.raises(ValueError, match="strictly between 0 and 1"):
            state.break_off(fraction)
    state.break_off(0.5)
    assert state.sticks.tolist() == [0.5]
    assert StickState().sticks.shape == (0,)


def test_hardly_any_concentration_leaves_hardly_any_stick():
    for settings in [(1e-4, 0.0), (-0.989, 0.99)]:
        sampler, rng = StickBreakingSeating(*settings), np.random.default_rng(0)
        state = sampler.init(rng)
        for _ in range(200):
            state, _ = sampler.step(state, rng)
        assert math.isfinite(sampler.log_joint(state))
        assert all(0 < fraction < 1 for fraction in state.fractions)


def test_the_distribution_of_a_fraction():
    distribution = Beta(0.5, 2.25)
    assert str(distribution) == "Beta(0.5, 2.25)"
    assert distribution.mean == pytest.approx(0.5 / 2.75)
    for fraction in (1e-9, 0.3, 0.999):
        assert distribution.log_density(fraction) == pytest.approx(stats.beta(0.5, 2.25).logpdf(fraction))
    total, _ = integrate.quad(lambda root: 2 * root * math.exp(distribution.log_density(root**2)), 0, 1)
    assert total == pytest.approx(1)
    rng = np.random.default_rng(0)
    # as above: once in ten thousand seeds
    assert stats.kstest([distribution.draw(rng) for _ in range(2_000)], stats.beta(0.5, 2.25).cdf).pvalue > 1e-4


def test_settings_are_checked_when_it_is_built():
    with pytest.raises(ValueError, match="concentration must be finite and > 0, got -1"):
        StickBreakingSeating(-1)
    with pytest.raises(ValueError, match="discount must be finite, >= 0 and < 1, got 1"):
        StickBreakingSeating(1, 1)
