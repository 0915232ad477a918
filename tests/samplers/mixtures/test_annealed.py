"""Annealed importance sampling against the sum over all partitions."""

import numpy as np
import pytest

from samplers.conjugate import NormalKnownVariance
from samplers.mixtures.annealed import Annealed
from samplers.mixtures.how_many import log_evidence

FEW, FAMILY, A = np.array([-2.1, -1.6, 0.2, 1.0, 1.7]), NormalKnownVariance(0.0, 4.0, 0.5), 0.7
PLANE = np.column_stack([FEW, FEW[::-1]])
BOTH = NormalKnownVariance([0.0, 0.3], 4.0, 0.5)


class NoSpread(Annealed):
    """The planted error: a component's mean is taken as known when it predicts the next point."""

    def _posterior(self, taken, rows):
        centre, variance = super()._posterior(taken, rows)
        return centre, 0 * variance


@pytest.mark.parametrize(("data", "family"), [(FEW, FAMILY), (PLANE, BOTH)], ids=["line", "plane"])
def test_the_estimate_is_the_sum_over_all_partitions_within_its_error(data, family):
    """Six estimates, each beyond 4.5 standard errors less than once in 10^5; one component has no error."""
    exact = log_evidence(data, family, A, 4)
    assert Annealed(data, family, 1, A).evidence(np.random.default_rng(0), 2).log_evidence == pytest.approx(exact[0])
    for number in (2, 3, 4):
        found = Annealed(data, family, number, A).evidence(np.random.default_rng(number), 2_000)
        assert found.error < 0.03
        assert abs(found.log_evidence - exact[number - 1]) < 4.5 * found.error


def test_a_planted_error_is_found():
    exact = log_evidence(FEW, FAMILY, A, 3)
    found = NoSpread(FEW, FAMILY, 3, A).evidence(np.random.default_rng(3), 2_000)
    assert abs(found.log_evidence - exact[2]) > 10 * found.error


def test_the_error_is_what_estimates_are_off_by():
    """Forty estimates of 50 runs: their spread is what each says, within the half that 40 can tell."""
    sampler, rng = Annealed(FEW, FAMILY, 3, A), np.random.default_rng(0)
    found = [sampler.evidence(rng, 50) for _ in range(40)]
    spread = np.std([each.log_evidence for each in found], ddof=1)
    assert spread == pytest.approx(np.mean([each.error for each in found]), rel=0.5)


def test_sweeps_leave_the_posterior_of_labels_as_it_is():
    """Far more sweeps after each point change nothing in the mean: the path is right, not only its ends."""
    exact = log_evidence(FEW, FAMILY, A, 2)[1]
    for sweeps in (0, 6):
        sampler = Annealed(FEW, FAMILY, 2, A, sweeps=sweeps)
        found = sampler.evidence(np.random.default_rng(5), 2_000)
        assert abs(found.log_evidence - exact) < 4.5 * found.error


def test_no_points_are_rejected():
    with pytest.raises(ValueError, match="at least one point"):
        Annealed([], FAMILY, 2, A)
