"""Gaussian mixtures with the labels summed out: against SciPy, and integrals over all parameters."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import special, stats

from samplers.conjugate import NormalKnownVariance
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.mixtures.exact_labellings import exact_finite_mixture
from samplers.portable import total
from tests.samplers.derivatives import central_differences

LINE = [-1.0, 0.3, 1.4]
free_and_ordered = pytest.mark.parametrize("ordered", [False, True])


@free_and_ordered
def test_the_density_is_that_of_scipy(ordered):
    model = GaussianMarginal(LINE, 3, mean_prior=(0.5, 2.0), scale=0.7, ordered=ordered)
    for position in np.random.default_rng(1).normal(size=(3, 3)):
        (means,) = model.constrain(position)
        gamma = stats.norm.logpdf(np.array(LINE)[:, None], means, 0.7) - math.log(3)
        assert model.log_joint_by_class(position) == pytest.approx(gamma, rel=1e-12)
        assert model.class_probabilities(position) == pytest.approx(special.softmax(gamma, axis=1))
        terms = model.log_density_terms(position)
        prior = stats.norm.logpdf(means, 0.5, 2.0).sum() + (math.log(6) if ordered else 0)
        assert terms["priors"] == pytest.approx(prior, rel=1e-12)
        assert terms["points"] == pytest.approx(special.logsumexp(gamma, axis=1).sum(), rel=1e-12)
        assert model.log_density(position) == total(terms.values())


@free_and_ordered
def test_gradients_and_log_jacobians(ordered):
    model = GaussianMarginal(LINE, 3, scale=0.7, ordered=ordered)
    for position in np.random.default_rng(2).normal(size=(3, 3)):
        by_hand = central_differences(model.log_density, position)
        assert model.log_density_and_gradient(position)[1] == pytest.approx(by_hand, rel=1e-6, abs=1e-6)
        stretched = np.linalg.slogdet(central_differences(lambda at: model.constrain(at).means, position)).logabsdet
        assert model.log_density_terms(position)["log-Jacobian"] == pytest.approx(stretched, abs=1e-7)


@pytest.mark.parametrize(
    ("ordered", "axes"), [(False, [(-10, 10.1, 0.5)] * 2), (True, [(-12, 10, 0.5), (-16, 3.2, 0.2)])]
)
def test_the_density_integrates_to_the_evidence(ordered, axes):
    """By the trapezium rule; the truth sums over labellings, with weights that are sure. It needs every normaliser."""
    truth = exact_finite_mixture(LINE, NormalKnownVariance(0.0, 4.0, 1.0), 2, 1e9).log_evidence
    model = GaussianMarginal(LINE, 2, mean_prior=(0.0, 2.0), ordered=ordered)
    densities = [model.log_density(position) for position in product(*(np.arange(*axis) for axis in axes))]
    cell = sum(math.log(step) for _, _, step in axes)
    assert special.logsumexp(densities) + cell == pytest.approx(truth, abs=2e-5)


def test_two_means_are_a_picture_with_two_modes_that_mirror_each_other():
    model = GaussianMarginal([-2.1, -1.9, 2.0], 2)
    assert model.dimension == 2
    for position in np.random.default_rng(0).normal(0, 3, (20, 2)):
        assert model.log_density(position) == pytest.approx(model.log_density(position[::-1]), rel=1e-12)
    assert model.log_density([-1.9, 1.8]) > model.log_density([0, 0]) + 2
    assert model.log_density([-1.9, 1.8]) > model.log_density([1.8, 1.8]) + 2


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: GaussianMarginal(LINE, 2, scale=0), "scale must be finite and > 0, got 0"),
        (lambda: GaussianMarginal(LINE, 2, mean_prior=(0, -1)), "the prior deviation must be finite and > 0, got -1"),
        (lambda: GaussianMarginal([1.0, math.nan], 2), "data must be finite points"),
        (lambda: GaussianMarginal([[1.0, 2.0]], 2), r"data must be finite points of shape \(N,\)"),
        (lambda: GaussianMarginal(LINE, 2).log_density([0.0]), "a position must have 2 numbers"),
    ],
)
def test_bad_arguments(make, message):
    with pytest.raises(ValueError, match=message):
        make()
