"""The sticky HDP-HMM against every partition of some hours, Geweke's joint test, and a wrong rule that both catch."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import roots_jacobi

from samplers.data.hours import EIGHT
from samplers.diagnostics.convergence import partition_ids
from samplers.hmm.exact_sticky import exact_states, log_paths
from samplers.hmm.sticky import BASE, StickyBlock, StickySingle
from samplers.hmm.wrong import STAY_TABLES, WRONG_STICKY_BLOCK, WRONG_STICKY_SINGLE
from samplers.partitions import partitions
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run

ALPHA, GAMMA, KAPPA = 1.5, 0.8, 2.5
KINDS = [StickyBlock, StickySingle]
WRONG = [WRONG_STICKY_BLOCK[STAY_TABLES], WRONG_STICKY_SINGLE[STAY_TABLES]]


def model(rule, series=EIGHT, states=3, kappa=KAPPA, deviation=1.0):
    return rule(series, states, deviation, ALPHA, GAMMA, kappa, centre=1.0, spread=1.5)


def over_base(states, nodes=12):
    """Base weights and their weights in a mean over the prior: exact for polynomials; a stick broken twice at most."""

    def beta(a, b):
        at, weight = roots_jacobi(nodes, b - 1, a - 1)
        return (1 + at) / 2, weight / weight.sum()

    each = GAMMA / states
    if states == 2:
        at, weight = beta(each, each)
        return np.column_stack([at, 1 - at]), weight
    (first, one), (second, two) = beta(each, 2 * each), beta(each, each)
    rows = [(b, (1 - b) * c, (1 - b) * (1 - c)) for b in first for c in second]
    return np.array(rows), np.outer(one, two).ravel()


def path_given_base(labels, base, kappa):
    """The probability of a path given base weights: each move by those before it, as in an urn."""
    chance, moves = base[labels[0]], np.zeros((len(base), len(base)))
    for last, now in pairwise(labels):
        row = ALPHA * base + moves[last]
        row[last] += kappa
        chance *= row[now] / row.sum()
        moves[last, now] += 1
    return chance


@pytest.mark.parametrize("states", [2, 3])
@pytest.mark.parametrize("kappa", [0.0, KAPPA])
def test_the_prior_of_a_partition_is_that_of_its_paths(states, kappa):
    """Every way to name its states, averaged over base weights by quadrature."""
    bases, shares = over_base(states)
    every = np.array(partitions(5))
    found = np.exp(log_paths(model(StickyBlock, EIGHT[:5], states, kappa), every))
    named = {tuple(partition): 0.0 for partition in every.tolist()}
    for labels in np.indices((states,) * 5).reshape(5, -1).T.tolist():
        first = {}
        named[tuple(first.setdefault(label, len(first)) for label in labels)] += float(
            shares @ [path_given_base(labels, base, kappa) for base in bases]
        )
    assert found == pytest.approx(np.array(list(named.values())), abs=1e-12)
    assert found.sum() == pytest.approx(1)


def test_without_a_largest_number_it_is_the_limit():
    """The error of the weak limit falls with L; the limit itself is a distribution, also without base weights of L."""
    exact = exact_states(model(StickyBlock), limit=True)
    prior = np.exp(log_paths(model(StickyBlock), exact.partitions, limit=True))
    assert prior.sum() == pytest.approx(1)
    far = [
        np.abs(exact_states(model(StickyBlock, states=states)).probabilities - exact.probabilities).sum() / 2
        for states in (4, 40, 400)
    ]
    assert far[0] > 8 * far[1] > 64 * far[2]
    assert far[2] < 2e-3
    assert exact.states.sum() == exact.changes.sum() == pytest.approx(1)
    assert exact.moved.sum() == pytest.approx(exact.changes @ np.arange(8))


def test_two_hours_by_hand():
    """One state with probability (α / (1 + γ) + κ) / (α + κ) in the limit: E b_z1 = (1 + 0) / (1 + γ)."""
    prior = np.exp(log_paths(model(StickyBlock, EIGHT[:2]), np.array([[0, 0], [0, 1]]), limit=True))
    assert prior[0] == pytest.approx((ALPHA / (1 + GAMMA) + KAPPA) / (ALPHA + KAPPA))


def check_partitions(rule, sweeps=4_000):
    """Every fourth sweep, counted as a third: all partitions of six hours into at most three states."""
    sampler = model(rule, EIGHT[1:7])
    labels = [state.labels for state in run(sampler, sweeps, thin=4, seed=1)]
    exact = exact_states(sampler)
    found = np.bincount(partition_ids(labels), minlength=len(exact.partitions)) / sweeps
    check_frequencies(found, exact.probabilities, sweeps / 3)


@pytest.mark.parametrize("rule", KINDS)
def test_long_runs_have_the_posterior_of_every_partition(rule):
    check_partitions(rule)


def moments_of_base(rule, draws=3_200):
    """z-scores of the mean of b and of b² for two states, given a path: the block alone against quadrature."""
    labels, rng = [0, 0, 0, 1, 0, 0, 0, 0], np.random.default_rng(1)
    sampler = model(rule, states=2)
    bases, shares = over_base(2)
    weights = shares * [path_given_base(labels, base, KAPPA) for base in bases]
    weights /= weights.sum()
    state, found = sampler.state(labels), []
    for _ in range(draws):
        sampler.remember(state, BASE, sampler.score(state, BASE).draw(rng))
        found.append((state.base[0], state.base[0] ** 2))
    batches = np.array(found).reshape(40, -1, 2).mean(axis=1)
    exact = [weights @ bases[:, 0], weights @ bases[:, 0] ** 2]
    return (batches.mean(axis=0) - exact) / (batches.std(axis=0, ddof=1) / math.sqrt(40))


@pytest.mark.parametrize("rule", KINDS)
def test_base_weights_given_a_path_are_those_by_quadrature(rule):
    assert np.abs(moments_of_base(rule)).max() < 4.5


@pytest.mark.parametrize("rule", WRONG)
def test_stay_tables_that_count_are_far_from_quadrature(rule):
    assert np.abs(moments_of_base(rule)).max() > 15


def test_who_ordered_a_table_of_a_stay():
    """ρ / (ρ + b (1 - ρ)) with ρ = κ / (α + κ), as the paper writes it; and nobody did without stickiness."""
    base, rho = np.array([0.2, 0.5, 0.3]), KAPPA / (ALPHA + KAPPA)
    found = []
    for kappa in (KAPPA, 0.0):
        sampler = model(StickyBlock, kappa=kappa)
        state = sampler.state([0] * 8)
        state.base = base.tolist()
        found.append(sampler.ordered_by_stickiness(state))
    assert found[0] == pytest.approx(rho / (rho + base * (1 - rho)))
    assert not found[1].any()


def statistics(series, labels, base, rows, means):
    """Statistics of all draws, for the joint test; none depends on the names of states."""
    series, labels, base = np.array(series), np.array(labels), np.array(base)
    same = labels[:, 1:] == labels[:, :-1]
    used = np.array([len(set(row)) for row in labels.tolist()])
    stays = np.array(rows)[:, range(3), range(3)]
    each = np.take_along_axis(np.array(means), labels, axis=1)
    first = np.take_along_axis(base, labels[:, :1], axis=1)[:, 0]
    return np.column_stack(
        [
            used,
            same.mean(axis=1),
            (base**2).sum(axis=1),
            first,
            (base * stays).sum(axis=1),
            stays.mean(axis=1),
            each.mean(axis=1),
            (each * series).mean(axis=1),
            first * same.mean(axis=1),
        ]
    )


def z_scores(rule, draws=1_200, sweeps=4, seed=1):
    """Geweke's joint test, started afresh each time: all drawn as the model does, and then some sweeps.

    The values stay, so every statistic must keep its mean. Nine z-scores: beyond 4.5 by chance less than once in
    10,000 choices of seeds. Those of the wrong rules are beyond 10.
    """
    rng, hours, before, after = np.random.default_rng(seed), 6, [], []
    for _ in range(draws):
        base = np.maximum(rng.dirichlet([GAMMA / 3] * 3), 1e-300)
        rows = [np.maximum(rng.dirichlet(row), 1e-300).tolist() for row in ALPHA * base + KAPPA * np.eye(3)]
        means = rng.normal(1.0, 1.5, 3).tolist()
        labels = [int(rng.choice(3, p=base))]
        while len(labels) < hours:
            labels.append(int(rng.choice(3, p=rows[labels[-1]])))
        series = rng.normal(np.array(means)[labels], 1.0)
        sampler = model(rule, series)
        state = sampler.state(labels)
        state.base = base.tolist()
        sampler.remember(state, "transitions", rows)
        sampler.remember(state, "means", means)
        before.append((series, labels, state.base, rows, means))
        for _ in range(sweeps):
            list(updates(sampler, state, rng))
        after.append((series, state.labels, state.base, state.transitions, state.means))
    first, last = (statistics(*zip(*each, strict=True)) for each in (before, after))
    change = last - first
    return change.mean(axis=0) / (change.std(axis=0) / np.sqrt(draws))


@pytest.mark.parametrize("rule", KINDS)
def test_it_passes_the_joint_test(rule):
    assert np.abs(z_scores(rule)).max() < 4.5


@pytest.mark.parametrize("rule", WRONG)
def test_stay_tables_that_count_fail_the_joint_test(rule):
    assert np.abs(z_scores(rule)).max() > 7


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: StickyBlock([0.0], 1, 1, 1, 1, 1), "states must be 2 or more"),
        (lambda: StickyBlock([0.0], 3, 1, 0, 1, 1), "concentration must be finite and > 0"),
        (lambda: StickyBlock([0.0], 3, 1, 1, 0, 1), "top_concentration must be finite"),
        (lambda: StickyBlock([0.0], 3, 1, 1, 1, -1), "stickiness must be finite"),
        (lambda: StickyBlock([0.0], 3, 1, 1, 1, 1).state([3]), "from 0 to 2"),
    ],
)
def test_settings_that_cannot_be_used(build, said):
    with pytest.raises(ValueError, match=said):
        build()


def test_nine_hours_are_too_many_to_list():
    assert exact_states(model(StickyBlock, [0.0] * 9)) is None
