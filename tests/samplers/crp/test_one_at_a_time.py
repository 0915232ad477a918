"""Single updates in turn: where each leads, what it leaves unchanged, and what the visits of a run come to."""

import math

import numpy as np
import pytest

from samplers import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior, sweep_matrix
from samplers.crp.mixture import CRPMixture
from samplers.crp.one_at_a_time import OneAtATime, effective_visits_per_update, sweep_of, update_matrices, visited
from samplers.crp.wrong import WRONG_RULES
from samplers.diagnostics.convergence import noise_floor
from samplers.enumerated import stationary
from samplers.partitions import bell_numbers, partitions

FAMILY = NormalKnownVariance(0.0, 4.0, 0.5)
POINTS = [-1.0, 0.0, 1.5, 2.5, -2.0]
# How far the visits end up from the posterior of three points, and how far is what a sweep leaves unchanged
AWAY = {
    "point not removed": (0.028, 0.030),
    "counts include the point": (0.049, 0.050),
    "data include the point": (0.110, 0.117),
    "emptied table offered too": (0.083, 0.085),
    "counts forgotten": (0.073, 0.073),
    "new table too sure": (0.157, 0.242),
}
ONE_AT_A_TIME = {name: rule for name, rule in WRONG_RULES.items() if name in AWAY}
each_size = pytest.mark.parametrize("points", [3, 4, 5])


def test_bell_numbers_are_the_known_ones_and_follow_the_recurrence():
    bell = bell_numbers(60)
    assert bell[:9] == [1, 1, 2, 5, 15, 52, 203, 877, 4140]
    for n in range(60):  # by who is with the last point: choose its company, and group the others
        assert bell[n + 1] == sum(math.comb(n, k) * bell[k] for k in range(n + 1))
    assert [len(partitions(n)) for n in range(1, 8)] == bell[1:8]
    assert len(str(bell[60])) == 60
    assert f"{bell[60]:.2e}" == "9.77e+59"
    # Dobinski (1877): B(n) = e⁻¹ Σ kⁿ / k!
    terms = [60 * math.log(k) - math.lgamma(k + 1) - 1 for k in range(1, 200)]
    assert math.log(bell[60]) == pytest.approx(max(terms) + math.log(sum(math.exp(x - max(terms)) for x in terms)))


@each_size
def test_each_update_leaves_the_posterior_unchanged_and_flows_there_and_back_are_equal(points):
    mixture = CRPMixture(POINTS[:points], FAMILY, 1.3)
    exact = exact_posterior(POINTS[:points], FAMILY, 1.3).probabilities
    matrices = update_matrices(mixture)
    assert len(matrices) == points
    for matrix in matrices:
        assert matrix.min() >= 0
        np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
        np.testing.assert_allclose(exact @ matrix, exact, atol=1e-12)
        flows = exact[:, None] * matrix
        np.testing.assert_allclose(flows, flows.T, atol=1e-12)
        assert matrix @ matrix == pytest.approx(matrix, abs=1e-12), "who chooses twice forgets the first choice"
    np.testing.assert_allclose(sweep_of(matrices), sweep_matrix(mixture), atol=1e-12)
    np.testing.assert_allclose(stationary(sweep_of(matrices)), exact, atol=1e-12)
    np.testing.assert_allclose(visited(matrices), exact, atol=1e-12)


def test_a_sweep_does_not_balance_but_leaves_the_posterior_unchanged():
    exact = exact_posterior(POINTS[:3], FAMILY, 1.0).probabilities
    flows = exact[:, None] * sweep_matrix(CRPMixture(POINTS[:3], FAMILY, 1.0))
    assert np.abs(flows - flows.T).max() > 0.01


@pytest.mark.parametrize(("name", "rule"), ONE_AT_A_TIME.items(), ids=ONE_AT_A_TIME)
def test_a_wrong_rule_leaves_something_else_unchanged(name, rule):
    exact = exact_posterior(POINTS[:3], FAMILY, 1.0).probabilities
    matrices = update_matrices(rule(POINTS[:3], FAMILY, 1.0))
    sweep = sweep_of(matrices)
    for matrix in matrices:
        np.testing.assert_allclose(matrix.sum(axis=1), 1, atol=1e-12)
    kept, visits = stationary(sweep), visited(matrices)
    np.testing.assert_allclose(kept @ sweep, kept, atol=1e-12)
    assert np.abs(exact @ sweep - exact).max() > 1e-3
    away = [np.abs(found - exact).sum() / 2 for found in (visits, kept)]
    assert away == pytest.approx(AWAY[name], abs=6e-4)


def test_the_rule_that_forgets_the_counts_is_exact_for_another_prior():
    """Its weights 1 and α are those of the prior α^K, the same for all clusterings with as many groups."""
    matrices = update_matrices(WRONG_RULES["counts forgotten"](POINTS[:4], FAMILY, 0.7))
    exact = exact_posterior(POINTS[:4], FAMILY, 0.7)
    orders = [math.prod(math.factorial(p.count(k) - 1) for k in range(max(p) + 1)) for p in exact.partitions]
    other = exact.probabilities / orders
    other /= other.sum()
    for matrix in matrices:
        np.testing.assert_allclose(other @ matrix, other, atol=1e-12)


@pytest.mark.parametrize("rule", [CRPMixture, *ONE_AT_A_TIME.values()], ids=lambda rule: rule.__name__)
def test_the_chain_does_what_the_matrices_say(rule):
    """Each option's frequency is within 4.5 standard errors: 65 of them in a run, so one run in 2,000 would fail."""
    sampler = OneAtATime(rule(POINTS[:3], FAMILY, 1.0))
    chain = Chain(sampler, seed=2, keep=6_001)
    states = [chain[t] for t in range(6_001)]
    place = {partition: index for index, partition in enumerate(partitions(3))}
    path = np.array([place[state.partition] for state in states])
    for point, matrix in enumerate(update_matrices(sampler.mixture)):
        turns = [t for t in range(6_000) if states[t].point == point]
        assert turns == list(range(point, 6_000, 3))
        for start in range(5):
            ends = path[[t + 1 for t in turns if path[t] == start]]
            share = np.bincount(ends, minlength=5) / len(ends)
            error = np.sqrt(matrix[start] * (1 - matrix[start]) / len(ends))
            assert (np.abs(share - matrix[start]) <= 4.5 * error + 1e-12).all()


@each_size
def test_visits_are_worth_so_many_draws(points):
    """Many runs, drawn from the matrices: their mean distance is the noise of so many independent draws."""
    matrices = update_matrices(CRPMixture(POINTS[:points], FAMILY, 1.0))
    exact = exact_posterior(POINTS[:points], FAMILY, 1.0).probabilities
    rng, runs, length = np.random.default_rng(1), 400, 600
    bounds = [matrix.cumsum(axis=1)[:, :-1] for matrix in matrices]
    state, visits = rng.choice(len(exact), runs, p=exact), np.zeros((runs, len(exact)))
    for t in range(length):
        state = (rng.random(runs)[:, None] >= bounds[t % points][state]).sum(axis=1)
        visits[np.arange(runs), state] += 1
    far = np.abs(visits / length - exact).sum(axis=1).mean() / 2
    worth = effective_visits_per_update(matrices)
    assert far == pytest.approx(float(noise_floor(exact, length * worth)), rel=0.06)
    assert 0.3 < worth < 0.8, "an update may leave everything as it was"


def test_the_concentration_has_no_turn():
    with pytest.raises(ValueError, match="the concentration must be known: it has no turn among the points"):
        OneAtATime(CRPMixture(POINTS, FAMILY, 1.0, concentration_prior=(1.0, 1.0)))


def test_no_number_of_points_is_negative():
    with pytest.raises(ValueError, match="most"):
        bell_numbers(-1)
