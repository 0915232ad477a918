"""After how many sweeps each wrong rule can be told from the right one: said in advance, then seen.

A run is called wrong if its distance to the truth is above a line halfway between the noise floor and the distance of
the two laws. `sweeps_to_separate` promises that this works, and a quarter of its sweeps must not be enough.
"""

import math

import numpy as np
import pytest

from samplers.conjugate import DirichletMultinomial, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior, sweep_matrix
from samplers.crp.mixture import CRPMixture
from samplers.crp.wrong import WRONG_RULES
from samplers.diagnostics.convergence import (
    effective_draws_per_sweep,
    error_to_truth,
    noise_floor,
    partition_ids,
    sweeps_to_separate,
)
from samplers.enumerated import stationary
from tests.samplers.markov import walk

THREE = [-1.0, 0.0, 1.0]
FAMILY = NormalKnownVariance(0.0, 4.0, 0.5)
RUNS = 200

# Data and concentration on which a rule shows well, and within how many sweeps
SHOWS = {
    "point not removed": ([-2.0, -1.0, 1.0], 0.1, 2_100),
    "counts include the point": ([-3.0, 0.0, 3.0], 0.1, 100),
    "data include the point": ([0.0, 1.0, 3.0], 0.2, 120),
    "emptied table offered too": ([-3.0, -1.0, 1.0, 3.0], 2.0, 400),
    "counts forgotten": ([2.0, 2.0, 2.0, 2.0], 1.0, 100),
    "new table too sure": ([-1.0, 0.0, 2.0], 1.0, 25),
    "new table guessed": ([-1.0, 0.0, 2.0], 1.0, 90),
    "all labels at once": ([-2.0, -1.0, 2.0], 1.0, 20),
}
every_rule = pytest.mark.parametrize("name", WRONG_RULES)


def laws_and_sweeps(name, data=THREE, concentration=1.0, family=FAMILY):
    """Sweep matrices of the right and the wrong rule, their efficiency, and the sweeps that separate them."""
    right = sweep_matrix(CRPMixture(data, family, concentration))
    wrong = sweep_matrix(WRONG_RULES[name](data, family, concentration))
    efficiency = min(effective_draws_per_sweep(right), effective_draws_per_sweep(wrong))
    return right, wrong, efficiency, sweeps_to_separate(stationary(wrong), stationary(right), efficiency)


def called_wrong(matrix, truth, efficiency, sweeps, seed):
    runs = walk(matrix, runs=RUNS, sweeps=sweeps, seed=seed)
    errors = np.array([error_to_truth(run, truth, sweeps) for run in runs])
    return (errors > halfway(truth, efficiency, sweeps)).mean()


def halfway(truth, efficiency, sweeps):
    return noise_floor(truth, sweeps * efficiency) + 1 / math.sqrt(sweeps * efficiency)


@every_rule
@pytest.mark.parametrize("shown", [False, True], ids=["three points", "where it shows"])
def test_the_sweeps_separate_the_wrong_rule_from_the_right_one(name, shown):
    """Two standard deviations on either side: 2.3 % of the runs, less where the bound on these is loose."""
    data, concentration, _ = SHOWS[name] if shown else (THREE, 1.0, None)
    right, wrong, efficiency, sweeps = laws_and_sweeps(name, data, concentration)
    truth = stationary(right)
    assert called_wrong(right, truth, efficiency, sweeps, seed=1) < 0.05
    assert called_wrong(wrong, truth, efficiency, sweeps, seed=2) > 0.92
    assert called_wrong(wrong, truth, efficiency, sweeps // 4, seed=3) < 0.5


@pytest.mark.parametrize("name", ["new table too sure", "all labels at once"])
def test_the_sweeps_are_enough_for_the_sampler_itself(name):
    """From the start, all at one table, and with nothing thrown away."""
    _, _, efficiency, sweeps = laws_and_sweeps(name)
    truth = exact_posterior(THREE, FAMILY, 1.0).probabilities
    seen = {}
    for rule in (CRPMixture, WRONG_RULES[name]):
        sampler, rng, found = rule(THREE, FAMILY, 1.0), np.random.default_rng(4), []
        for _ in range(60):
            state, labels = sampler.init(rng), []
            for _ in range(sweeps):
                state, _ = sampler.step(state, rng)
                labels.append(state.labels)
            found.append(error_to_truth(partition_ids(labels), truth, sweeps) > halfway(truth, efficiency, sweeps))
        seen[rule] = np.mean(found)
    assert seen[CRPMixture] <= 0.05
    assert seen[WRONG_RULES[name]] >= 0.9


@every_rule
def test_each_rule_has_data_on_which_it_shows(name):
    data, concentration, within = SHOWS[name]
    *_, there = laws_and_sweeps(name, data, concentration)
    *_, on_three_points = laws_and_sweeps(name)
    assert 0.6 * within < there <= within
    assert there < on_three_points


def test_the_rules_on_three_points_from_the_loudest_to_the_quietest():
    sweeps = {name: laws_and_sweeps(name)[-1] for name in WRONG_RULES}
    assert sorted(sweeps, key=sweeps.get) == [
        "all labels at once",
        "new table guessed",
        "new table too sure",
        "counts forgotten",
        "data include the point",
        "emptied table offered too",
        "counts include the point",
        "point not removed",
    ]
    assert sweeps["all labels at once"] < 100
    assert sweeps["point not removed"] > 20_000


@pytest.mark.parametrize("name", ["point not removed", "counts include the point", "data include the point"])
def test_without_information_some_rules_are_right(name):
    """Points that say nothing fit everywhere alike, and a point that sat alone has nothing left to vote for."""
    *_, sweeps = laws_and_sweeps(name, np.zeros((4, 2)), 1.0, DirichletMultinomial([1.0, 1.0]))
    assert sweeps is None


def test_all_labels_at_once_are_wrong_without_information_too():
    *_, sweeps = laws_and_sweeps("all labels at once", np.zeros((4, 2)), 1.0, DirichletMultinomial([1.0, 1.0]))
    assert 200 < sweeps < 250


def test_sweeps_of_two_values_by_hand():
    """0.01 apart: the normal floor is √(1 / (2 π n)), so that √n is (√(1 / (2 π)) + 2) / 0.01."""
    expected = ((1 / math.sqrt(2 * math.pi) + 2) / 0.01) ** 2
    assert sweeps_to_separate([0.51, 0.49], [0.5, 0.5]) == pytest.approx(expected, rel=1e-3)
    assert sweeps_to_separate([0.51, 0.49], [0.5, 0.5], 0.25) == pytest.approx(4 * expected, rel=1e-3)


def test_it_is_the_smallest_number_of_sweeps():
    wrong, right = np.array([0.6, 0.3, 0.1]), np.array([0.4, 0.4, 0.2])
    sweeps = sweeps_to_separate(wrong, right, 0.3)
    for count, apart in ((sweeps - 1, False), (sweeps, True), (10 * sweeps, True)):
        assert (noise_floor(right, 0.3 * count) + 2 / math.sqrt(0.3 * count) <= 0.2) == apart


def test_one_law_is_never_separated_from_itself():
    assert sweeps_to_separate([0.4, 0.6], [0.4, 0.6]) is None


@pytest.mark.parametrize(
    ("wrong", "efficiency", "message"),
    [
        ([1.0], 1.0, "of one length, got 1 and 2"),
        ([0.9, 0.2], 1.0, "sum to 1"),
        ([0.9, 0.1], 0.0, "efficiency must be finite and > 0"),
    ],
)
def test_what_cannot_be_separated_is_refused(wrong, efficiency, message):
    with pytest.raises(ValueError, match=message):
        sweeps_to_separate(wrong, [0.5, 0.5], efficiency)
