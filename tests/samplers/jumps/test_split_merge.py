"""Split–merge moves against every pair, coin and scan of a few points, the exact posterior, and Geweke's joint test."""

import math

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.data.blobs import DATASETS
from samplers.diagnostics.convergence import partition_ids
from samplers.enumerated import stationary
from samplers.jumps.split_merge import RestrictedScan, SplitMerge
from samplers.jumps.wrong import WRONG_MOVES
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies
from tests.samplers.geweke import BATCHES, new_data, seating, statistics
from tests.samplers.geweke import compare as compare_ways
from tests.samplers.jumps.models import Moves, as_partition

FOUR = [-1.0, -0.4, 0.3, 1.5]
SEVEN = DATASETS["seven_points"](7, 1).data
FAMILY = NormalKnownVariance(0.0, 4.0, 0.5)
WIDE = NormalKnownVariance([0.0, 0.0], 25.0, 0.5)


def refines(split, one):
    """Whether all that are together in the first partition are together in the second."""
    pairs = [(i, j) for i in range(len(one)) for j in range(i) if split[i] == split[j]]
    return all(one[i] == one[j] for i, j in pairs)


@pytest.fixture(scope="module")
def four():
    return exact_posterior(FOUR, FAMILY, 0.8)


def visits(kernel, kept, *, thin, seed):
    """Partitions in one chain, so many steps apart, and the states that it has gone through."""
    rng = np.random.default_rng(seed)
    state, labels = kernel.init(rng), []
    for step in range(kept * thin):
        state, _ = kernel.step(state, rng)
        if step % thin == 0:
            labels.append(list(state.labels))
    return partition_ids(labels)


def test_the_ratio_is_the_one_by_brute_force_for_every_pair_of_states(four):
    """In 200 moves from each partition of four points, all splits and merges between two of them come up.

    What the joint of whole partitions says of each is what the move has computed from predictive densities.
    """
    moves, seen = Moves(four, 2), set()
    mixture = CRPMixture(FOUR, FAMILY, 0.8)
    kernel, rng = SplitMerge(mixture, scans=2, sweeps=0), np.random.default_rng(0)
    for labels in four.partitions:
        for _ in range(200):
            after, move = kernel.step(mixture.state(labels), rng)
            split, one = (move.proposed, labels) if move.splits else (labels, move.proposed)
            ratio = moves.log_ratio(move.launch, split, one, move.pair, move.points, move.tables)
            assert move.log_ratio == pytest.approx(ratio if move.splits else -ratio, abs=1e-10)
            assert as_partition(after.labels) == as_partition(move.proposed if move.accepted else labels)
            assert move.accepted == (move.uniform < math.exp(min(0.0, move.log_ratio)))
            seen.add((labels, as_partition(move.proposed)))
    neighbours = {
        (one, split)
        for one in four.partitions
        for split in four.partitions
        if max(split) == max(one) + 1
        and all(one[i] == one[j] for i in range(4) for j in range(i) if split[i] == split[j])
    }
    assert seen == neighbours | {(split, one) for one, split in neighbours}


def test_every_move_is_in_balance_and_is_made_as_often_as_brute_force_says(four):
    """Detailed balance to rounding; and 1,500 moves from each of 15 partitions, in total variation (chance 1e-6)."""
    matrix, probabilities = Moves(four, 1).matrix(), four.probabilities
    flow = probabilities[:, None] * matrix
    assert matrix.sum(axis=1) == pytest.approx(np.ones(15), abs=1e-12)
    assert np.abs(flow - flow.T).max() < 1e-12
    assert stationary(matrix) == pytest.approx(probabilities, abs=1e-9)
    mixture = CRPMixture(FOUR, FAMILY, 0.8)
    kernel, rng = SplitMerge(mixture, scans=1, sweeps=0), np.random.default_rng(1)
    for row, labels in enumerate(four.partitions):
        start = mixture.state(labels)
        reached = partition_ids([kernel.step(start, rng)[0].labels for _ in range(1_500)])
        check_frequencies(np.bincount(reached, minlength=15) / 1_500, matrix[row], 1_500)


@pytest.mark.parametrize("sweeps", [0, 1], ids=["alone", "with Gibbs sweeps"])
@pytest.mark.parametrize("prior", [None, (2.0, 1.5)], ids=["concentration 1", "Gamma"])
def test_a_long_run_has_the_posterior_of_seven_points(sweeps, prior):
    """Total variation over all 877 partitions, in 2,000 states three steps apart, counted as 1,000."""
    if prior and not sweeps:
        with pytest.raises(ValueError, match="only a sweep redraws it"):
            SplitMerge(CRPMixture(SEVEN, FAMILY, 1.0, concentration_prior=prior), sweeps=0)
        return
    truth = exact_posterior(SEVEN, FAMILY, None if prior else 1.0, concentration_prior=prior)
    kernel = SplitMerge(CRPMixture(SEVEN, FAMILY, 1.0, concentration_prior=prior), scans=2, sweeps=sweeps)
    found = np.bincount(visits(kernel, 2_000, thin=3, seed=2), minlength=877) / 2_000
    check_frequencies(found, truth.probabilities, 1_000, chance=1e-4)


TWO_FOURS = CRPMixture(DATASETS["two_fours"](8, 1).data, WIDE, 0.02)


@pytest.mark.parametrize("rule", [SplitMerge, *WRONG_MOVES.values()], ids=["right", *WRONG_MOVES])
def test_each_wrong_rule_fails_where_the_right_one_passes(rule):
    """Two groups of four: the chain goes from one cluster to two in every other step, so 4,000 states say much.

    No scan leads to the launch state there, which is where each error is large.
    """
    truth = exact_posterior(TWO_FOURS.data, WIDE, 0.02).probabilities
    found = np.bincount(visits(rule(TWO_FOURS, scans=0), 4_000, thin=2, seed=3), minlength=len(truth)) / 4_000
    if rule is SplitMerge:
        check_frequencies(found, truth, 2_000, chance=1e-4)
    else:
        with pytest.raises(AssertionError, match="total variation"):
            check_frequencies(found, truth, 2_000, chance=1e-4)


def z_scores(rule, *, iterations, seed, **settings):
    """The joint test of `tests.samplers.geweke`, with a move in place of a sweep."""
    rng, alpha = np.random.default_rng(seed), 1.0

    def from_the_top():
        labels = seating(4, alpha, rng)
        parameters = {table: FAMILY.draw(rng) for table in np.unique(labels)}
        return new_data(parameters, labels, 1, rng), labels, alpha

    def move(data, labels, concentration):
        kernel = rule(CRPMixture(data, FAMILY, alpha), **settings)
        state, _ = kernel.step(kernel.mixture.state(labels), rng)
        parameters = {table: cluster.posterior().draw(rng) for table, cluster in state.clusters.items()}
        labels = state.assignments
        return (data, labels, alpha), (new_data(parameters, labels, 1, rng), labels, alpha)

    assert iterations % BATCHES == 0
    return compare_ways(from_the_top, move, statistics, iterations)


@pytest.mark.parametrize("sweeps", [0, 1])
def test_the_joint_test_of_geweke(sweeps):
    """Eight z-scores each: beyond 4 by chance less than once in a thousand choices of seeds."""
    assert np.abs(z_scores(SplitMerge, iterations=2_000, seed=4, scans=1, sweeps=sweeps)).max() < 4


@pytest.mark.parametrize("name", ["proposal left out", "seating left out"])
def test_the_strong_errors_fail_the_joint_test(name):
    assert np.abs(z_scores(WRONG_MOVES[name], iterations=2_000, seed=4, scans=1, sweeps=0)).max() > 4


def test_a_restricted_scan_is_the_gibbs_conditional_over_two_clusters():
    mixture = CRPMixture(FOUR, FAMILY, 0.8)
    state = mixture.state([0, 0, 1, 1])
    scan = RestrictedScan(mixture, [1, 2])
    mixture.forget(state, 1)
    whole, two = mixture.score(state, 1), scan.score(state, 1)
    assert two.probabilities == pytest.approx(whole.probabilities[:2] / whole.probabilities[:2].sum())
    mixture.remember(state, 1, 0)
    done = list(scan.towards(state.copy(), [0, 1, 0, 1]))
    assert [(update.site, update.value, update.uniform) for update in done] == [(1, 1, None), (2, 0, None)]
    assert all(update.uniform is not None for update in updates(scan, state, np.random.default_rng(0)))


def test_what_a_record_says():
    mixture = CRPMixture(SEVEN, FAMILY, 1.0)
    kernel, rng = SplitMerge(mixture, scans=3, sweeps=1), np.random.default_rng(5)
    state, kinds = mixture.state([0, 0, 0, 1, 1, 1, 2]), set()
    for _ in range(40):
        _, move = kernel.step(state, rng)
        kinds.add((move.splits, move.accepted))
        members = sum(label in {state.labels[anchor] for anchor in move.pair} for label in state.labels)
        assert len(move.points) == members - 2 == len(move.last)
        assert len(move.scans) == 3
        swept = sum(len(update.conditional.log_weights) for update in move.sweeps[0])
        assert move.evaluations == 2 * 4 * len(move.points) + swept
        apart = move.proposed[move.pair[0]] != move.proposed[move.pair[1]]
        assert apart == move.splits
    assert len(kinds) > 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SplitMerge(CRPMixture([0.0], FAMILY, 1.0)), "at least two points"),
        (lambda: SplitMerge(CRPMixture(FOUR, FAMILY, 1.0), scans=-1), "scans must be 0 or more, got -1"),
        (lambda: SplitMerge(CRPMixture(FOUR, FAMILY, 1.0), sweeps=-1), "sweeps must be 0 or more, got -1"),
    ],
)
def test_what_makes_no_sense_is_rejected(make, message):
    with pytest.raises(ValueError, match=message):
        make()
