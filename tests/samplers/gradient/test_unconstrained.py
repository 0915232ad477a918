"""Simplexes and ordered vectors against the recipe in plain loops, and their log-Jacobians against determinants."""

import math

import numpy as np
import pytest

from samplers.gradient.unconstrained import Ordered, Simplexes
from tests.samplers.derivatives import central_differences

FREE = np.random.default_rng(0).normal(0, 1.5, (4, 5))


def broken_stick(free):
    """The reference manual's recipe, one break after the other."""
    size, left, probs = len(free) + 1, 1.0, []
    for place, number in enumerate(free, start=1):
        part = 1 / (1 + math.exp(-(number + math.log(1 / (size - place)))))
        probs.append(left * part)
        left -= probs[-1]
    return [*probs, left]


def test_simplexes_are_sticks_broken_as_in_stan():
    assert np.exp(Simplexes(FREE).log_probs) == pytest.approx(np.array([broken_stick(row) for row in FREE]), rel=1e-12)
    assert np.exp(Simplexes(FREE).log_probs).sum(axis=1) == pytest.approx(np.ones(4), abs=1e-14)


@pytest.mark.parametrize("options", [1, 2, 3, 7, 1_000])
def test_nought_is_the_uniform_simplex(options):
    simplex = Simplexes(np.zeros((2, options - 1)))
    assert np.exp(simplex.log_probs) == pytest.approx(np.full((2, options), 1 / options), rel=1e-12)
    assert Simplexes.unconstrain(simplex.log_probs) == pytest.approx(np.zeros((2, options - 1)), abs=1e-9)


def test_log_jacobian_of_simplexes_is_that_of_the_determinant():
    """The last probability is given by the others. Without what was left of the stick it would be another number."""
    for row in FREE:
        jacobian = central_differences(lambda free: np.exp(Simplexes(free).log_probs)[:-1], row)
        expected = np.linalg.slogdet(jacobian).logabsdet
        assert Simplexes(row).log_jacobian == pytest.approx(expected, abs=1e-8)
        parts = Simplexes(row).breaks
        assert np.log(parts * (1 - parts)).sum() != pytest.approx(expected, abs=0.1)
    assert Simplexes(FREE).log_jacobian == pytest.approx([Simplexes(row).log_jacobian for row in FREE])


def test_gradients_are_pulled_back_through_simplexes():
    rng = np.random.default_rng(1)
    slopes = rng.normal(size=(4, 6))
    found = Simplexes(FREE).pull_back(slopes)
    for row, slope, gradient in zip(FREE, slopes, found, strict=True):
        by_hand = central_differences(lambda free, slope=slope: Simplexes(free).log_probs @ slope, row)
        assert gradient == pytest.approx(by_hand, abs=1e-8)
    by_hand = central_differences(lambda free: Simplexes(free).log_jacobian, FREE[0])
    assert Simplexes(FREE[0]).pull_back(np.ones(6)) == pytest.approx(by_hand, abs=1e-8)


@pytest.mark.parametrize("options", [2, 3, 40, 1_000])
def test_round_trips_far_out(options):
    """Up to 50 from 0 either way, where the probabilities are as small as e^-50 to the power of how many there are."""
    rng = np.random.default_rng(2)
    for free in (
        rng.uniform(-50, 50, (3, options - 1)),
        np.full((1, options - 1), 50.0),
        np.full((1, options - 1), -50.0),
    ):
        simplex = Simplexes(free)
        assert np.isfinite(simplex.log_probs).all()
        assert np.isfinite(simplex.log_jacobian).all()
        assert np.isfinite(simplex.pull_back(np.ones((len(free), options)))).all()
        assert np.logaddexp.reduce(simplex.log_probs, axis=1) == pytest.approx(np.zeros(len(free)), abs=1e-12)
        assert Simplexes.unconstrain(simplex.log_probs) == pytest.approx(free, abs=1e-7)


def test_any_number_of_leading_axes():
    free = np.random.default_rng(3).normal(size=(2, 3, 4))
    together = Simplexes(free)
    assert together.log_probs.shape == (2, 3, 5)
    assert (together.log_probs[1, 2] == Simplexes(free[1, 2]).log_probs).all()
    assert together.log_jacobian.shape == (2, 3)
    assert together.pull_back(together.log_probs).shape == (2, 3, 4)


def test_what_is_no_simplex():
    for bad in ([0.5, 0.6], [0.5, 0.4], [1.0, 0.0], [[0.5, 0.5], [0.9, 0.2]]):
        with np.errstate(divide="ignore"), pytest.raises(ValueError, match="above 0 and sum to 1"):
            Simplexes.unconstrain(np.log(bad))


def test_ordered_values_ascend_by_exponentials():
    ordered = Ordered(FREE)
    assert ordered.values[:, 0].tolist() == FREE[:, 0].tolist()
    assert np.diff(ordered.values) == pytest.approx(np.exp(FREE[:, 1:]), rel=1e-12)
    assert Ordered([2.5]).values.tolist() == [2.5]
    assert np.isfinite(Ordered(np.full(4, 50.0)).values).all()


def test_log_jacobian_and_gradients_of_ordered_values():
    slopes = np.random.default_rng(4).normal(size=FREE.shape)
    for row, slope in zip(FREE, slopes, strict=True):
        jacobian = central_differences(lambda free: Ordered(free).values, row)
        assert Ordered(row).log_jacobian == pytest.approx(np.linalg.slogdet(jacobian).logabsdet, abs=1e-8)
        assert Ordered(row).pull_back(slope) == pytest.approx(slope @ jacobian, abs=1e-7)
    assert Ordered(FREE).pull_back(slopes)[2] == pytest.approx(Ordered(FREE[2]).pull_back(slopes[2]))
