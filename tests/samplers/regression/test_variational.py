"""The best Normal by KL(q‖p): a Normal target is its own, known cases, and what holds at every optimum."""

from math import inf, log, sqrt

import numpy as np
import pytest

from samplers.regression.line_targets import (
    LINE_TARGETS,
    beta_target,
    laplace_distances,
    line_laplace,
    log_gamma_target,
    two_normals_target,
)
from samplers.regression.variational import average, best_normal, normal_divergence

WHOLE = {name: target for name, target in LINE_TARGETS.items() if target.support == (-inf, inf)}
every_whole_target = pytest.mark.parametrize("target", WHOLE.values(), ids=WHOLE.keys())


def test_the_best_normal_of_a_normal_is_the_normal_itself():
    target = two_normals_target(share=0.3, means=(0.7, 0.7), deviations=(1.3, 1.3))
    assert best_normal(target) == pytest.approx((0.7, 1.3), abs=1e-8)
    assert normal_divergence(target, 0.7, 1.3) == pytest.approx(0, abs=1e-12)
    assert normal_divergence(target, 0.7, 2.6) == pytest.approx(2 - 0.5 - log(2), abs=1e-10)


@pytest.mark.parametrize("shape", [0.5, 3.0, 40.0])
def test_the_best_normal_of_a_log_gamma_has_a_formula(shape):
    assert best_normal(log_gamma_target(shape)) == pytest.approx((log(shape) - 0.5 / shape, shape**-0.5), abs=1e-7)


@every_whole_target
def test_at_the_optimum_the_averages_are_what_laplace_asks_for_at_a_point(target):
    mean, deviation = best_normal(target)
    assert average(target.slope, mean, deviation) == pytest.approx(0, abs=1e-7)
    assert average(target.curvature, mean, deviation) == pytest.approx(-(deviation**-2), rel=1e-6)


@every_whole_target
def test_it_is_better_than_laplace_and_than_all_that_is_near(target):
    mean, deviation = best_normal(target)
    best = normal_divergence(target, mean, deviation)
    for start in target.starts:
        at, variance = line_laplace(target, start)
        assert best < normal_divergence(target, at, sqrt(variance))
    for move in (-0.05, 0.05):
        assert best < normal_divergence(target, mean + move, deviation)
        assert best < normal_divergence(target, mean, deviation * (1 + move))


@every_whole_target
def test_the_divergence_is_that_of_the_other_quadrature(target):
    for mean, variance in ((0.3, 0.8), line_laplace(target)):
        known = laplace_distances(target, mean, variance).laplace_to_target
        assert normal_divergence(target, mean, sqrt(variance)) == pytest.approx(known, abs=2e-5)


def test_two_tops_have_a_wide_optimum_and_a_narrow_one():
    target = LINE_TARGETS["two modes"]
    grid = {
        (mean, deviation): normal_divergence(target, mean, deviation)
        for mean in np.linspace(-2, 2, 41)
        for deviation in np.linspace(0.4, 2.0, 33)
    }
    least = min(grid, key=grid.__getitem__)
    assert best_normal(target) == pytest.approx(least, abs=0.06)
    assert normal_divergence(target, *best_normal(target)) <= grid[least]


def test_where_the_density_is_0_no_normal_is_any_good():
    assert normal_divergence(beta_target(2, 3), 0.4, 0.1) == inf
    with pytest.raises(ValueError, match="infinite for every Normal"):
        best_normal(beta_target(2, 3))
    with pytest.raises(ValueError, match="deviation"):
        normal_divergence(LINE_TARGETS["two modes"], 0.0, 0.0)
