"""Densities on a plane by differences and quadrature, and what samplers make of them by their margins."""

from functools import cache

import numpy as np
import pytest
from scipy import stats

from samplers.gradient.hmc import HMC
from samplers.gradient.nuts import NUTS
from samplers.gradient.plane_targets import PLANE_TARGETS, CorrelatedNormal, Funnel, PlaneTarget
from samplers.gradient.posterior_planes import POSTERIOR_PLANES
from samplers.regression.metropolis import RandomWalkMetropolis
from tests.samplers.derivatives import central_differences
from tests.samplers.gradient.draws import draws_of

TARGETS = {**PLANE_TARGETS, **POSTERIOR_PLANES}
every = pytest.mark.parametrize("name", TARGETS)
PLACES = np.random.default_rng(3).uniform(-2.5, 2.5, (12, 2))
DRAWS, FEWER = 1_000, 400  # for planted errors, and for each sampler on each target


@every
def test_the_gradient_is_that_of_the_density(name):
    target = TARGETS[name]
    for place in PLACES:
        value, gradient = target.log_density_and_gradient(place)
        assert value == target.log_density(place)
        assert gradient == pytest.approx(central_differences(target.log_density, place), rel=1e-5, abs=1e-6)


def spread(target, axis):
    """Places that hold all of a margin, the denser the nearer to 0."""
    low, high = target.reach[axis]
    away = np.sinh(np.linspace(-9, 9, 401)) / np.sinh(9)
    return np.where(away < 0, -low, high) * away


@cache
def margin(target, axis):
    """A margin where it is spread; made once, as its sums across take longer than most samplers' steps."""
    at = spread(target, axis)
    return at, target.marginal(axis, at)


@every
@pytest.mark.parametrize("axis", [0, 1])
def test_margins_are_those_of_the_density_and_integrate_to_one(name, axis):
    target = TARGETS[name]
    at, density = margin(target, axis)
    assert np.trapezoid(density, at) == pytest.approx(1, abs=2e-3)
    some = at[150:250:9]
    if (name, axis) not in (("funnel", 1), ("long", 0)):  # too narrow in places for one grid across
        assert target.marginal(axis, some) == pytest.approx(PlaneTarget.marginal(target, axis, some), rel=1e-6)


@every
def test_moments_are_those_of_the_margins(name):
    target = TARGETS[name]
    for axis, (mean, deviation) in enumerate(zip(*target.moments, strict=True)):
        at, density = margin(target, axis)
        found = np.trapezoid(at * density, at)
        tail = 0.2 if (name, axis) == ("funnel", 0) else 0.01  # some of its variance lies beyond any grid
        assert found == pytest.approx(mean, abs=5e-3)
        assert np.sqrt(np.trapezoid((at - found) ** 2 * density, at)) == pytest.approx(deviation, rel=tail)


def ranks(target, axis, draws):
    """Where draws lie in the margin: uniform if they are of the target."""
    at, heights = margin(target, axis)
    below = np.concatenate([[0], np.cumsum((heights[1:] + heights[:-1]) / 2 * np.diff(at))])
    return np.interp(draws[:, axis], at, below / below[-1])


def departs(target, draws):
    """The smaller p-value of both margins."""
    return min(stats.kstest(ranks(target, axis, draws), "uniform").pvalue for axis in (0, 1))


@every
def test_independent_draws_have_the_margins(name):
    target = TARGETS[name]
    assert departs(target, draws_of(target, np.random.default_rng(5), 20_000)) > 1e-3


SAMPLERS = {
    "HMC": lambda target, start: HMC(target, 0.25, 6, [1.5, 0.7], start=start),
    "NUTS": lambda target, start: NUTS(target, 5, warmup=0, step_size=0.3, start=start),
    "Metropolis": lambda target, start: RandomWalkMetropolis(target, [0.9, 0.6], start),
}


def after(make, target, iterations=2, seed=2, draws=DRAWS):
    """Where a few iterations from independent draws of the target lead."""
    rng = np.random.default_rng(seed)
    found = []
    for start in draws_of(target, rng, draws):
        sampler = make(target, start)
        state = sampler.init(rng)
        for _ in range(iterations):
            state, _ = sampler.step(state, rng)
        found.append(state.position)
    return np.array(found)


@every
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_samplers_leave_the_target_as_it_is(name, sampler):
    target = TARGETS[name]
    assert departs(target, after(SAMPLERS[sampler], target, draws=FEWER)) > 1e-3


class AlwaysAccepted(HMC):
    """Planted error: the end of the path is taken, whatever its energy."""

    def step(self, state, rng):
        moved, path = super().step(state, rng)
        last = path.points[-1]
        if path.divergent is None:
            kept = {"position": last.position, "log_density": last.log_density, "gradient": last.gradient}
            moved = type(moved)(**{**vars(moved), **kept})
        return moved, path


def test_a_path_that_is_always_accepted_is_found_out():
    target = PLANE_TARGETS["ring"]

    def make(target, start):
        return AlwaysAccepted(target, 0.5, 4, start=start)

    assert departs(target, after(make, target, 6)) < 1e-6


class ForgetsTheWidth(Funnel):
    """Planted error: a funnel whose density lacks the width of each of its cross-sections."""

    def log_density_and_gradient(self, position):
        value, gradient = super().log_density_and_gradient(position)
        return value + 0.5 * position[1], gradient + np.array([0, 0.5])


def test_a_density_without_its_width_is_found_out():
    wrong = ForgetsTheWidth()
    assert departs(Funnel(), after(lambda _, start: SAMPLERS["HMC"](wrong, start), Funnel(), 4)) < 1e-4


def test_a_correlation_beyond_one_is_refused():
    with pytest.raises(ValueError, match="correlation must be between -1 and 1"):
        CorrelatedNormal(1.0)
    with pytest.raises(ValueError, match="deviations must be finite and > 0"):
        CorrelatedNormal(0.5, (1.0, 0.0))
