"""Leapfrog steps by their invariants, and HMC by what it must leave as it is."""

import math

import numpy as np
import pytest
from scipy import stats

from samplers.chain import Chain
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.hmc import HMC, leapfrog, point_at
from tests.samplers.derivatives import central_differences
from tests.samplers.gradient.targets import LogOddsOfBeta, Normal, ranks_after

TWO_MEANS = GaussianMarginal([-2.1, -1.9, 2.0], 2)
MASS = np.array([0.5, 2.0])  # inverse


def point(position, momentum, inverse_mass=MASS, target=TWO_MEANS):
    position, momentum = np.array(position, float), np.array(momentum, float)
    return point_at(position, momentum, inverse_mass, *target.log_density_and_gradient(position))


def path(start, steps, step_size, inverse_mass=MASS, target=TWO_MEANS):
    points = [start]
    for _ in range(steps):
        points.append(leapfrog(target, points[-1], step_size, inverse_mass))
    return points


def test_a_path_can_be_followed_back():
    start = point([0.3, -0.7], [1.1, 0.4])
    end = path(start, 40, 0.15)[-1]
    back = path(end, 40, -0.15)[-1]
    turned = path(point(end.position, -end.momentum), 40, 0.15)[-1]
    assert back.position == pytest.approx(start.position, abs=1e-11)
    assert back.momentum == pytest.approx(start.momentum, abs=1e-11)
    assert turned.position == pytest.approx(start.position, abs=1e-11)
    assert turned.momentum == pytest.approx(-start.momentum, abs=1e-11)
    assert (end.step, back.step) == (40, 0)


def euler(start, step_size):
    position = start.position + step_size * start.velocity
    return point(position, start.momentum + step_size * start.gradient)


def test_volume_is_kept():
    """The determinant of five steps is 1; of one of Euler's it is not."""

    def flow(numbers, advance):
        end = advance(point(numbers[:2], numbers[2:]))
        return np.concatenate([end.position, end.momentum])

    at = np.array([0.3, -0.7, 1.1, 0.4])
    found = central_differences(lambda numbers: flow(numbers, lambda start: path(start, 5, 0.4)[-1]), at)
    assert np.linalg.det(found) == pytest.approx(1, abs=1e-7)
    wrong = central_differences(lambda numbers: flow(numbers, lambda start: euler(start, 0.4)), at)
    assert abs(np.linalg.det(wrong) - 1) > 0.05


def test_the_energy_error_falls_as_the_square_of_the_step_size():
    start = point([0.3, -0.7], [1.1, 0.4])
    steps = np.array([16, 32, 64, 128, 256])
    errors = [max(abs(p.energy - start.energy) for p in path(start, count, 4 / count)) for count in steps]
    slope = np.polyfit(np.log(4 / steps), np.log(errors), 1)[0]
    assert 1.95 < slope < 2.05
    wrong = []
    for count in steps:
        here = start
        for _ in range(count):
            here = euler(here, 4 / count)
        wrong.append(abs(here.energy - start.energy))
    assert np.polyfit(np.log(4 / steps), np.log(wrong), 1)[0] < 1.7


def test_leapfrog_of_a_unit_normal_is_a_known_matrix():
    step = 0.7
    matrix = [[1 - step**2 / 2, step], [-step * (1 - step**2 / 4), 1 - step**2 / 2]]
    expected = np.linalg.matrix_power(np.array(matrix), 9) @ [0.4, -1.3]
    target = Normal(np.eye(1))
    end = path(point([0.4], [-1.3], np.ones(1), target), 9, step, np.ones(1), target)[-1]
    assert [end.position[0], end.momentum[0]] == pytest.approx(expected, abs=1e-12)
    assert end.energy == pytest.approx(0.5 * (expected**2).sum())


def test_an_inverse_mass_is_a_change_of_units():
    """Positions in units of √(inverse mass), momenta in the inverse of that: the same path with all masses 1."""
    units = np.sqrt(MASS)

    class Rescaled:
        dimension = 2

        def log_density_and_gradient(self, position):
            log_density, gradient = TWO_MEANS.log_density_and_gradient(position * units)
            return log_density, gradient * units

    end = path(point([0.3, -0.7], [1.1, 0.4]), 20, 0.2)[-1]
    start = point(np.array([0.3, -0.7]) / units, np.array([1.1, 0.4]) * units, np.ones(2), Rescaled())
    other = path(start, 20, 0.2, np.ones(2), Rescaled())[-1]
    assert other.position * units == pytest.approx(end.position, abs=1e-12)
    assert other.energy == pytest.approx(end.energy, abs=1e-12)


class NeverRefuses(HMC):
    def _trajectory(self, start, state, rng):
        trajectory = super()._trajectory(start, state, rng)
        object.__setattr__(trajectory, "chosen", len(trajectory.points) - 1)
        return trajectory


def test_the_target_is_left_as_it_is():
    """Independent replicates, p below 1e-4 by chance once in 10,000 seeds. Steps are long, so that many are refused."""
    target = LogOddsOfBeta(0.8, 2.5)
    for rule, passes in ((HMC, True), (NeverRefuses, False)):
        ranks = ranks_after(lambda start, rule=rule: rule(target, 1.9, 3, start=start), target, 3)
        assert bool(stats.kstest(ranks, "uniform").pvalue > 1e-4) == passes


def test_what_is_seen_inside_is_what_ran():
    sampler = HMC(TWO_MEANS, 0.9, 5, MASS, start=[0.5, -0.5])
    chain = Chain(sampler, seed=3)
    moved = set()
    for t in range(1, 40):
        inside, before, after = chain.record(t), chain[t - 1], chain[t]
        assert inside.positions.shape == inside.momenta.shape == (6, 2)
        assert (inside.positions[0] == before.position).all()
        assert (inside.positions[inside.chosen] == after.position).all()
        assert (inside.chosen == 5) == (inside.uniform < inside.accept_statistic)
        error = inside.energies[-1] - inside.energies[0]
        assert inside.accept_statistic == pytest.approx(min(1, math.exp(-error)))
        kinetic = (inside.momenta**2 * MASS).sum(axis=1) / 2
        assert inside.energies == pytest.approx(kinetic - [point.log_density for point in inside.points])
        assert (after.iteration, inside.leapfrogs, inside.depth, inside.divergent) == (t, 5, 0, None)
        assert after.log_density == TWO_MEANS.log_density(after.position)
        assert inside.offered == (True, False, False, False, False, True)
        moved.add(inside.chosen)
    assert moved == {0, 5}


def test_momenta_have_the_masses():
    sampler = HMC(TWO_MEANS, 0.1, 1, MASS, start=[0, 0])
    state, rng = sampler.init(np.random.default_rng(0)), np.random.default_rng(1)
    momenta = np.array([sampler.step(state, rng)[1].momentum for _ in range(1_000)]) * np.sqrt(MASS)
    assert stats.kstest(momenta.ravel(), "norm").pvalue > 1e-4


def test_a_step_that_is_too_long_diverges_and_is_refused():
    """Even one so long that the path would leave what floats can hold."""
    for step_size in (40.0, 1e200):
        sampler = HMC(Normal(np.eye(2)), step_size, 50, start=[1.0, 1.0])
        state = sampler.init(np.random.default_rng(0))
        after, inside = sampler.step(state, np.random.default_rng(1))
        assert inside.divergent == len(inside.points) - 1 < 10
        assert (inside.chosen, inside.accept_statistic, inside.offered[-1]) == (0, 0, False)
        assert (after.position == state.position).all()


def test_starts():
    class Half(Normal):
        def log_density_and_gradient(self, position):
            log_density, gradient = super().log_density_and_gradient(position)
            return (log_density if position[0] > 1.5 else -math.inf), gradient

    drawn = [HMC(Normal(np.eye(2)), 1, 1).init(np.random.default_rng(seed)).position for seed in range(50)]
    assert np.abs(drawn).max() <= 2
    assert np.ptp(drawn) > 3
    assert HMC(Half(np.eye(2)), 1, 1).init(np.random.default_rng(0)).position[0] > 1.5
    with pytest.raises(ValueError, match=r"must be finite at the start, and were not at \[0. 0.\]"):
        HMC(Half(np.eye(2)), 1, 1, start=[0, 0]).init(np.random.default_rng(0))
    with pytest.raises(ValueError, match="were not at any of 100 that were drawn"):
        HMC(Half(np.eye(2), mean=math.nan), 1, 1).init(np.random.default_rng(0))


def test_bad_arguments():
    with pytest.raises(ValueError, match="step_size must be finite and > 0, got 0"):
        HMC(TWO_MEANS, 0, 3)
    with pytest.raises(ValueError, match="leapfrog_steps must be 1 or more, got 0"):
        HMC(TWO_MEANS, 0.1, 0)
    with pytest.raises(ValueError, match="inverse_mass must be 2 finite numbers > 0"):
        HMC(TWO_MEANS, 0.1, 3, [1.0, 0.0])
    with pytest.raises(ValueError, match="start must be 2 numbers, got the shape"):
        HMC(TWO_MEANS, 0.1, 3, start=[1.0])
