"""Relays: the two right rules leave the target unchanged, the wrong one does not, and starts are draws from it."""

import numpy as np
import pytest

from samplers import Chain
from samplers.relay import Relay, dealt, distance, distances, matrix, other_than

WEIGHTS = np.array([4.0, 1.0, 3.0, 2.0])
TARGET = WEIGHTS / WEIGHTS.sum()


@pytest.mark.parametrize("rule", ["right", "preference"])
def test_a_right_rule_leaves_the_target_unchanged_and_balances_each_pair(rule):
    step = matrix(WEIGHTS, rule)
    assert step.sum(axis=1) == pytest.approx(1)
    assert TARGET @ step == pytest.approx(TARGET, abs=1e-15)
    flow = TARGET[:, None] * step
    assert flow == pytest.approx(flow.T, abs=1e-15)


def test_only_upwards_leads_away_and_stays_at_the_top():
    step = matrix(WEIGHTS, "upwards")
    assert np.abs(TARGET @ step - TARGET).sum() / 2 > 0.15
    assert np.linalg.matrix_power(step, 200)[:, 0] == pytest.approx(1)


@pytest.mark.parametrize("rule", ["right", "preference", "upwards"])
def test_a_step_is_its_matrix(rule):
    """From each state, 4,000 chains move as the row of the matrix says."""
    kernel = Relay(WEIGHTS, (rule,), 4_000)
    for start, row in enumerate(matrix(WEIGHTS, rule)):
        everyone = kernel.init(np.random.default_rng(0))._replace(where=(start,) * 4_000)
        state, record = kernel.step(everyone, np.random.default_rng(start))
        found = np.bincount(state.where, minlength=4) / 4_000
        assert np.abs(found - row).max() < 4 * np.sqrt(0.25 / 4_000)
        assert start not in record.proposed


def test_each_start_is_a_draw_from_the_target_and_together_they_are_spread_evenly():
    rng = np.random.default_rng(1)
    starts = np.array([dealt(WEIGHTS, 10, rng) for _ in range(2_000)])
    assert (np.array([np.bincount(each, minlength=4) for each in starts]) == [4, 1, 3, 2]).all()
    shares = np.bincount(starts[:, 0], minlength=4) / 2_000
    assert np.abs(shares - TARGET).max() < 4 * np.sqrt(0.25 / 2_000)
    assert other_than([3, 3, 3], [0.0, 0.5, 0.999], 4).tolist() == [0, 1, 2]


def test_the_right_half_is_as_far_as_simulated_ones_and_the_other_much_farther():
    kernel = Relay(WEIGHTS, ("right", "upwards"), 15)
    runs = [Chain(kernel, seed) for seed in range(60)]
    off = np.array([[_off(run, half) for half in (0, 1)] for run in runs])
    simulated = distances(WEIGHTS, [10] * 15, 400, np.random.default_rng(2))
    assert off[:, 0].mean() == pytest.approx(simulated.mean(), abs=4 * simulated.std() / np.sqrt(60))
    assert off[:, 1].min() > simulated.max()
    assert distance([0, 0, 0, 0], WEIGHTS) == 1


def _off(run: Chain, half: int) -> float:
    visits = [run[t].where[15 * half : 15 * half + 15] for t in range(1, 11)]
    return distance(np.bincount(np.ravel(visits), minlength=4), WEIGHTS)
