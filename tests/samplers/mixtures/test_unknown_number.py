"""A mixture with a prior on its number of components, against finite mixtures of each number, and by Geweke's test."""

import math

import numpy as np
import pytest
from scipy.special import logsumexp

from samplers.diagnostics.convergence import partition_ids
from samplers.mixtures.how_many import exact_unknown_number, log_evidence
from samplers.mixtures.unknown_number import UnknownNumber
from samplers.partitions import partitions
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, run
from tests.samplers.geweke import compare, new_data, statistics
from tests.samplers.models import LINE, MODELS

KNOWN = MODELS["known variance"][0]
PRIOR, A = (0.2, 0.4, 0.3, 0.1), 0.7
FEW = (0.7, 0.1, 0.1, 0.1)  # a prior that makes a new component rare: both planted errors are far off


class AsInARestaurant(UnknownNumber):
    """The planted error: components weigh their points alone, and a new one its pseudo-count, as in a restaurant."""

    def __init__(self, *args: object, **settings: object) -> None:
        super().__init__(*args, **settings)
        self._log = [-math.inf, *(math.log(size) for size in range(1, len(self.data) + 1))]

    def _log_weight_of_new(self, state):
        return math.log(self.concentration)


class UpsideDown(UnknownNumber):
    """The planted error: the ratio of the coefficients is the wrong way round."""

    def _log_weight_of_new(self, state):
        return 2 * math.log(self.concentration) - super()._log_weight_of_new(state)


def truth():
    """The posterior of every partition of five points, and that of K by the evidence of each finite mixture."""
    numbers = np.log(PRIOR) + log_evidence(LINE, KNOWN, A, 4)
    return exact_unknown_number(LINE, KNOWN, PRIOR, A), np.exp(numbers - logsumexp(numbers))


def visited(rule, kept, thin):
    states = run(rule(LINE, KNOWN, PRIOR, A), kept, thin=thin, seed=1)
    found = np.bincount(partition_ids([each.assignments for each in states]), minlength=52) / kept
    return states, found


def test_the_log_joint_is_a_sum_over_finite_mixtures():
    sampler = UnknownNumber(LINE, KNOWN, PRIOR, A)
    found = [sampler.log_joint(sampler.state(each)) for each in partitions(5) if max(each) < 4]
    assert found == pytest.approx([each for each in truth()[0].log_joint if each > -math.inf], rel=1e-12)


def test_a_long_run_is_as_near_the_truth_as_chance_allows():
    """Total variation over 52 partitions, as for the CRP mixture, and the posterior of K; the planted error fails."""
    exact, numbers = truth()
    probabilities = exact.probabilities
    states, found = visited(UnknownNumber, 3_000, 4)
    check_frequencies(found, probabilities, 2_000, chance=1e-4)
    sampler = UnknownNumber(LINE, KNOWN, PRIOR, A)
    averaged = np.mean([sampler.number_given(len(each.tables)) for each in states], axis=0)
    assert np.abs(averaged - numbers).max() < 5 * 0.5 / math.sqrt(2_000)
    with pytest.raises(AssertionError, match="total variation"):
        check_frequencies(visited(AsInARestaurant, 3_000, 1)[1], probabilities, 2_000, chance=1e-4)


def z_scores(rule):
    rng = np.random.default_rng(3)

    def from_the_top():
        sampler = rule(np.zeros(4), KNOWN, FEW, A, start="prior")
        labels = sampler.init(rng).assignments
        parameters = {table: KNOWN.draw(rng) for table in np.unique(labels)}
        return new_data(parameters, labels, 1, rng), labels, 1.0

    def move(data, labels, one):
        sampler = rule(data, KNOWN, FEW, A)
        state = sampler.state(labels)
        for _ in range(3):
            list(updates(sampler, state, rng))
        parameters = {table: cluster.posterior().draw(rng) for table, cluster in state.clusters.items()}
        again = new_data(parameters, state.assignments, 1, rng)
        return (data, state.assignments, one), (again, state.assignments, one)

    return compare(from_the_top, move, statistics, 750, afresh=True)


def test_the_joint_test_of_geweke_and_planted_errors_that_fail_it_clearly():
    assert np.abs(z_scores(UnknownNumber)).max() < 4
    for wrong in (UpsideDown, AsInARestaurant):
        assert np.abs(z_scores(wrong)).max() > 8  # 24 and 12


def test_probabilities_that_are_none_are_rejected():
    with pytest.raises(ValueError, match="probabilities that add up to 1"):
        UnknownNumber(LINE, KNOWN, [0.5, 0.6], A)
