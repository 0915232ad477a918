"""Hidden Markov models against every path of eight hours, Geweke's joint test, and errors that both must catch."""

import numpy as np
import pytest

from samplers.data.hours import EIGHT, centres, made_series, stay_or_move
from samplers.enumerated import stationary, transitions
from samplers.hmm.block import Block
from samplers.hmm.exact import changes, exact_paths, smoothed, truth
from samplers.hmm.model import Forwards
from samplers.hmm.single import SingleSite
from samplers.hmm.wrong import WRONG_BLOCK, WRONG_SINGLE
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run

STAY = 0.85
KINDS = [SingleSite, Block]


def model(rule, series=EIGHT, states=2, **more):
    return rule(series, centres(states), 1.0, stay_or_move(states, STAY), **more)


def forwards(sampler):
    state, rng = sampler.state([0] * sampler.hours), np.random.default_rng(0)
    for update, _ in zip(updates(sampler, state, rng), range(sampler.hours), strict=False):
        assert isinstance(update.site, Forwards)
    return state


@pytest.mark.parametrize("states", [2, 3])
def test_sums_forwards_and_backwards_are_those_over_all_paths(states):
    sampler = model(Block, states=states)
    exact = exact_paths(sampler)
    by_hour = [[exact.probabilities[exact.paths[:, t] == k].sum() for k in range(states)] for t in range(8)]
    marginals, evidence = smoothed(sampler)
    assert marginals == pytest.approx(np.array(by_hour), abs=1e-10)
    assert evidence == pytest.approx(exact.log_evidence, abs=1e-10)
    moved = (np.diff(exact.paths) != 0).sum(axis=1)
    assert changes(sampler) == pytest.approx(np.bincount(moved, exact.probabilities, 8), abs=1e-10)
    state = forwards(sampler)
    assert sum(state.log_sums) == pytest.approx(exact.log_evidence, abs=1e-10)
    for t in range(8):
        first = exact_paths(model(Block, EIGHT[: t + 1], states))
        shares = [first.probabilities[first.paths[:, t] == k].sum() for k in range(states)]
        assert state.filtered[t] == pytest.approx(shares, abs=1e-10)


def test_the_joint_of_forgotten_hours_is_the_sum_over_them():
    sampler = model(Block)
    exact, state = exact_paths(sampler), forwards(sampler)
    for gone in (8, 5, 1, 0):
        here = (exact.paths[:, gone:] == [0, 1, 1, 0, 1, 1, 0, 1][gone:]).all(axis=1)
        state.labels = [-1] * gone + [0, 1, 1, 0, 1, 1, 0, 1][gone:]
        assert sampler.log_joint(state) == pytest.approx(np.logaddexp.reduce(exact.log_joint[here]), abs=1e-10)


def long_run_of_single(rule):
    """The distribution that sweeps of single-site updates lead to, over 256 paths; no chance is involved."""
    sampler = model(rule)
    return stationary(transitions(sampler, map(tuple, exact_paths(sampler).paths.tolist())))


def path_of_block(rule):
    """The probability that a sweep draws each path: the product of its backward draws; no chance is involved."""
    sampler = model(rule)
    state, found = forwards(sampler), []
    for path in exact_paths(sampler).paths.tolist():
        state.labels, chance = path, 1.0
        for t in reversed(range(8)):
            chance *= sampler.score(state, t).probabilities[path[t]]
        found.append(chance)
    return np.array(found)


def test_both_samplers_have_the_posterior_of_every_path():
    exact = exact_paths(model(Block)).probabilities
    assert long_run_of_single(SingleSite) == pytest.approx(exact, abs=1e-10)
    assert path_of_block(Block) == pytest.approx(exact, abs=1e-10)


def test_wrong_rules_have_another_distribution():
    exact = exact_paths(model(Block)).probabilities
    far = {
        "next state left out": long_run_of_single(WRONG_SINGLE["next state left out"]),
        **{name: path_of_block(WRONG_BLOCK[name]) for name in ("drawn from the filter", "largest, not sum")},
    }
    distances = {name: np.abs(found - exact).sum() / 2 for name, found in far.items()}
    assert distances == pytest.approx(
        {"next state left out": 0.331, "drawn from the filter": 0.424, "largest, not sum": 0.160}, abs=0.001
    )


def check_learned(rule, sweeps=6_000):
    """Every third sweep, counted as a third: paths of six hours, parameters integrated out."""
    sampler = model(rule, EIGHT[1:7], learned=True)
    exact = exact_paths(sampler)
    labels = np.array([state.labels for state in run(sampler, sweeps, thin=3, seed=1)])
    found = np.bincount(labels @ 2 ** np.arange(6)[::-1], minlength=64) / sweeps
    check_frequencies(found, exact.probabilities, sweeps / 3)


@pytest.mark.parametrize("rule", KINDS)
def test_with_drawn_parameters_both_have_the_posterior_of_every_path(rule):
    check_learned(rule)


def statistics(series, labels, rows, means):
    """Statistics of all draws, for the joint test."""
    series, labels = np.array(series), np.array(labels)
    same = labels[:, 1:] == labels[:, :-1]
    stays = np.array(rows)[:, [0, 1], [0, 1]]
    return np.column_stack(
        [
            labels.mean(axis=1),
            same.mean(axis=1),
            (labels * series).mean(axis=1),
            (series[:, 1:] * series[:, :-1]).mean(axis=1),
            stays,
            stays[:, 0] * same.mean(axis=1),
            np.array(means),
            np.array(means)[:, 0] * series.mean(axis=1),
        ]
    )


def z_scores(rule, draws=1_500, sweeps=4, seed=1):
    """Geweke's joint test, started afresh each time: all drawn as the model does, and then some sweeps.

    The values stay, so every statistic must keep its mean. Nine z-scores: beyond 4.5 by chance less than once in
    10,000 choices of seeds.
    """
    rng, hours, before, after = np.random.default_rng(seed), 6, [], []
    for _ in range(draws):
        blank = model(rule, [0.0] * hours, learned=True)
        rows = [rng.dirichlet(row).tolist() for row in blank.weight * blank.transitions]
        means = rng.normal(blank.centres, blank.spread).tolist()
        labels = [int(rng.integers(2))]
        while len(labels) < hours:
            labels.append(int(rng.random() < rows[labels[-1]][1]))
        series = rng.normal(np.array(means)[labels], 1.0)
        sampler = model(rule, series, learned=True)
        state = sampler.state(labels)
        sampler.remember(state, "transitions", rows)
        sampler.remember(state, "means", means)
        before.append((series, labels, rows, means))
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        after.append((series, state.labels, state.transitions, state.means))
    first, last = (statistics(*zip(*each, strict=True)) for each in (before, after))
    change = last - first
    change = np.delete(change, 3, axis=1)  # of values alone
    return change.mean(axis=0) / (change.std(axis=0) / np.sqrt(draws))


@pytest.mark.parametrize("rule", KINDS)
def test_it_passes_the_joint_test(rule):
    assert np.abs(z_scores(rule)).max() < 4.5


@pytest.mark.parametrize(
    ("rule", "size"),
    [
        (WRONG_SINGLE["next state left out"], 9),
        (WRONG_SINGLE["stays not counted"], 8),
        (WRONG_BLOCK["stays not counted"], 7),
        (WRONG_BLOCK["drawn from the filter"], 20),
    ],
)
def test_a_wrong_rule_fails_the_joint_test(rule, size):
    """The largest term in place of the sum is caught above, without chance: here it is only 3.5 standard errors off."""
    assert np.abs(z_scores(rule)).max() > size


def test_a_long_series_does_not_underflow_and_its_states_are_found():
    series, labels = made_series(100, 3, 0.92, 1.0, 1)
    sampler = model(Block, [*series[:-1], 400.0], 3)
    state, _ = sampler.step(sampler.init(np.random.default_rng(0)), np.random.default_rng(0))
    assert state.labels[-1] == 2
    assert np.isfinite(sampler.log_joint(state))
    marginals = truth(model(Block, series, 3)).marginals
    assert (marginals.argmax(axis=1) == labels).mean() > 0.8


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Block([], [0, 1], 1, np.full((2, 2), 0.5)), "one value or more"),
        (lambda: Block([0, np.nan], [0, 1], 1, np.full((2, 2), 0.5)), "all finite"),
        (lambda: Block([0], [0], 1, [[1.0]]), "2 numbers or more"),
        (lambda: Block([0], [0, 1], 1, np.eye(2)), "above 0"),
        (lambda: Block([0], [0, 1], 1, np.full((2, 2), 0.4)), "sum to 1"),
        (lambda: Block([0], [0, 1], 0, np.full((2, 2), 0.5)), "deviation must be finite"),
        (lambda: model(Block).state([0] * 7), "8 numbers"),
        (lambda: exact_paths(model(Block, [0.0] * 20)), "more than 60,000"),
    ],
)
def test_settings_that_cannot_be_used(build, said):
    with pytest.raises(ValueError, match=said):
        build()
