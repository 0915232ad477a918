"""Densities on a line against SciPy's, and their distances from the Laplace approximation by another quadrature."""

from itertools import pairwise
from math import exp, inf, log, pi, sqrt

import numpy as np
import pytest
from scipy import integrate, special, stats

from samplers.log_density import NoMode
from samplers.regression.line_targets import (
    LINE_TARGETS,
    beta_target,
    gamma_target,
    laplace_distances,
    line_laplace,
    log_gamma_target,
    log_odds_target,
    student_target,
    two_normals_target,
)
from samplers.regression.optimise import GradientDescent, Newton, newton_mode
from tests.samplers.regression.regressions import check_derivatives


def mixture(x):
    return np.log(0.6 * stats.norm(-1.5, 0.6).pdf(x) + 0.4 * stats.norm(1.8, 0.8).pdf(x))


def log_odds(x):
    return stats.beta(60, 40).logpdf(special.expit(x)) + np.log(special.expit(x) * special.expit(-x))


KNOWN = {
    "near Normal": log_odds,
    "skewed": stats.gamma(3).logpdf,
    "skewed, on the log scale": lambda x: stats.gamma(3).logpdf(np.exp(x)) + x,
    "heavy tails": stats.t(3).logpdf,
    "two modes": mixture,
    "at the edge": stats.beta(1.2, 6).logpdf,
}
BREAKS = {"two modes": (-4, -1.5, 0, 1.8, 5), "heavy tails": (-50, -3, 0, 3, 50)}
every_target = pytest.mark.parametrize(("name", "target"), LINE_TARGETS.items(), ids=LINE_TARGETS.keys())


def inside(target, count=9):
    low, high = max(target.support[0], -3.0), min(target.support[1], 3.0)
    return low + (high - low) * np.linspace(0.02, 0.98, count)


@every_target
def test_the_densities_are_those_of_scipy(name, target):
    x = inside(target).reshape(3, 3)
    assert target.value(x) == pytest.approx(KNOWN[name](x), rel=1e-9)
    assert target.log_density(x[..., None]) == pytest.approx(KNOWN[name](x), rel=1e-9)
    assert len(KNOWN) == len(LINE_TARGETS)


@every_target
def test_the_derivatives_are_those_of_the_log_density(name, target):
    for x in inside(target):
        check_derivatives(target, [x], step=1e-6 if name == "at the edge" else 1e-5)


@every_target
def test_nothing_lies_outside_the_support(name, target):
    low, high = target.support
    outside = [edge for edge in (low, high, low - 1, high + 1) if np.isfinite(edge)]
    assert (target.value(outside) == -inf).all()


def modes_of(target):
    return [line_laplace(target, start)[0] for start in target.starts]


def test_the_modes_are_where_they_are_known_to_be():
    known = {
        "near Normal": [log(60 / 40)],
        "skewed": [2],
        "skewed, on the log scale": [log(3)],
        "heavy tails": [0],
        "at the edge": [0.2 / 5.2],
    }
    for name, modes in known.items():
        assert modes_of(LINE_TARGETS[name]) == pytest.approx(modes, abs=1e-9)
    higher, lower = modes_of(LINE_TARGETS["two modes"])
    assert higher == pytest.approx(-1.5, abs=1e-3)
    assert lower == pytest.approx(1.8, abs=1e-3)
    assert mixture(higher) > mixture(lower)
    for mode in (higher, lower):
        assert max(mixture(mode - 1e-4), mixture(mode + 1e-4)) < mixture(mode)


def test_the_laplace_approximations_that_are_known():
    assert line_laplace(gamma_target(3)) == pytest.approx((2, 2))
    assert line_laplace(log_gamma_target(3)) == pytest.approx((log(3), 1 / 3))
    assert line_laplace(student_target(3)) == pytest.approx((0, 0.75), abs=1e-9)
    assert line_laplace(log_odds_target(60, 40)) == pytest.approx((log(1.5), 1 / 24))
    assert line_laplace(beta_target(1.2, 6)) == pytest.approx((1 / 26, 1 / (0.2 * 26**2 + 5 * (26 / 25) ** 2)))
    target = LINE_TARGETS["two modes"]
    assert line_laplace(target, 1.7)[0] == pytest.approx(modes_of(target)[1])
    assert line_laplace(target)[0] == pytest.approx(modes_of(target)[0])


def by_scipy(name, mean, variance):
    """Both divergences and the total variation, by adaptive quadrature between breaks."""
    target, law = LINE_TARGETS[name], stats.norm(mean, sqrt(variance))
    constant = -0.5 * log(2 * pi * variance)
    low, high = target.support
    far = 1e4 if name == "heavy tails" else 30
    breaks = sorted({*BREAKS.get(name, ()), mean, *(mean + k * sqrt(variance) for k in (-4, -2, 2, 4))})

    def integral(function, start, stop):
        points = [start, *(p for p in breaks if start < p < stop), stop]
        return sum(integrate.quad(function, a, b, limit=400)[0] for a, b in pairwise(points))

    start, stop = max(low, -far), min(high, far)
    narrow = 12 * sqrt(variance)

    def log_target(x):
        return float(target.value(x))

    def log_normal(x):
        return constant - 0.5 * (x - mean) ** 2 / variance

    to_laplace = integral(lambda x: exp(log_target(x)) * (log_target(x) - log_normal(x)), start, stop)
    to_target = integral(lambda x: exp(log_normal(x)) * (log_normal(x) - log_target(x)), mean - narrow, mean + narrow)
    apart = integral(lambda x: abs(exp(log_target(x)) - exp(log_normal(x))), start, stop) + law.cdf(low) + law.sf(high)
    return to_target if (low, high) == (-inf, inf) else inf, to_laplace, apart / 2


def check_distances(name, found, mean, variance):
    assert found == pytest.approx(by_scipy(name, mean, variance), rel=1e-4, abs=1e-5)


@every_target
@pytest.mark.filterwarnings("ignore:The maximum number of subdivisions")
def test_the_distances_are_those_of_another_quadrature(name, target):
    for mean, variance in (line_laplace(target), (modes_of(target)[0] + 0.01, 0.5)):
        if name == "heavy tails":  # SciPy's range ends at 10⁴, where the rest of the second moment is known
            found = laplace_distances(target, mean, variance)
            missing = 2 * 6 * sqrt(3) / pi * 1e-4 / (2 * variance)
            expected = by_scipy(name, mean, variance)
            assert found.target_to_laplace == pytest.approx(expected[1] + missing, rel=1e-5)
            assert (found[0], found[2]) == pytest.approx((expected[0], expected[2]), rel=1e-4)
        else:
            check_distances(name, laplace_distances(target, mean, variance), mean, variance)


def test_the_comparison_of_distances_can_fail():
    target = LINE_TARGETS["skewed, on the log scale"]
    with pytest.raises(AssertionError):
        check_distances("skewed, on the log scale", laplace_distances(target, log(3), 0.3334), log(3), 1 / 3)


def test_distances_that_are_known():
    """KL(Gamma(k)‖N(m, v)) in closed form: minus the entropy, and the Normal's cross-entropy by the moments."""
    found = laplace_distances(gamma_target(3), 2, 2)
    entropy = 3 + special.gammaln(3) + (1 - 3) * special.psi(3)
    assert found.target_to_laplace == pytest.approx(0.5 * log(2 * pi * 2) + (3 + 1) / 4 - entropy, abs=1e-9)
    assert found.laplace_to_target == inf
    student = laplace_distances(student_target(3), 0, 0.75)
    entropy = 2 * (special.psi(2) - special.psi(1.5)) + log(sqrt(3) * special.beta(1.5, 0.5))
    assert student.target_to_laplace == pytest.approx(0.5 * log(2 * pi * 0.75) + 3 / 1.5 - entropy, abs=1e-7)
    nothing = laplace_distances(two_normals_target(1 - 1e-12, (-1.5, 1.5), (0.6, 0.6)), -1.5, 0.36)
    assert nothing == pytest.approx((0, 0, 0), abs=1e-9)


def test_a_better_scale_makes_a_better_approximation():
    on_the_line, on_the_logs = (
        laplace_distances(target, *line_laplace(target)) for target in (gamma_target(3), log_gamma_target(3))
    )
    assert on_the_logs.total_variation < on_the_line.total_variation / 2
    assert on_the_logs.target_to_laplace < on_the_line.target_to_laplace / 4
    shrinking = [laplace_distances(t, *line_laplace(t)).total_variation for t in map(gamma_target, (3, 30, 300))]
    assert shrinking[0] > 2.5 * shrinking[1] > 6 * shrinking[2]


def test_newton_without_damping_flies_off_where_the_density_bends_up():
    """Student's t bends up beyond √ν: there the quadratic has a top, and Newton's step leads away from the mode."""
    target = student_target(3)
    newton = Newton(target, start=[2.0])
    state = newton.init()
    for _ in range(60):
        state, step = newton.step(state)
    assert step.diverged
    assert abs(state.position[0]) > 1e6
    assert newton_mode(target, start=[2.0]).position == pytest.approx([0], abs=1e-8)
    assert newton_mode(target, start=[-40.0]).position == pytest.approx([0], abs=1e-8)


def test_a_step_out_of_the_support_is_not_taken():
    descent = GradientDescent(gamma_target(3), 30.0, start=[0.5])
    assert not descent.step(descent.init())[1].diverged
    descent = GradientDescent(gamma_target(3), 30.0, start=[6.0])
    state, step = descent.step(descent.init())
    assert (state.position, step.log_density_after, step.diverged) == ([6.0], -inf, True)
    assert newton_mode(gamma_target(3), start=[90.0]).position == pytest.approx([2])


def test_what_is_out_of_range_is_named():
    for build, message in [
        (lambda: gamma_target(1), "shape must be finite and > 1, got 1"),
        (lambda: student_target(2), "degrees must be finite and > 2, got 2"),
        (lambda: beta_target(1.2, 1), "second must be finite and > 1, got 1"),
        (lambda: log_odds_target(0, 2), "heads must be finite and > 0, got 0"),
        (lambda: two_normals_target(1.0), "share must be finite, >= 0 and < 1, got 1.0"),
        (lambda: laplace_distances(gamma_target(3), -1, 1), "mean must lie between 0 and inf, got -1"),
        (lambda: laplace_distances(gamma_target(3), 1, 0), "variance must be finite and > 0"),
        (lambda: line_laplace(gamma_target(3), -2), "start must lie where the log density is finite"),
    ]:
        with pytest.raises(ValueError, match=message):
            build()
    with pytest.raises(NoMode):
        line_laplace(two_normals_target(0.5, (-2.0, 2.0), (0.5, 0.5)), 0.0)  # level there, but a valley


def test_a_normal_that_is_far_away_is_not_compared():
    with pytest.raises(ValueError, match="too far from the density"):
        laplace_distances(LINE_TARGETS["heavy tails"], 3_000.0, 0.01)
