import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import norm

from samplers.conjugate import NormalInverseGamma, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior, partitions
from samplers.mixtures.best_fit import best_fit, held_out
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.how_many import bic, log_evidence, log_seating

FEW = np.array([-2.1, -1.6, 0.2, 1.0, 1.7])
KNOWN, UNKNOWN = NormalKnownVariance(0.0, 4.0, 0.5), NormalInverseGamma(0.0, 0.125, 2.0, 0.5)


@pytest.mark.parametrize("family", [KNOWN, UNKNOWN], ids=["known", "unknown"])
@pytest.mark.parametrize("a", [0.3, 1.0, 4.0])
def test_the_evidence_is_the_sum_over_all_labellings(family, a):
    found = log_evidence(FEW, family, a, 4)
    named = [logsumexp(exact_finite_mixture(FEW, family, number, a).log_joint) for number in range(1, 5)]
    np.testing.assert_allclose(found, named, rtol=1e-12)


@pytest.mark.parametrize("components", [1, 2, 3, 9])
def test_the_partitions_that_components_make_have_probability_one(components):
    sizes = [np.bincount(each) for each in partitions(6)]
    assert math.fsum(math.exp(log_seating(each, components, 0.7)) for each in sizes) == pytest.approx(1, rel=1e-12)


def test_with_many_components_the_evidence_is_that_of_the_restaurant():
    many = 100_000
    sizes = [np.bincount(each) for each in partitions(5)]
    alone = np.log([math.exp(log_seating(each, many, 1.5 / many)) for each in sizes])
    restaurant = exact_posterior(FEW, KNOWN, 1.5).log_joint
    fit = exact_posterior(FEW, KNOWN, 1.0).log_joint - [
        sum(map(math.lgamma, each)) - math.lgamma(len(FEW) + 1) for each in sizes
    ]
    np.testing.assert_allclose(alone + fit, restaurant, atol=1e-3)


def test_one_component_fits_best_at_the_mean():
    assert best_fit(FEW, KNOWN, 1).log_likelihood == pytest.approx(
        norm(FEW.mean(), math.sqrt(0.5)).logpdf(FEW).sum(), rel=1e-12
    )


def test_no_other_mixture_fits_better():
    def loss(values: np.ndarray) -> float:
        weight = 1 / (1 + math.exp(-values[0]))
        parts = [norm(values[1], math.sqrt(0.5)).pdf(FEW), norm(values[2], math.sqrt(0.5)).pdf(FEW)]
        return -float(np.log(weight * parts[0] + (1 - weight) * parts[1]).sum())

    other = min(minimize(loss, start, method="Nelder-Mead").fun for start in ([0, -2, 1], [0, 0, 0.5], [1, 2, -2]))
    assert best_fit(FEW, KNOWN, 2).log_likelihood == pytest.approx(-other, abs=1e-6)


def test_more_components_never_fit_worse():
    fits = [best_fit(FEW, KNOWN, number).log_likelihood for number in range(1, 6)]
    assert all(later >= earlier - 1e-5 for earlier, later in pairwise(fits))


def test_a_held_out_point_is_predicted_by_the_fit_to_the_others():
    left = [np.delete(FEW, out).mean() for out in range(5)]
    expected = sum(norm(mean, math.sqrt(0.5)).logpdf(x) for mean, x in zip(left, FEW, strict=True))
    assert held_out(FEW, KNOWN, 1) == pytest.approx(expected, rel=1e-12)


def test_more_points_begin_at_seeds_and_find_what_all_groupings_find():
    twice = best_fit(np.repeat(FEW, 2), KNOWN, 2).log_likelihood
    assert twice == pytest.approx(2 * best_fit(FEW, KNOWN, 2).log_likelihood, abs=1e-4)


def test_the_penalty_counts_means_and_weights():
    assert bic(-3.0, 7, 2, 1) == pytest.approx(6 + 3 * math.log(7))
    assert bic(-3.0, 7, 3, 2) == pytest.approx(6 + 8 * math.log(7))


def test_more_components_than_points_are_refused():
    with pytest.raises(ValueError, match="at most the 5 points"):
        best_fit(FEW, KNOWN, 6)
