"""Numbers that the lessons state and their screens do not show."""

from functools import cache

import numpy as np
import pytest

from lessons.topics.jumps import JumpsSettings
from pages.contract.waiting import NotYet
from pages.topics.jumps import JumpsStage
from samplers import Chain
from samplers.crp.exact_partitions import ExactPosterior
from samplers.diagnostics.convergence import diagnose
from samplers.partitions import bell_numbers
from samplers.recipe import updates
from samplers.tempering import geometric

scene_of = JumpsStage().scene


@cache
def counts(at, first=0, **settings):
    """How many clusters each of the wall's hundred chains has after some sweeps, or each of others from a seed on."""
    sampler = JumpsSettings(**settings).sampler()
    ends = (Chain(sampler, seed)[at] for seed in range(first, first + 100))
    return np.array([len(getattr(state, "cold", state).counts) for state in ends])


def move(sweep, seed, **settings):
    return Chain(JumpsSettings(**settings).sampler(), seed).record(sweep)


def logs(found):
    return [found.terms[name] for name in ("seating", "fit", "proposal")]


def taken(found):
    return [float(update.conditional.probabilities[update.value]) for update in found.last]


def test_a_chain_of_gibbs_is_stuck():
    settings = JumpsSettings(method="gibbs")
    assert bell_numbers(8)[-1] == 4140
    chain = Chain(settings.sampler(), 1)
    assert {len(chain[t].clusters) for t in range(101)} == {1}
    law = settings.law("tables", 20)
    assert law.mean == pytest.approx(1.52, abs=5e-3)
    assert law.shares[:2] == pytest.approx((0.478, 0.519), abs=5e-4)
    sampler, state = settings.sampler(), chain[0].copy()
    third = list(updates(sampler, state, np.random.default_rng(0)))[2].conditional
    assert np.exp(third.terms["fit"]) == pytest.approx([0.0735, 0.0061], rel=5e-3)
    assert 1 / third.probabilities[1] == pytest.approx(4_000, rel=0.1)
    leaves = []
    for point in range(8):
        state = sampler.state([0] * 8)
        sampler.forget(state, point)
        leaves.append(sampler.score(state, point).probabilities[1])
    assert 1 / (1 - np.prod(1 - np.array(leaves))) == pytest.approx(85, abs=0.5)
    easily = np.array(leaves) / leaves[2]
    assert np.flatnonzero(easily > 5).tolist() == [0, 3, 6, 7]
    assert easily[[0, 3, 6, 7]] == pytest.approx(11, abs=2)


def test_a_wall_of_chains():
    stuck = counts(20, method="gibbs")
    assert (stuck == 1).sum() == 78
    assert stuck.mean() == pytest.approx(1.22)
    assert counts(60).mean() == pytest.approx(1.51)


def test_a_split_of_two_blobs():
    blobs = {"data": "two_blobs", "concentration": 0.1}
    found = move(1, 7, **blobs)
    assert len(found.points) == 58
    assert (found.last[0].site, found.last[0].value) == (0, 1)
    assert found.last[0].conditional.probabilities[0] == pytest.approx(0.588, abs=5e-4)
    assert found.last[0].uniform == pytest.approx(0.672, abs=5e-4)
    assert logs(found) == pytest.approx([-42.13, 26.66, 19.71], abs=6e-3)
    assert found.log_ratio == pytest.approx(4.24, abs=6e-3)
    assert found.accepted
    merge = move(4, 7, **blobs)
    assert not merge.splits
    assert not merge.accepted
    assert merge.probability == pytest.approx(2e-16, rel=0.1)


@pytest.mark.told
def test_two_clusters_come_sooner_with_moves():
    for method, reach in (("split-merge", 56), ("gibbs", 30)):
        sampler = JumpsSettings(method=method, data="two_blobs", concentration=0.1).sampler()
        chains = [Chain(sampler, seed) for seed in range(60)]
        assert sum(any(len(chain[t].counts) > 1 for t in range(1, 11)) for chain in chains) == reach


def test_the_ratio_by_hand():
    split, merge = move(7, 8), move(9, 8)
    assert taken(split) == pytest.approx([0.959, 0.957, 0.997, 0.965, 0.943, 0.998], abs=5e-4)
    assert np.prod(taken(split)) == pytest.approx(0.83, abs=5e-3)
    assert logs(split) == pytest.approx([-8.854, 8.712, 0.186], abs=6e-4)
    assert split.log_ratio == pytest.approx(0.04, abs=5e-3)
    assert np.exp(logs(merge)) == pytest.approx([7_000, 0.0001646, 0.855], rel=6e-4)
    assert merge.probability == pytest.approx(0.985, abs=5e-4)
    assert merge.accepted


def test_wrong_rules_on_a_wall():
    rules = ("proposal left out", "launched from the present", "seating left out", "scans drawn afresh")
    assert [(counts(60, rule=rule, scans=0) == 1).sum() for rule in rules] == [65, 57, 0, 31]
    assert (counts(60, rule="scans drawn afresh") == 1).sum() == 40


def test_two_errors():
    assert move(1, 8, rule="proposal left out", scans=0).terms["proposal"] == 0
    merge = move(4, 8, rule="launched from the present", scans=0)
    assert not merge.splits
    assert merge.tossed == merge.before


def test_without_conjugacy():
    settings = {"method": "auxiliary", "concentration": 0.5}
    law = JumpsSettings(**settings).law("tables", 60)
    assert law.mean == pytest.approx(2.20, abs=5e-3)
    spread = np.average((np.arange(1, len(law.shares) + 1) - law.mean) ** 2, weights=law.shares)
    assert np.sqrt(spread / 100) == pytest.approx(0.05, abs=5e-3)
    assert counts(60, **settings).mean() == pytest.approx(2.26)
    fresh = Chain(JumpsSettings(**settings, start="apart", lone="fresh").sampler(), 7).record(1)[0]
    assert fresh.conditional.probabilities[-3:].sum() < 1e-6, "nothing that is offered is near"
    update = Chain(JumpsSettings(**settings, start="apart").sampler(), 7).record(2)[0]
    assert update.conditional.probabilities[-3] == pytest.approx(0.607, abs=5e-4)


LADDER = {"method": "tempering"}


def test_the_levels_of_a_ladder():
    """The mean number of clusters at each level, from all 4,140 clusterings."""
    exact, found = JumpsSettings().exact(JumpsSettings().dataset().data), []
    for exponent in geometric(4, 0.3):
        level = ExactPosterior(exact.partitions, exponent * exact.log_joint)
        found.append(level.table_counts @ np.arange(9))
    assert found == pytest.approx([1.52, 1.70, 2.11, 2.64], abs=6e-3)


def test_two_swaps():
    rejected = move(3, 7, **LADDER).swaps[0]
    assert rejected.level == 2
    assert rejected.exponents == pytest.approx((0.448, 0.3), abs=5e-4)
    assert rejected.log_densities == pytest.approx((-39.86, -49.60), abs=5e-3)
    assert list(rejected.terms.values()) == pytest.approx([-4.36, 2.92], abs=6e-3)
    assert rejected.log_ratio == pytest.approx(-1.44, abs=5e-3)
    assert (rejected.probability, rejected.uniform) == pytest.approx((0.236, 0.243), abs=6e-4)
    assert not rejected.accepted
    chain = Chain(JumpsSettings(**LADDER).sampler(), 7)
    accepted = chain.record(11).swaps[-1]
    assert accepted.log_densities == pytest.approx((-34.18, -34.32), abs=5e-3)
    assert accepted.probability == pytest.approx(0.954, abs=5e-4)
    assert accepted.accepted
    assert chain[11].walkers[0] == 3
    assert [len(chain[t].cold.counts) for t in (10, 11)] == [1, 2]


def test_a_wall_of_ladders():
    found = counts(20, **LADDER)
    assert (found == 1).sum() == 50
    assert found.mean() == pytest.approx(1.50)


def paid(**settings):
    """The cost of a sweep, and of an effective draw of the number of clusters, in 1,000 sweeps of seed 8."""
    settings = JumpsSettings(**settings)
    while True:
        try:
            run = scene_of(settings, 8).run
            run.reach(1_000)
            break
        except NotYet as waiting:
            waiting.more()
    spent, tables = run.evaluations[1:1001], run.tables[1:1001]
    changes = int((np.diff(tables) != 0).sum())
    return spent.mean(), spent.sum() / diagnose(tables).ess_bulk, changes


def test_what_a_ladder_costs():
    assert paid(**LADDER, second="none") == pytest.approx((96.2, 496, 350), rel=1e-3)
    assert paid(method="gibbs") == pytest.approx((21.5, 1199, 21), rel=3e-3)
    assert paid(second="none")[1] == pytest.approx(66, abs=0.5)


def test_a_gap_in_a_ladder():
    """The share of accepted swaps of two levels, over all pairs of clusterings."""
    exact = JumpsSettings().exact(JumpsSettings().dataset().data)
    hot = ExactPosterior(exact.partitions, 0.1 * exact.log_joint)
    better = exact.log_joint[None, :] - exact.log_joint[:, None]
    share = exact.probabilities @ np.exp(np.minimum(0, 0.9 * better)) @ hot.probabilities
    assert 1 / share == pytest.approx(170, rel=0.02)
    assert hot.probabilities[exact.log_joint > exact.log_joint.max() - 10].sum() < 0.5, "most lie more than 10 below"


def test_wrong_swaps_on_a_wall():
    rules = ("ratio left out", "hotter level left out", "sign reversed")
    found = [counts(20, **LADDER, swap_rule=rule) for rule in rules]
    assert found[0].mean() == pytest.approx(2.38)
    assert [(ends == 1).sum() for ends in found] == [8, 56, 6]
    assert (counts(20, 100, **LADDER, swap_rule="sign reversed") == 1).sum() < 6, "the wall is untypical"


def test_a_swap_with_the_hotter_level_left_out():
    swap = move(3, 7, **LADDER, swap_rule="hotter level left out").swaps[0]
    assert swap.log_densities == pytest.approx((-39.86, -46.89), abs=5e-3)
    assert -np.diff(swap.log_densities) == pytest.approx([7.03], abs=5e-3)
    assert swap.terms["hotter"] == 0
    assert (swap.probability, swap.uniform) == pytest.approx((0.043, 0.243), abs=6e-4)
