"""GIST: every path is the way back of another one, exact draws stay exact, and wrong rules move them."""

from math import exp, sqrt

import numpy as np
import pytest

from samplers import Chain
from samplers.gradient.gist import GIST, MOST_STEPS, Lengths
from samplers.gradient.hmc import draw_start, leapfrog, point_at
from samplers.gradient.plane_targets import PLANE_TARGETS, Ring, TwoHills
from samplers.gradient.wrong import WRONG_PATHS

STEPS = {"correlated": 0.3, "banana": 0.25, "ring": 0.2, "two hills": 0.3, "funnel": 0.4}


def exact_draws(name, many, rng):
    """Independent draws of a target, by its own construction."""
    z, w = rng.standard_normal((2, many))
    if name == "correlated":
        return np.column_stack([z, 0.9 * z + sqrt(1 - 0.81) * w])
    if name == "banana":
        return np.column_stack([2 * z, 0.25 * (2 * z) ** 2 + 0.5 * w])
    if name == "funnel":
        return np.column_stack([np.exp(1.5 * z) * w, 3 * z])
    if name == "two hills":
        hills = np.array(TwoHills.centres)[(rng.random(many) > TwoHills.weights[0]).astype(int)]
        return hills + TwoHills.deviation * np.column_stack([z, w])
    ring = PLANE_TARGETS[name]
    squared = Ring.radius**2 + ring._spread * z
    assert (squared > 0).all()  # it is cut off at 0, seven standard deviations away
    angle = rng.uniform(0, 2 * np.pi, many)
    return np.sqrt(squared)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def moved(kind, name, many, seed=3, shortest=0.0):
    """How far one iteration moves averages of exact draws, in standard errors: of x, y, their squares, and log p."""
    target, rng = PLANE_TARGETS[name], np.random.default_rng(seed)
    starts, ends = exact_draws(name, many, rng), []
    for start in starts:
        sampler = kind(target, STEPS[name], shortest, start=start)
        ends.append(sampler.step(sampler.init(rng), rng)[0].position)
    found = np.array(ends)
    facts = [
        lambda at: at[:, 0],
        lambda at: at[:, 1],
        lambda at: np.minimum(at[:, 0] ** 2, 50),
        lambda at: at[:, 1] ** 2,
        lambda at: np.array([target.log_density(each) for each in at]),
    ]
    differences = [fact(found) - fact(starts) for fact in facts]
    return np.abs([each.mean() / each.std() * sqrt(many) for each in differences])


@pytest.mark.parametrize("name", STEPS)
def test_exact_draws_of_five_planes_stay_exact(name):
    assert moved(GIST, name, 1_200).max() < 3.5


def test_they_stay_exact_with_lengths_from_half_of_the_way_on():
    assert moved(GIST, "correlated", 1_200, shortest=0.5).max() < 3.5


@pytest.mark.parametrize("rule", WRONG_PATHS)
def test_wrong_rules_move_them(rule):
    assert moved(WRONG_PATHS[rule], "correlated", 1_200).max() > 5


@pytest.mark.parametrize("shortest", [0.0, 0.5, 1.0])
def test_the_way_back_is_a_path_of_its_own_with_the_ratio_upside_down(shortest):
    target, rng, among = PLANE_TARGETS["banana"], np.random.default_rng(1), 0
    for start in exact_draws("banana", 80, rng):
        sampler = GIST(target, 0.25, shortest, [0.7, 1.6], start=start)
        state = sampler.init(rng)
        there = sampler.path(draw_start(state, rng), state, rng.random(), 0.0)
        end = there.points[there.start + there.length]
        if not there.turned_back:
            assert (there.ratio, there.chosen) == (0.0, there.start)
            continue
        among += 1
        turned = point_at(end.position, -end.momentum, state.inverse_mass, end.log_density, end.gradient)
        dart = (there.length - there.back.least + 0.5) / (there.back.most - there.back.least + 1)
        back = sampler.path(turned, state, dart, 0.0)
        assert (back.lengths, back.back, back.length) == (there.back, there.lengths, there.length)
        assert back.ratio * there.ratio == pytest.approx(1)
        assert back.points[back.start + back.length].position == pytest.approx(start)
    assert among > 10


def test_a_path_goes_on_to_the_first_point_that_comes_closer():
    target = PLANE_TARGETS["correlated"]
    sampler = GIST(target, 0.3, start=[0.4, 0.9])
    state = sampler.init(np.random.default_rng(0))
    start = draw_start(state, np.random.default_rng(5))
    points = [start]
    for _ in range(MOST_STEPS):
        points.append(leapfrog(target, points[-1], 0.3, state.inverse_mass))
    away = [(point.position - start.position) @ point.velocity for point in points]
    first = next(number for number, speed in enumerate(away) if speed < 0)
    path = sampler.path(start, state, 0.999, 0.0)
    assert path.lengths == Lengths(1, first)
    assert path.length == first
    assert path.ratio == pytest.approx(
        exp(start.energy - points[first].energy) * path.back.weight(first) / path.lengths.weight(first)
    )


def test_a_path_that_runs_away_is_rejected():
    sampler = GIST(PLANE_TARGETS["funnel"], 2.0, start=[0.0, -8.0])
    chain = Chain(sampler, 0)
    paths = [chain.record(t) for t in range(1, 30)]
    assert any(path.divergent is not None for path in paths)
    assert all(path.chosen == path.start for path in paths if path.divergent == path.start + path.length)


@pytest.mark.parametrize("shortest", [-0.1, 1.1, float("nan")])
def test_shares_beyond_their_limits_are_refused(shortest):
    with pytest.raises(ValueError, match="shortest"):
        GIST(PLANE_TARGETS["ring"], 0.1, shortest)
