"""Perfect draws: exact without any chance, at the noise floor by draws; where starts first meet is another law."""

import numpy as np
import pytest

from samplers import Chain
from samplers.conjugate import NormalInverseGamma, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.crp.one_at_a_time import update_matrices
from samplers.crp.perfect import EveryStart, FirstMeeting, PerfectDraws, meeting, shared_updates
from samplers.crp.wrong import WRONG_RULES
from samplers.diagnostics.convergence import noise_floor

KNOWN, LEARNED = NormalKnownVariance(0.0, 4.0, 0.5), NormalInverseGamma(0, 0.3, 2, 0.6)
DATA = {  # five data sets, each with a family and a concentration
    "three": ([-1.0, 0.0, 1.5], KNOWN, 1.0),
    "apart": ([-3.0, 0.0, 3.0], KNOWN, 0.6),
    "close": ([0.1, 0.2, 0.3, 0.2], KNOWN, 2.0),
    "four": ([-1.0, 0.0, 1.5, 2.5], LEARNED, 1.0),
    "five": ([-1.0, 0.0, 1.5, 2.5, -2.0], KNOWN, 1.0),
}
DRAWS = 4_000
each_data_set = pytest.mark.parametrize("name", DATA)


def mixture(name, rule=CRPMixture):
    return rule(*DATA[name])


def law_of_the_past(updates, sweeps):
    """The exact law of where all starts are one after so many sweeps of the past, and the rest that is left."""
    # distribution of the composed map, to which earlier updates are put one by one
    states = updates[0].maps.shape[1]
    maps = {tuple(range(states)): 1.0}
    for _ in range(sweeps):
        for update in reversed(updates):
            before, maps = maps, {}
            for later, chance in before.items():
                for width, image in zip(update.widths.tolist(), update.maps.tolist(), strict=True):
                    composed = tuple(later[middle] for middle in image)
                    maps[composed] = maps.get(composed, 0.0) + chance * width
    one = np.zeros(states)
    for composed, chance in maps.items():
        if len(set(composed)) == 1:
            one[composed[0]] += chance
    return one


@each_data_set
def test_a_shared_dart_does_each_update_by_its_own_conditional(name):
    for update, matrix in zip(shared_updates(mixture(name)), update_matrices(mixture(name)), strict=True):
        found = np.zeros_like(matrix)
        for width, image in zip(update.widths, update.maps, strict=True):
            found[np.arange(len(image)), image] += width
        np.testing.assert_allclose(found, matrix, atol=1e-12)


@pytest.mark.parametrize("name", ["three", "apart"])
def test_the_law_of_a_perfect_draw_is_the_posterior_without_any_chance(name):
    law = law_of_the_past(shared_updates(mixture(name)), 12)
    left = 1 - law.sum()
    assert left < 1e-7
    np.testing.assert_allclose(law, exact_posterior(*DATA[name]).probabilities, atol=left + 1e-9)


@each_data_set
def test_perfect_draws_are_as_near_the_posterior_as_independent_ones(name):
    exact = exact_posterior(*DATA[name]).probabilities
    chain = Chain(PerfectDraws(mixture(name)), 5)
    shares = np.bincount([chain[t].partition for t in range(1, DRAWS + 1)], minlength=len(exact)) / DRAWS
    # the distance of independent draws is above twice its mean in fewer than 1 of 10,000 runs at these sizes
    assert np.abs(shares - exact).sum() / 2 < 2 * noise_floor(exact, DRAWS)


@each_data_set
def test_all_starts_end_at_the_draw_and_a_start_half_as_far_back_would_not_do(name):
    kernel = PerfectDraws(mixture(name))
    chain, points = Chain(kernel, 8), len(DATA[name][0])
    for t in range(200):
        draw = chain[t]
        assert {*kernel.path(draw.darts)[-1].tolist()} == {draw.partition}
        assert len(draw.darts) == points * draw.sweeps
        if draw.sweeps > 1:
            assert len({*kernel.path(draw.darts[points * draw.sweeps // 2 :])[-1].tolist()}) > 1


@pytest.mark.parametrize("name", ["three", "close", "four"])
def test_where_starts_first_meet_is_not_the_posterior(name):
    law, exact = meeting(mixture(name)), exact_posterior(*DATA[name]).probabilities
    assert law.met[-1] == pytest.approx(1, abs=1e-7)
    np.testing.assert_allclose(law.left.sum(axis=1), 1, atol=1e-7)
    assert np.abs(law.where - exact).sum() / 2 > 0.03, "the planted error can be seen"
    chain = Chain(FirstMeeting(mixture(name)), 6)
    draws = [chain[t] for t in range(1, DRAWS + 1)]
    shares = np.bincount([draw.partition for draw in draws], minlength=len(exact)) / DRAWS
    floor = noise_floor(exact, DRAWS)
    assert np.abs(shares - law.where).sum() / 2 < 2 * floor
    assert np.abs(shares - exact).sum() / 2 > 2 * floor, "and draws fail the test of perfect ones"
    steps = np.array([len(draw.darts) for draw in draws])
    for updates in range(1, 8):  # five standard errors
        share, known = (steps <= updates).mean(), law.met[updates]
        assert abs(share - known) <= 5 * np.sqrt(known * (1 - known) / DRAWS) + 1e-9


def test_from_the_past_and_forwards_it_takes_equally_many_sweeps():
    law, chain = meeting(mixture("three")), Chain(PerfectDraws(mixture("three")), 9)
    sweeps = np.array([chain[t].sweeps for t in range(1, DRAWS + 1)])
    for back in (1, 2, 4):
        known = law.met[3 * back]
        assert abs((sweeps <= back).mean() - known) <= 5 * np.sqrt(known * (1 - known) / DRAWS) + 1e-9


@pytest.mark.parametrize("rule", ["data include the point", "counts forgotten", "new table too sure"])
def test_perfect_draws_by_a_wrong_rule_are_from_what_its_sweep_leaves_unchanged(rule):
    wrong = mixture("three", WRONG_RULES[rule])
    law = law_of_the_past(shared_updates(wrong), 12)
    sweep = np.linalg.multi_dot(update_matrices(wrong))
    np.testing.assert_allclose(law @ sweep, law, atol=1e-6)
    assert np.abs(law - exact_posterior(*DATA["three"]).probabilities).sum() / 2 > 0.05


def test_runs_from_every_start_follow_one_stream_of_darts_and_another_dart_changes_what_comes_later():
    kernel = EveryStart(mixture("three"), changed=4, put=0.05)
    chain = Chain(kernel, 3)
    darts = [chain.record(t) for t in range(1, 13)]
    path = PerfectDraws(mixture("three")).path(darts)
    assert [chain[t].where for t in range(13)] == [tuple(row) for row in path.tolist()]
    darts[3] = 0.05
    path = PerfectDraws(mixture("three")).path(darts)
    assert [chain[t].elsewhere for t in range(13)] == [tuple(row) for row in path.tolist()]
    assert chain[3].where == chain[3].elsewhere
    assert chain[4].where != chain[4].elsewhere


def test_runs_that_have_met_stay_together():
    chain = Chain(EveryStart(mixture("five")), 11)
    left = [len({*chain[t].where}) for t in range(60)]
    assert left[0] == 52
    assert left == sorted(left, reverse=True)
    assert left[-1] == 1
