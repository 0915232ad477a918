"""The number of factors of two rows, held to quadrature, and of three rows, to a chain."""

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np
import pytest

from samplers.buffet.number_of_factors import number_of_factors
from samplers.buffet.spike_slab import SpikeAndSlab
from samplers.data.features import TINY
from tests.samplers.exactness import run

TWO = np.array([[1.6, -1.1, 0.4], [1.2, -1.5, 0.1]])
ALPHA, NOISE, SLAB = 0.8, 0.6, 0.7
KINDS = {(0, 1): 1 / 2, (1, 0): 1 / 2, (1, 1): 1 / 2}  # (N - m)! (m - 1)! / N!


def evidence(columns):
    """Return p(Y | Z) by Gauss-Hermite quadrature over the weights of at most two factors, factors integrated out."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(14)
    grid = np.array(np.meshgrid(*[nodes] * (2 * len(columns)), indexing="ij")).reshape(2 * len(columns), -1).T
    masses = prod(np.meshgrid(*[weights / weights.sum()] * (2 * len(columns)), indexing="ij")).ravel()
    loadings = SLAB * grid.reshape(len(grid), len(columns), 2) * np.array(columns)
    covariance = NOISE**2 * np.eye(2) + np.einsum("ski,skj->sij", loadings, loadings)
    squares = np.einsum("id,sij,jd->s", TWO, np.linalg.inv(covariance), TWO)
    return float(masses @ (np.exp(-0.5 * squares) * np.linalg.det(covariance) ** (-TWO.shape[1] / 2)))


@cache
def odds(number):
    """Return how much more probable this number of factors is than none, by the prior of the classes of matrices."""
    none = np.exp(-0.5 * (TWO**2).sum() / NOISE**2) * NOISE ** (-2 * TWO.shape[1])
    total = 0.0
    for columns in combinations_with_replacement(KINDS, number):
        prior = ALPHA**number * prod(KINDS[column] for column in columns)
        total += prior / prod(factorial(columns.count(column)) for column in set(columns)) * evidence(columns)
    return total / none


def check(**changes):
    found = number_of_factors(TWO, **{"concentration": ALPHA, "noise": NOISE, "slab": SLAB, "draws": 60_000} | changes)
    for number in (1, 2):
        off = found.shares[number] - odds(number) * found.shares[0]
        assert abs(off) < 4 * (found.errors[number] + odds(number) * found.errors[0])
    assert found.shares.sum() == pytest.approx(1)
    return found


def test_one_factor_and_two_are_as_much_more_probable_than_none_as_by_quadrature():
    assert check().errors.max() < 0.005


@pytest.mark.parametrize("planted", [{"concentration": 1.5 * ALPHA}, {"slab": 1.5 * SLAB}, {"noise": 1.1 * NOISE}])
def test_a_planted_error_shows(planted):
    with pytest.raises(AssertionError):
        check(**planted)


def test_a_chain_comes_near():
    """Sweeps hold on to each other: 3,000 of them are worth some 400 draws."""
    found = number_of_factors(TINY, 1.0, 0.4, 0.5)
    visited = [len(state.factors) for state in run(SpikeAndSlab(TINY, 1.0, 0.4, 0.5), 3_000, thin=1, seed=0)]
    shares = np.bincount(visited, minlength=len(found.shares))[: len(found.shares)] / len(visited)
    assert np.abs(shares - found.shares).max() < 3 * np.sqrt(0.25 / 400)
    assert found.errors.max() < 0.01
