"""Sparse factor analysis: held to enumeration with the weights averaged out, and to the joint."""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from samplers.buffet.exact import log_probability_of_class
from samplers.buffet.linear_gaussian import Own
from samplers.buffet.loadings import draw_matrix
from samplers.buffet.spike_slab import OwnLoadings, SlabState, SpikeAndSlab
from samplers.recipe import updates
from tests.samplers.exactness import check_frequencies, check_ratios, run, shares
from tests.samplers.geweke import compare

TWO = np.array([[1.6, -1.1, 0.4], [1.2, -1.5, 0.1]])
ALPHA, NOISE, SLAB = 1.0, 0.6, 1.2
KINDS = ((0, 1), (1, 0), (1, 1))  # columns of two rows
MOST = 5
EVERY = [columns for many in range(MOST + 1) for columns in combinations_with_replacement(KINDS, many)]


def log_fit(columns, weights):
    """Return log p(Y | Z), factors integrated out exactly and weights over many draws, shape (draws, K, 2)."""
    loadings = np.array(columns).reshape(1, -1, 2) * weights[:, : len(columns)]
    covariance = NOISE**2 * np.eye(2) + np.einsum("ski,skj->sij", loadings, loadings)
    squares = np.einsum("id,sij,jd->s", TWO, np.linalg.inv(covariance), TWO)
    log_densities = -0.5 * (TWO.shape[1] * np.linalg.slogdet(covariance)[1] + squares)
    return logsumexp(log_densities) - np.log(len(weights))


def class_of(matrix):
    return tuple(sorted(map(tuple, matrix.T.tolist())))


@cache
def truth_of_masks():
    weights = SLAB * np.random.default_rng(0).standard_normal((40_000, MOST, 2))
    priors = [log_probability_of_class(np.array(columns, int).reshape(-1, 2).T, ALPHA) for columns in EVERY]
    return softmax([prior + log_fit(columns, weights) for prior, columns in zip(priors, EVERY, strict=True)])


def check_masks(rule, kept=6_000):
    visited = [class_of(state.matrix) for state in run(rule(TWO, ALPHA, NOISE, SLAB), kept, thin=1, seed=0)]
    listed = [columns for columns in visited if len(columns) <= MOST]
    assert len(listed) > 0.9 * len(visited)
    check_frequencies(shares(listed, EVERY), truth_of_masks(), len(listed) / 4)  # sweeps hold on to each other


class EveryRowAFactor(SpikeAndSlab):
    """As many new factors for each row as if it were the first."""

    def _own(self, state, row):
        own = super()._own(state, row)
        return OwnLoadings(own.current, self.concentration, own.slab, own.noise, own.residual)


def test_masks_are_visited_as_often_as_they_are_probable_and_a_planted_error_shows():
    check_masks(SpikeAndSlab)
    with pytest.raises(AssertionError, match="total variation"):
        check_masks(EveryRowAFactor, kept=2_000)  # the bound would be narrower after 6,000


def test_ratios_of_conditionals_are_those_of_the_joint():
    data = np.random.default_rng(3).normal(size=(4, 3))
    check_ratios(SpikeAndSlab(data, 2.0, 0.7, 1.1), sweeps=12)


def z_scores(rule, iterations):
    rng = np.random.default_rng(1)
    rows, columns = 3, 2

    def new_data(loadings, factors):
        return loadings @ factors + NOISE * rng.standard_normal((rows, columns))

    def from_the_top():
        matrix = draw_matrix(rows, ALPHA, rng)
        loadings = matrix * SLAB * rng.standard_normal(matrix.shape)
        factors = rng.standard_normal((matrix.shape[1], columns))
        return new_data(loadings, factors), loadings, factors

    def move(data, loadings, factors):
        sampler, state = rule(data, ALPHA, NOISE, SLAB), SlabState(loadings, factors)
        list(updates(sampler, state, rng))
        return (data, state.loadings, state.factors), (new_data(state.loadings, state.factors), *vars_of(state))

    def vars_of(state):
        return state.loadings.copy(), state.factors.copy()

    def statistics(data, loadings, factors):
        masks = [each != 0 for each in loadings]
        count = np.array([mask.shape[1] for mask in masks])
        ones = np.array([mask.sum() for mask in masks])
        both = np.array([(mask[0] & mask[1]).sum() for mask in masks])
        size = np.tanh((np.array(data) ** 2).mean(axis=(1, 2)))
        weight = np.array([np.tanh((each**2).sum()) for each in loadings])
        factor = np.array([np.tanh((each**2).sum()) for each in factors])
        return [count, ones, both, size, weight, factor, size * count, size * both]

    return compare(from_the_top, move, statistics, iterations)


def test_the_joint_distribution_is_left_as_it_is_and_a_planted_error_shows():
    assert np.abs(z_scores(SpikeAndSlab, 4_000)).max() < 4
    assert np.abs(z_scores(EveryRowAFactor, 1_000)).max() > 5


def test_a_rows_own_factors_go_with_it():
    sampler = SpikeAndSlab(TWO, 1.0, 0.5, 1.0)
    state = SlabState(np.array([[1.0, 0.5], [2.0, 0.0]]), np.ones((2, 3)))
    sampler.remember(state, Own(0), (np.array([]), np.zeros((0, 3))))
    assert state.loadings.tolist() == [[1.0], [2.0]]
    assert state.factors.shape == (1, 3)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"data": [[np.inf]]}, "data must be a table of finite numbers"),
        ({"noise": 0}, "noise must be finite and > 0"),
        ({"slab": -1}, "slab must be finite and > 0"),
        ({"concentration": 0}, "concentration must be finite and > 0"),
    ],
)
def test_settings_out_of_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        SpikeAndSlab(**({"data": TWO, "concentration": 1.0, "noise": 1.0, "slab": 1.0} | settings))
