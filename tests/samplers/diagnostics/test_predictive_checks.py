"""The numbers that predictive checks compare, by hand and by brute force."""

import numpy as np
import pytest

from samplers.diagnostics.predictive_checks import STATISTICS, to_the_farthest, to_the_nearest


def test_by_hand():
    points = np.array([[0.0], [1.0], [5.0]])
    assert to_the_nearest(points) == pytest.approx((1 + 1 + 4) / 3)
    assert to_the_farthest(points) == pytest.approx(3.0)
    assert to_the_nearest(np.array([[1.0, 2.0]] * 3)) == 0


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_by_all_distances(dimension):
    points = np.random.default_rng(0).normal(size=(40, dimension))
    apart = np.linalg.norm(points[:, None] - points, axis=2)
    assert to_the_farthest(points) == pytest.approx(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
    np.fill_diagonal(apart, np.inf)
    assert to_the_nearest(points) == pytest.approx(apart.min(axis=1).mean())


@pytest.mark.parametrize("measure", STATISTICS.values())
def test_they_grow_with_the_points(measure):
    points = np.random.default_rng(1).normal(size=(30, 2))
    assert measure(3 * points + 7) == pytest.approx(3 * measure(points))
