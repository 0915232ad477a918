"""Parallel tempering of a density on a plane against numerical integration, and swaps against every pair of cells."""

import math
from functools import cache
from itertools import product

import numpy as np
import pytest

from samplers.diagnostics.convergence import diagnose
from samplers.enumerated import stationary
from samplers.gradient.plane_targets import PLANE_TARGETS
from samplers.gradient.posterior_planes import POSTERIOR_PLANES
from samplers.log_density import PositionState
from samplers.regression.tempering import MetropolisLadder, TemperedWalk
from samplers.regression.wrong import WRONG_SWAPS
from samplers.tempering import COLDER, HOTTER, LadderState, geometric
from tests.samplers.swaps import swap_matrix

HILLS, MEANS = PLANE_TARGETS["two hills"], POSTERIOR_PLANES["two means"]
EXPONENTS = (1.0, 0.4, 0.1)
START = np.array([-1.9, -0.7])
REACH = {HILLS: 12.0, MEANS: 50.0}  # beyond which even the hottest level has next to nothing
FINE = 801  # of a grid for integrals, along each axis
RULES = {"right": MetropolisLadder, **WRONG_SWAPS}


@cache
def fine(target, exponent):
    """The places of a fine grid, and the probability of each cell at a level."""
    along = np.linspace(-REACH[target], REACH[target], FINE)
    x, y = np.meshgrid(along, along)
    if target is HILLS:  # all at once
        parts = [
            math.log(weight) - ((x - a) ** 2 + (y - b) ** 2) / (2 * target.deviation**2)
            for weight, (a, b) in zip(target.weights, target.centres, strict=True)
        ]
        logs = np.logaddexp(*parts)
    else:
        logs = target.log_densities(x, y)
    heights = np.exp(exponent * (logs - logs.max()))
    return np.stack([x, y], axis=-1).reshape(-1, 2), (heights / heights.sum()).ravel()


def seen(target, positions):
    """The statistics that are compared: x, y, their squares, and whether the right hill is there, shape (..., 5)."""
    right = target.on_the_right(positions)[..., None]
    return np.concatenate([positions, positions**2, right], axis=-1)


def exact(target, exponent):
    """The means of the same at a level, by integration."""
    places, shares = fine(target, exponent)
    return shares @ seen(target, places)


def test_the_exact_share_of_a_hill_is_that_of_the_grid():
    """Those cells that the border cuts are counted on the left."""
    for target in (HILLS, MEANS):
        assert exact(target, 1.0)[-1] == pytest.approx(target.right_share, abs=1e-3)
        assert exact(target, 1.0)[:2] == pytest.approx(target.moments[0], abs=1e-6)
    assert f"{HILLS.right_share:.4f}" == "0.3336"
    assert math.isnan(PLANE_TARGETS["ring"].right_share)


# ---- a step of one level ---------------------------------------------------------------------------------------------


def test_a_level_accepts_by_the_ratio_to_its_power():
    walk, rng = TemperedWalk(HILLS, 0.3, 0.8, START), np.random.default_rng(1)
    state, verdicts = walk.init(rng), set()
    for _ in range(100):
        after, proposal = walk.step(state, rng)
        ratio = math.exp(HILLS.log_density(proposal.position) - state.log_density) ** 0.3
        assert proposal.probability == pytest.approx(min(1, ratio), rel=1e-9)
        assert proposal.accepted == (proposal.uniform < ratio)
        assert (after.position == (proposal if proposal.accepted else state).position).all()
        assert after.log_density == HILLS.log_density(after.position), "without the power"
        verdicts.add(proposal.accepted)
        state = after
    assert verdicts == {True, False}


# ---- a swap, cell by cell --------------------------------------------------------------------------------------------


@cache
def coarse():
    """The centres of 6 x 4 cells, and their log densities."""
    places = np.array(list(product(np.linspace(-2.5, 2.5, 6), np.linspace(-1.2, 1.2, 4))))
    return places, np.array([HILLS.log_density(place) for place in places])


def tempered(logs, exponent):
    """Probabilities of cells at a level."""
    heights = np.exp(exponent * (logs - logs.max()))
    return heights / heights.sum()


def test_the_ratio_is_the_one_by_brute_force_for_every_pair_of_cells():
    kernel, rng = MetropolisLadder(HILLS, EXPONENTS, 0.8, START), np.random.default_rng(0)
    places, heights = coarse()
    logs = [np.log(tempered(heights, exponent)) for exponent in EXPONENTS]
    verdicts = set()
    for level in (0, 1):
        for a, b in product(range(len(places)), repeat=2):
            pair = [PositionState(places[one], heights[one]) for one in (a, b)]
            swap = kernel.swap(level, pair, rng)
            colder, hotter = logs[level][b] - logs[level][a], logs[level + 1][a] - logs[level + 1][b]
            assert swap.terms == pytest.approx({COLDER: colder, HOTTER: hotter}, abs=1e-9)
            assert swap.accepted == (swap.uniform < math.exp(min(0.0, colder + hotter)))
            verdicts.add(swap.accepted)
    assert verdicts == {True, False}


def lattice_walk(shares):
    """The transition matrix of Metropolis that proposes any cell, each as likely as the others."""
    many = len(shares)
    matrix = np.minimum(1, shares[None, :] / shares[:, None]) / many
    np.fill_diagonal(matrix, 0)
    np.fill_diagonal(matrix, 1 - matrix.sum(axis=1))
    return matrix


@pytest.mark.parametrize("name", RULES)
def test_steps_and_a_swap_on_cells_leave_the_product_of_both_levels_as_it_is(name):
    """576 pairs of cells, to rounding; a wrong rule leaves another distribution."""
    exponents, (_, heights) = EXPONENTS[:2], coarse()
    levels = [tempered(heights, exponent) for exponent in exponents]
    swap = swap_matrix(RULES[name](HILLS, exponents, 0.8, START), heights, exponents)
    joint = np.outer(*levels).ravel()
    step = np.kron(*map(lattice_walk, levels)) @ swap
    if name == "right":
        flow = joint[:, None] * swap
        assert np.abs(flow - flow.T).max() < 1e-15, "a swap is in balance"
        assert stationary(step) == pytest.approx(joint, abs=1e-9)
    else:
        assert np.abs(stationary(step) - joint).sum() / 2 > 0.05


# ---- a whole step, from exact draws ----------------------------------------------------------------------------------


def drawn(target, exponent, many, rng):
    """Independent draws of a level: a cell of the fine grid, and a place in it."""
    places, shares = fine(target, exponent)
    width = 2 * REACH[target] / (FINE - 1)
    return places[rng.choice(len(places), many, p=shares)] + width * (rng.random((many, 2)) - 0.5)


def one_step_on(name, many=4_000, seed=3):
    """How far the levels' means are from exact ones after one step from exact draws, in standard errors.

    The last number is of the product of both coldest levels' x, which are independent.
    """
    rng, kernel = np.random.default_rng(seed), RULES[name](HILLS, EXPONENTS, 0.8, START)
    starts = [drawn(HILLS, exponent, many, rng) for exponent in EXPONENTS]
    after = np.empty((len(EXPONENTS), many, 2))
    for i in range(many):
        states = tuple(PositionState(level[i], HILLS.log_density(level[i])) for level in starts)
        state, _ = kernel.step(LadderState(states, (0, 1, 2)), rng)
        after[:, i] = [level.position for level in state.levels]
    scores = []
    for exponent, positions in zip(EXPONENTS, after, strict=True):
        found = seen(HILLS, positions)
        scores += ((found.mean(axis=0) - exact(HILLS, exponent)) / (found.std(axis=0) / math.sqrt(many))).tolist()
    both = after[0, :, 0] * after[1, :, 0]
    expected = exact(HILLS, 1.0)[0] * exact(HILLS, EXPONENTS[1])[0]
    return np.array([*scores, (both.mean() - expected) / (both.std() / math.sqrt(many))])


def test_a_step_from_exact_draws_leads_to_exact_draws():
    """Sixteen z-scores of independent draws: beyond 4 by chance in one of a thousand choices of seeds."""
    assert np.abs(one_step_on("right")).max() < 4


@pytest.mark.parametrize("name", WRONG_SWAPS)
def test_a_step_of_a_wrong_rule_does_not(name):
    assert np.abs(one_step_on(name)).max() > 6


# ---- a long run ------------------------------------------------------------------------------------------------------


@cache
def long_run(name, target=HILLS, iterations=12_000, seed=5):
    """Positions of the levels along a run, shape (levels, iterations, 2)."""
    kernel, rng = RULES[name](target, EXPONENTS, 1.5, START), np.random.default_rng(seed)
    state, found = kernel.init(rng), np.empty((len(EXPONENTS), iterations, 2))
    for t in range(iterations):
        state, _ = kernel.step(state, rng)
        found[:, t] = [level.position for level in state.levels]
    return found


def z_scores(found, target, exponent):
    """How far averages of a run are from integrals, in Monte-Carlo standard errors."""
    columns = seen(target, found).T
    errors = [diagnose(column).mcse_mean for column in columns]
    return (columns.mean(axis=1) - exact(target, exponent)) / errors


@pytest.mark.parametrize("target", [HILLS, MEANS], ids=["two hills", "two means"])
def test_every_level_has_its_moments_and_its_share_of_each_hill(target):
    """Fifteen z-scores: one beyond 4 is a chance of one in a thousand. The cold share's error is below 0.025."""
    for exponent, found in zip(EXPONENTS, long_run("right", target), strict=True):
        assert np.abs(z_scores(found, target, exponent)).max() < 4
    assert diagnose(target.on_the_right(long_run("right", target)[0]).astype(float)).mcse_mean < 0.025


@pytest.mark.parametrize("name", WRONG_SWAPS)
def test_the_cold_level_of_a_wrong_rule_has_not(name):
    assert np.abs(z_scores(long_run(name)[0], HILLS, 1.0)).max() > 6


def test_geometric_ladders_reach_the_other_hill_where_a_single_walk_has_not():
    kernel, rng = MetropolisLadder(HILLS, geometric(4, 0.1), 0.6, START), np.random.default_rng(1)
    state, sides = kernel.init(rng), []
    for _ in range(300):
        state, _ = kernel.step(state, rng)
        sides.append(bool(HILLS.on_the_right(state.cold.position)))
    assert np.diff(sides).sum() > 30
    walk, rng = TemperedWalk(HILLS, 1.0, 0.6, START), np.random.default_rng(1)
    alone = walk.init(rng)
    for _ in range(300):
        alone, _ = walk.step(alone, rng)
        assert not HILLS.on_the_right(alone.position)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MetropolisLadder(HILLS, [1.0], 0.5, START), "exponents must be at least two"),
        (lambda: TemperedWalk(HILLS, 0.0, 0.5, START), "exponent must be finite and > 0"),
        (lambda: TemperedWalk(HILLS, 0.5, 0.0, START), "scale must be"),
        (lambda: TemperedWalk(HILLS, 0.5, 0.5, [math.nan, 0.0]), "start must be 2 finite numbers"),
    ],
)
def test_what_makes_no_sense_is_rejected(make, message):
    with pytest.raises(ValueError, match=message):
        make()
