"""Parallel tempering of a CRP mixture against every partition and every pair of them, and Geweke's joint test."""

import math
from itertools import product

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.data.blobs import DATASETS
from samplers.diagnostics.convergence import partition_ids
from samplers.enumerated import stationary, transitions
from samplers.jumps.tempering import MixtureLadder, TemperedMixture
from samplers.jumps.wrong import WRONG_SWAPS
from samplers.tempering import COLDER, HOTTER, LadderState, geometric
from tests.samplers.exactness import check_frequencies
from tests.samplers.geweke import compare, new_data, seating, statistics
from tests.samplers.jumps.models import as_partition
from tests.samplers.swaps import swap_matrix

THREE, FOUR = [-1.0, 0.3, 1.5], [-1.0, -0.4, 0.3, 1.5]
SEVEN = DATASETS["seven_points"](7, 1).data
FAMILY = NormalKnownVariance(0.0, 4.0, 0.5)
WIDE = NormalKnownVariance([0.0, 0.0], 25.0, 0.5)
FOURS = DATASETS["two_fours"](8, 1).data
EXPONENTS = (1.0, 0.5, 0.2)


def tempered(exact: ExactPosterior, exponent: float) -> np.ndarray:
    """Probabilities of all partitions at a level, from their joint alone."""
    return ExactPosterior(exact.partitions, exponent * exact.log_joint).probabilities


def sweep_of(level: TemperedMixture, exact: ExactPosterior) -> np.ndarray:
    """The transition matrix of a level's sweep."""
    level.state = level.mixture.state
    return transitions(level, exact.partitions, as_partition)


def visits(kernel, kept, *, thin, seed):
    """The partition at each level in states so many steps apart, shape (levels, kept)."""
    rng = np.random.default_rng(seed)
    state, found = kernel.init(rng), []
    for step in range(kept * thin):
        state, _ = kernel.step(state, rng)
        if step % thin == 0:
            found.append([list(level.labels) for level in state.levels])
    return [partition_ids([labels[level] for labels in found]) for level in range(len(kernel.levels))]


def test_a_geometric_ladder():
    assert geometric(4, 0.3) == pytest.approx([1, 0.669433, 0.448140, 0.3], abs=1e-6)


@pytest.mark.parametrize("exponent", [1.0, 0.5, 0.1])
def test_a_level_leaves_the_posterior_to_its_power_as_it_is(exponent):
    """The whole transition matrix of a sweep over four points, to rounding."""
    exact = exact_posterior(FOUR, FAMILY, 0.3)
    level = TemperedMixture(CRPMixture(FOUR, FAMILY, 0.3), exponent)
    assert stationary(sweep_of(level, exact)) == pytest.approx(tempered(exact, exponent), abs=1e-9)


def test_the_ratio_is_the_one_by_brute_force_for_every_pair_of_states():
    """All 15 × 15 pairs of partitions of four points, at both pairs of levels, from normalised probabilities."""
    exact = exact_posterior(FOUR, FAMILY, 0.3)
    mixture = CRPMixture(FOUR, FAMILY, 0.3)
    kernel, rng = MixtureLadder(mixture, EXPONENTS), np.random.default_rng(0)
    logs = [np.log(tempered(exact, exponent)) for exponent in EXPONENTS]
    accepted = set()
    for level in (0, 1):
        for a, b in product(range(15), repeat=2):
            pair = [mixture.state(exact.partitions[one]) for one in (a, b)]
            swap = kernel.swap(level, pair, rng)
            colder, hotter = logs[level][b] - logs[level][a], logs[level + 1][a] - logs[level + 1][b]
            assert swap.terms == pytest.approx({COLDER: colder, HOTTER: hotter}, abs=1e-9)
            assert swap.log_ratio == pytest.approx(colder + hotter, abs=1e-9)
            assert swap.accepted == (swap.uniform < math.exp(min(0.0, colder + hotter)))
            accepted.add(swap.accepted)
    assert accepted == {True, False}


@pytest.mark.parametrize("rule", [MixtureLadder, *WRONG_SWAPS.values()], ids=["right", *WRONG_SWAPS])
def test_a_step_of_two_levels_leaves_the_product_of_both_targets_as_it_is(rule):
    """25 pairs of partitions of three points: sweeps, then the swap, to rounding; a wrong rule leaves another one."""
    exact, exponents = exact_posterior(THREE, FAMILY, 0.3), (1.0, 0.4)
    kernel = rule(CRPMixture(THREE, FAMILY, 0.3), exponents)
    sweeps = [sweep_of(level, exact) for level in kernel.levels]
    swap = swap_matrix(kernel, exact.log_joint, exponents)
    joint = np.outer(*(tempered(exact, exponent) for exponent in exponents)).ravel()
    if rule is MixtureLadder:
        flow = joint[:, None] * swap
        assert np.abs(flow - flow.T).max() < 1e-15, "a swap is in balance"
    off = np.abs(stationary(np.kron(*sweeps) @ swap) - joint).max()
    assert off < 1e-9 if rule is MixtureLadder else off > 0.01


def test_every_level_has_its_posterior_of_seven_points():
    """Total variation over all 877 partitions at each of three levels, in 2,000 states three steps apart."""
    exact = exact_posterior(SEVEN, FAMILY, 1.0)
    kernel = MixtureLadder(CRPMixture(SEVEN, FAMILY, 1.0), EXPONENTS)
    for exponent, ids in zip(EXPONENTS, visits(kernel, 2_000, thin=3, seed=2), strict=True):
        shares = np.bincount(ids, minlength=877) / len(ids)
        check_frequencies(shares, tempered(exact, exponent), 1_000, chance=1e-4)


@pytest.mark.parametrize("name", ["right", "ratio left out", "sign reversed"])
def test_the_strong_errors_fail_where_the_right_rule_passes(name):
    """Two groups of four, where Gibbs alone is stuck: 900 states of the cold level, counted as 150."""
    exact = exact_posterior(FOURS, WIDE, 0.02)
    kernel = WRONG_SWAPS.get(name, MixtureLadder)(CRPMixture(FOURS, WIDE, 0.02), geometric(4, 0.4))
    cold = visits(kernel, 900, thin=1, seed=3)[0]
    shares = np.bincount(cold, minlength=len(exact.partitions)) / len(cold)
    if name == "right":
        check_frequencies(shares, exact.probabilities, 150, chance=1e-4)
    else:
        with pytest.raises(AssertionError, match="total variation"):
            check_frequencies(shares, exact.probabilities, 150, chance=1e-4)


def z_scores(rule, *, iterations, seed):
    """The joint test of data, cold labels and hot labels.

    The hot labels are drawn given the data by listing their partitions, from the top and whenever the data are new.
    """
    rng, alpha, exponents = np.random.default_rng(seed), 1.0, (1.0, 0.4)

    def with_hot(data, labels):
        exact = exact_posterior(data, FAMILY, alpha)
        return data, labels, exact.partitions[rng.choice(len(exact.partitions), p=tempered(exact, exponents[1]))]

    def from_the_top():
        labels = seating(3, alpha, rng)
        return with_hot(new_data({table: FAMILY.draw(rng) for table in np.unique(labels)}, labels, 1, rng), labels)

    def move(data, cold, hot):
        kernel = rule(CRPMixture(data, FAMILY, alpha), exponents)
        state = LadderState(tuple(map(kernel.mixture.state, (cold, hot))), (0, 1))
        state, _ = kernel.step(state, rng)
        cold, hot = (level.assignments for level in state.levels)
        parameters = {table: cluster.posterior().draw(rng) for table, cluster in state.cold.clusters.items()}
        return (data, cold, hot), with_hot(new_data(parameters, cold, 1, rng), cold)

    def seen(data, cold, hot):
        both = [statistics(data, labels, [alpha] * len(data)) for labels in (cold, hot)]
        return [*both[0], *both[1][:3]]

    return compare(from_the_top, move, seen, iterations)


def test_the_joint_test_of_geweke():
    """Eleven z-scores: beyond 4 by chance less than once in a thousand choices of seeds."""
    assert np.abs(z_scores(MixtureLadder, iterations=1_500, seed=4)).max() < 4


@pytest.mark.parametrize("name", ["ratio left out", "sign reversed"])
def test_the_strong_errors_fail_the_joint_test(name):
    assert np.abs(z_scores(WRONG_SWAPS[name], iterations=1_000, seed=4)).max() > 4


def test_walkers_go_along_with_their_states():
    mixture = CRPMixture(SEVEN, FAMILY, 1.0)
    kernel, rng = MixtureLadder(mixture, geometric(4, 0.3)), np.random.default_rng(5)
    state, changed = kernel.init(rng), 0
    for _ in range(30):
        after, step = kernel.step(state, rng)
        assert [swap.level for swap in step.swaps] == [2, 1, 0]
        states, walkers = list(step.between), list(state.walkers)
        for swap in step.swaps:
            a, b = swap.level, swap.level + 1
            assert swap.log_densities == pytest.approx([mixture.log_joint(states[a]), mixture.log_joint(states[b])])
            if swap.accepted:
                states[a], states[b] = states[b], states[a]
                walkers[a], walkers[b] = walkers[b], walkers[a]
        assert all(one is other for one, other in zip(states, after.levels, strict=True))
        assert after.walkers == tuple(walkers)
        changed += after.walkers != state.walkers
        state = after
    assert changed > 5


KNOWN = CRPMixture(FOUR, FAMILY, 1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MixtureLadder(KNOWN, [1.0]), "exponents must be at least two"),
        (lambda: MixtureLadder(KNOWN, [0.9, 0.5]), "from 1 downwards"),
        (lambda: MixtureLadder(KNOWN, [1.0, 0.5, 0.5]), "from 1 downwards"),
        (lambda: MixtureLadder(KNOWN, [1.0, 0.0]), "must be finite and > 0"),
        (lambda: geometric(1, 0.5), "levels must be 2 or more, got 1"),
        (lambda: geometric(3, 1.0), "hottest must be below 1"),
        (lambda: TemperedMixture(CRPMixture(FOUR, FAMILY, 1.0, concentration_prior=(2, 1)), 0.5), "must be known"),
    ],
)
def test_what_makes_no_sense_is_rejected(make, message):
    with pytest.raises(ValueError, match=message):
        make()
