"""Blobs as counts: where they lie seen from the origin, how coordinates become counts, and a start without a look."""

from math import comb

import numpy as np
import pytest

from samplers.conjugate import DirichletMultinomial, NormalKnownVariance
from samplers.data.counts import MOST_COUNT, as_counts, two_directions, two_humps
from samplers.mixtures.finite import FiniteMixture


def test_two_blobs_lie_in_one_direction_and_the_third_in_another():
    drawn = two_directions(1000, 3)
    means = np.array([drawn.data[drawn.labels == blob].mean(axis=0) for blob in range(3)])
    near, far, other = np.degrees(np.arctan2(means[:, 1], means[:, 0]))
    assert abs(near - far) < 3
    assert other - far > 30
    assert np.linalg.norm(means[1]) > 2 * np.linalg.norm(means[0])
    assert np.ptp(np.bincount(drawn.labels)) <= 20


@pytest.mark.parametrize("seed", range(5))
def test_they_are_counts(seed):
    data = two_directions(200, seed).data
    assert (data == np.rint(data)).all()
    assert data.min() >= 0
    assert data.max() == MOST_COUNT
    np.testing.assert_array_equal(data, two_directions(200, seed).data)


def test_only_an_axis_below_0_is_shifted_and_all_are_stretched_alike():
    assert as_counts([[2.0, -1.0], [4.0, 3.0], [3.0, 1.5]]).tolist() == [[25, 0], [50, 50], [38, 31]]
    assert as_counts([[1.0, 10.0], [5.0, 20.0]]).tolist() == [[2, 25], [12, 50]], "directions stay"
    assert as_counts([[0.0, 0.0]]).tolist() == [[0, 0]]


def test_the_humps_lie_where_they_are_said_to():
    drawn = two_humps(1000, 1)
    for hump, mean in enumerate((-1.2, 1.2)):
        points = drawn.data[drawn.labels == hump]
        assert len(points) == 500
        assert points.mean() == pytest.approx(mean, abs=4 / np.sqrt(500))
        assert points.std() == pytest.approx(1, abs=0.15)


# ---- a mixture that starts without a look ----------------------------------------------------------------------------


def first(data, collapsed: bool, start: str, seed: int = 4):
    sampler = FiniteMixture(data, NormalKnownVariance(0, 4, 1), 3, 1.5, collapsed, start=start)
    return sampler.init(np.random.default_rng(seed))


def test_a_start_from_the_prior_does_not_look_at_the_points():
    one, other = (first(data, False, "prior") for data in ([0.0, 1.0, 2.0, 3.0], [50.0, -7.0, 9.0, 1.0]))
    assert one.labels == other.labels
    assert one.log_weights == other.log_weights
    assert [law.mean for law in one.parameters] == [law.mean for law in other.parameters]
    assert one.fits != other.fits
    seen = [first(data, False, "random") for data in ([0.0, 1.0, 2.0, 3.0], [50.0, -7.0, 9.0, 1.0])]
    assert [law.mean for law in seen[0].parameters] != [law.mean for law in seen[1].parameters]


@pytest.mark.parametrize("collapsed", [True, False])
def test_labels_from_the_prior_have_the_law_of_a_polya_urn(collapsed):
    """Chi-square over 4,000 starts: a right one fails once in 1,000; independent fair labels fail always."""
    sampler = FiniteMixture([0.0, 1.0, 2.0], NormalKnownVariance(0, 4, 1), 2, 1.0, collapsed, start="prior")
    runs = 4_000
    ones = [sum(sampler.init(np.random.default_rng((9, seed))).labels) for seed in range(runs)]
    observed = np.bincount(ones, minlength=4)
    assert _misfit(observed, np.full(4, runs / 4)) < 16.3  # 0.999 quantile, 3 degrees of freedom
    assert _misfit(observed, runs * np.array([comb(3, k) for k in range(4)]) / 8) > 16.3


def _misfit(observed: np.ndarray, expected: np.ndarray) -> float:
    return float(((observed - expected) ** 2 / expected).sum())


def test_parameters_from_the_prior_are_its_draws():
    family = DirichletMultinomial([2.0, 3.0])
    sampler = FiniteMixture([[1, 2], [3, 4]], family, 2, 1.0, False, start="prior")
    drawn = [sampler.init(np.random.default_rng((2, seed))).parameters[0].probabilities[0] for seed in range(2_000)]
    assert np.mean(drawn) == pytest.approx(0.4, abs=4 * 0.2 / np.sqrt(2_000))  # Beta(2, 3): mean 2/5, deviation 1/5
    assert np.std(drawn) == pytest.approx(0.2, abs=0.015)
