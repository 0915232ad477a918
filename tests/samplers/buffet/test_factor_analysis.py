"""Factor analysis with a fixed number of factors, its rotations, PCA and ICA."""

import numpy as np
import pytest
from scipy import stats

from samplers.buffet.factor_analysis import (
    FactorAnalysis,
    independent_components,
    principal_components,
    turned,
)
from samplers.recipe import updates
from tests.samplers.exactness import check_ratios
from tests.samplers.geweke import compare


def mixed(rows, seed=0, noise=0.1):
    """Return 0 and 1 in three columns, what each adds to nine numbers, and the rows that come of it."""
    rng = np.random.default_rng(seed)
    bits = (rng.random((rows, 3)) < 0.5).astype(float)
    shapes = np.kron(np.eye(3), np.ones(3)) * np.tile([1.0, 1.5, 2.0], 3)
    return bits, shapes, bits @ shapes + noise * rng.standard_normal((rows, 9))


def test_ratios_of_conditionals_are_those_of_the_joint():
    check_ratios(FactorAnalysis(mixed(5)[2], 2, 0.7, 1.3))


def z_scores(slab_of_sampler):
    rng = np.random.default_rng(0)

    def new_data(loadings, factors):
        return loadings @ factors + 0.5 * rng.standard_normal((3, 2))

    def from_the_top():
        loadings, factors = 1.2 * rng.standard_normal((3, 2)), rng.standard_normal((2, 2))
        return new_data(loadings, factors), loadings, factors

    def move(data, loadings, factors):
        sampler = FactorAnalysis(data, 2, 0.5, slab_of_sampler)
        state = sampler.init(rng)
        state.loadings, state.factors = loadings, factors
        list(updates(sampler, state, rng))
        now = state.loadings, state.factors
        return (data, *now), (new_data(*now), *now)

    def statistics(data, loadings, factors):
        data, loadings, factors = np.array(data), np.array(loadings), np.array(factors)
        squares = [(each**2).sum(axis=(1, 2)) for each in (data, loadings, factors)]
        return [*map(np.tanh, squares), *squares[1:], np.tanh(data[:, 0, 0] * loadings[:, 0, 0] * factors[:, 0, 0])]

    return compare(from_the_top, move, statistics, 3_000)


def test_the_joint_distribution_is_left_as_it_is_and_a_planted_error_shows():
    assert np.abs(z_scores(1.2)).max() < 4
    assert np.abs(z_scores(1.5)).max() > 5


def test_given_the_factors_the_loadings_are_a_regression():
    sampler = FactorAnalysis(mixed(4)[2], 2, 0.7, 1.3)
    state = sampler.init(np.random.default_rng(0))
    conditional = sampler.score(state, "loadings")
    factors = state.factors
    covariance = 0.7**2 * np.eye(9) + 1.3**2 * factors.T @ factors
    assert pytest.approx(1.3**2 * sampler.data @ np.linalg.solve(covariance, factors.T)) == conditional.mean.T


def test_factors_that_are_turned_explain_the_same_and_are_as_probable():
    sampler = FactorAnalysis(mixed(6)[2], 3, 0.5, 1.0)
    state = sampler.init(np.random.default_rng(4))
    for angle in (0.3, 2.0, np.pi / 2):
        other = turned(state, 0, 2, angle)
        assert other.loadings @ other.factors == pytest.approx(state.loadings @ state.factors)
        assert sampler.log_joint(other) == pytest.approx(sampler.log_joint(state))
        assert not np.allclose(other.factors[0], state.factors[0])
        assert other.factors[1] == pytest.approx(state.factors[1])


def sums(found):
    return found.mean + found.scores @ found.components


def test_principal_components_leave_as_little_as_any_can():
    _, _, data = mixed(30)
    found = principal_components(data, 2)
    assert found.components @ found.components.T == pytest.approx(np.eye(2))
    assert np.cov(found.scores.T) == pytest.approx(np.diag(found.scores.var(axis=0, ddof=1)), abs=1e-9)
    lengths = np.linalg.svd(data - data.mean(axis=0), compute_uv=False)
    assert ((data - sums(found)) ** 2).sum() == pytest.approx((lengths[2:] ** 2).sum())


def test_independent_components_find_what_was_mixed_and_principal_ones_do_not():
    bits, shapes, data = mixed(200, noise=0.05)

    def likeness(found):
        """Return how well the best component of each kind goes with it, shape (3,)."""
        return np.abs(np.corrcoef(found.scores.T, bits.T)[:3, 3:]).max(axis=0)

    independent, principal = independent_components(data, 3), principal_components(data, 3)
    assert (likeness(independent) > 0.99).all()
    assert (likeness(principal) < 0.99).any()
    assert sums(independent) == pytest.approx(sums(principal))
    assert independent.scores.std(axis=0) == pytest.approx(np.ones(3))
    order = np.abs(np.corrcoef(independent.scores.T, bits.T)[:3, 3:]).argmax(axis=0)
    assert independent.components[order] / independent.components[order].max(axis=1, keepdims=True) == pytest.approx(
        shapes / shapes.max(axis=1, keepdims=True), abs=0.1
    )


def test_what_looks_normal_from_all_sides_ends_too():
    data = stats.multivariate_normal.rvs(np.zeros(3), np.eye(3), size=40, random_state=1)
    found = independent_components(data, 3)
    assert sums(found) == pytest.approx(data)


@pytest.mark.parametrize(
    ("find", "data", "number", "message"),
    [
        (principal_components, [[1.0, 2.0], [2.0, 1.0]], 2, "2 rows of 2 numbers have at most 1 component"),
        (independent_components, [[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]], 2, "vary in fewer than 2 directions"),
        (principal_components, [1.0], 1, "data must be a table"),
    ],
)
def test_what_has_no_such_components_is_refused(find, data, number, message):
    with pytest.raises(ValueError, match=message):
        find(data, number)
