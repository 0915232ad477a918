import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import logsumexp
from scipy.stats import norm

from samplers.conjugate import NormalInverseGamma, NormalKnownVariance
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.facts import table_count_moments
from samplers.diagnostics.convergence import error_to_truth, noise_floor, partition_ids
from samplers.diagnostics.label_switching import without_names
from samplers.mixtures.best_fit import best_fit, held_out
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.how_many import bic, exact_finite, in_use, log_evidence, log_seating
from samplers.partitions import partitions

FEW = np.array([-2.1, -1.6, 0.2, 1.0, 1.7])
POINTS = [-1.2, -0.4, 0.3, 1.9, 2.4]
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


def apart(some, others) -> float:
    return float(np.abs(some.probabilities - others.probabilities).sum() / 2)


@pytest.mark.parametrize("family", [KNOWN, NormalInverseGamma(0.0, 0.3, 2.0, 0.6)], ids=["known", "unknown"])
@pytest.mark.parametrize("components", [1, 2, 4])
def test_a_mixture_is_what_all_labellings_add_up_to(family, components):
    found = exact_finite(POINTS, family, components, 1.3)
    listed = without_names(exact_finite_mixture(POINTS, family, components, 1.3 / components))
    assert found.probabilities == pytest.approx(listed.probabilities, abs=1e-12)
    assert found.log_evidence == pytest.approx(listed.log_evidence, rel=1e-12)
    assert found.table_counts[components + 1 :].sum() == 0


def test_a_mixture_comes_near_to_the_crp_as_one_over_k():
    limit = exact_posterior(POINTS, KNOWN, 1.3)
    distance = {k: apart(exact_finite(POINTS, KNOWN, k, 1.3), limit) for k in (100, 200, 100_000)}
    assert distance[100] / distance[200] == pytest.approx(2, rel=0.05)
    assert distance[100_000] < 1e-4


def test_with_the_same_pseudo_count_for_any_k_it_does_not():
    """Planted error: a = 1 in place of α/K."""
    limit = exact_posterior(POINTS, KNOWN, 1.0)
    assert apart(exact_finite(POINTS, KNOWN, 100, 100.0), limit) > 0.5


@pytest.mark.parametrize("components", [2, 20])
def test_the_sampler_visits_clusterings_as_often(components):
    """4,000 sweeps, and twice the noise of as many independent draws; with K = 2 the limit is far beyond that."""
    sampler = FiniteMixture(POINTS, KNOWN, components, 1.3 / components)
    rng = np.random.default_rng(1)
    state, labels = sampler.init(rng), []
    for _ in range(4_000):
        state, _ = sampler.step(state, rng)
        labels.append(state.labels)
    law = exact_finite(POINTS, KNOWN, components, 1.3).probabilities
    error = error_to_truth(partition_ids(labels), law, 4_000)
    assert error < 2 * noise_floor(law, 4_000)
    if components == 2:
        assert error_to_truth(partition_ids(labels), exact_posterior(POINTS, KNOWN, 1.3).probabilities, 4_000) > 0.3


def test_how_many_are_in_use_before_a_look():
    flat = NormalKnownVariance(0.0, 1e-12, 1.0)  # every cluster is alike, so that points tell nothing
    for components in (2, 5):
        exact = exact_finite(np.zeros(6), flat, components, 0.8)
        assert in_use(6, 0.8, components) == pytest.approx(exact.table_counts, abs=1e-9)
    assert in_use(60, 2.0) @ np.arange(61) == pytest.approx(table_count_moments(60, 2.0)[0][-1], rel=1e-12)
    assert in_use(60, 2.0, 10**9) == pytest.approx(in_use(60, 2.0), abs=1e-6)
    assert in_use(60, 2.0, 3)[4:].sum() == 0


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="components must be 1 or more"):
        exact_finite(POINTS, KNOWN, 0, 1.0)
    with pytest.raises(ValueError, match="concentration must be finite"):
        in_use(5, 0.0)
