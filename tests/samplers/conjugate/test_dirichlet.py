"""Dirichlet laws in logarithms, against SciPy and by counting."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from samplers.checks import for_each
from samplers.conjugate.dirichlet import Dirichlet, log_marginal_of_counts


def test_the_density_is_that_of_scipy():
    prior = np.array([[0.3, 1.0, 2.5], [4.0, 0.8, 1.1]])
    values = np.array([[0.2, 0.5, 0.3], [0.7, 0.2, 0.1]])
    expected = sum(stats.dirichlet.logpdf(value, row) for value, row in zip(values, prior, strict=True))
    assert Dirichlet(prior).log_density(np.log(values)) == pytest.approx(expected, rel=1e-12)
    assert np.exp(Dirichlet(prior).log_mean()) == pytest.approx(prior / prior.sum(axis=1, keepdims=True))


def test_draws_have_the_law():
    """The first of the probabilities is Beta: p above 1e-4 in a Kolmogorov-Smirnov test, seed fixed."""
    prior, rng = np.array([0.3, 1.0, 2.5]), np.random.default_rng(0)
    draws = np.exp(Dirichlet(np.tile(prior, (20_000, 1))).draw(rng))
    assert draws.sum(axis=1) == pytest.approx(np.ones(20_000), abs=1e-12)
    for option in range(3):
        beta = stats.beta(prior[option], prior.sum() - prior[option])
        assert stats.kstest(draws[:, option], beta.cdf).pvalue > 1e-4
    assert np.corrcoef(draws.T)[0, 1] == pytest.approx(-math.sqrt(0.3 * 1.0 / 3.5 / 2.8), abs=0.03)


def test_probabilities_far_below_what_a_float_can_hold_are_drawn_as_logarithms():
    """With Beta(a, 1) minus a times the logarithm is exponential, whatever a is."""
    draws = Dirichlet(np.tile([1e-4, 1.0], (5_000, 1))).draw(np.random.default_rng(0))
    assert np.isfinite(draws).all()
    assert draws.min() < -1_000
    assert stats.kstest(-1e-4 * draws[:, 0], stats.expon.cdf).pvalue > 1e-4


def test_the_probabilities_of_all_sequences_sum_to_one():
    prior = np.array([0.4, 1.3, 2.0])
    counts = [[row.count(option) for option in range(3)] for row in product(range(3), repeat=4)]
    assert np.exp(log_marginal_of_counts(counts, prior)).sum() == pytest.approx(1, rel=1e-12)
    assert log_marginal_of_counts([1, 0, 0], prior) == pytest.approx(math.log(0.4 / 3.7))


def test_priors():
    assert for_each("p", 0.5, 3).tolist() == [0.5] * 3
    assert for_each("p", [1, 2], 2).tolist() == [1, 2]
    for bad in (0, -1.0, math.nan, math.inf, [1.0], [1, 0, 1], "much", [[1.0, 1.0, 1.0]], None):
        with pytest.raises(ValueError, match="p must be a number > 0, or 3 of them"):
            for_each("p", bad, 3)
    with pytest.raises(ValueError, match="read-only"):
        for_each("p", [1, 2], 2)[0] = 3
