"""Gaussian mixtures with the labels summed out: against SciPy, and integrals over all parameters."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import special, stats

from samplers.conjugate import NormalKnownVariance
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.portable import total
from samplers.mixtures.exact_labellings import exact_finite_mixture
from tests.samplers.derivatives import central_differences

LINE = [-1.0, 0.3, 1.4]
PLANE = np.random.default_rng(0).normal(size=(6, 2))
SETTINGS = {
    "plane, all free": (PLANE, {}),
    "plane, fixed scale": (PLANE, {"scale": 0.7}),
    "plane, means alone": (PLANE, {"scale": 0.7, "weights": [0.2, 0.3, 0.5]}),
    "line, all free": (LINE, {}),
    "line, ordered": (LINE, {"ordered": True}),
    "line, ordered means alone": (LINE, {"ordered": True, "scale": 0.7, "weights": [0.2, 0.3, 0.5]}),
}
every_setting = pytest.mark.parametrize(("data", "settings"), SETTINGS.values(), ids=SETTINGS.keys())


@every_setting
def test_the_density_is_that_of_scipy(data, settings):
    priors = {"class_prior": [1.0, 2.0, 0.5], "mean_prior": (0.5, 2.0), "log_scale_prior": (-0.3, 0.8)}
    model = GaussianMarginal(data, 3, **priors, **settings)
    for position in np.random.default_rng(1).normal(size=(3, model.dimension)):
        weights, means, scale = model.constrain(position)
        rows = np.asarray(data, float).reshape(-1, means.shape[1])
        gamma = [np.log(weights) + stats.norm.logpdf(row, means, scale).sum(axis=1) for row in rows]
        assert model.log_joint_by_class(position) == pytest.approx(np.array(gamma), rel=1e-12)
        assert model.class_probabilities(position) == pytest.approx(special.softmax(gamma, axis=1))
        prior = stats.norm.logpdf(means, 0.5, 2.0).sum() + (math.log(6) if model.ordered else 0)
        if "weights" not in settings:
            prior += stats.dirichlet.logpdf(weights, [1.0, 2.0, 0.5])
        if "scale" not in settings:
            prior += stats.lognorm.logpdf(scale, 0.8, scale=math.exp(-0.3))
        terms = model.log_density_terms(position)
        assert terms["priors"] == pytest.approx(prior, rel=1e-12)
        assert terms["points"] == pytest.approx(special.logsumexp(gamma, axis=1).sum(), rel=1e-12)
        assert model.log_density(position) == total(terms.values())


@every_setting
def test_gradients_log_jacobians_and_round_trips(data, settings):
    model = GaussianMarginal(data, 3, class_prior=[1.0, 2.0, 0.5], **settings)
    free = {"weights": "weights" not in settings, "scale": "scale" not in settings}

    def parameters(position):
        weights, means, scale = model.constrain(position)
        return [*(weights[:-1] if free["weights"] else []), *means.ravel(), *([scale] if free["scale"] else [])]

    for position in np.random.default_rng(2).normal(size=(3, model.dimension)):
        by_hand = central_differences(model.log_density, position)
        assert model.log_density_and_gradient(position)[1] == pytest.approx(by_hand, rel=1e-6, abs=1e-6)
        stretched = np.linalg.slogdet(central_differences(parameters, position)).logabsdet
        assert model.log_density_terms(position)["log-Jacobian"] == pytest.approx(stretched, abs=1e-7)
        assert model.unconstrain(*model.constrain(position)) == pytest.approx(position, abs=1e-9)


def log_integral(model, axes):
    grids = [np.arange(low, high, step) for low, high, step in axes]
    densities = [model.log_density(position) for position in product(*grids)]
    return special.logsumexp(densities) + sum(math.log(step) for _, _, step in axes)


def test_the_density_integrates_to_the_evidence():
    """Over weights and two means, by the trapezium rule; the truth sums over labellings. It needs every normaliser."""
    truth = exact_finite_mixture(LINE, NormalKnownVariance(0.0, 4.0, 1.0), 2, 2.0).log_evidence
    settings = {"mean_prior": (0.0, 2.0), "scale": 1.0}
    model = GaussianMarginal(LINE, 2, class_prior=2.0, **settings)
    assert log_integral(model, [(-8, 8.1, 1.0), (-10, 10.1, 0.8), (-10, 10.1, 0.8)]) == pytest.approx(truth, abs=5e-5)


def test_order_changes_the_evidence_only_where_the_components_differ():
    settings = {"mean_prior": (0.0, 2.0), "scale": 1.0}
    for weights, same in (([0.5, 0.5], True), ([0.2, 0.8], False)):
        free = GaussianMarginal(LINE, 2, weights=weights, **settings)
        ordered = GaussianMarginal(LINE, 2, weights=weights, **settings, ordered=True)
        evidence = log_integral(free, [(-10, 10.1, 0.5), (-10, 10.1, 0.5)])
        found = log_integral(ordered, [(-12, 10, 0.5), (-16, 3.2, 0.2)])
        assert (found == pytest.approx(evidence, abs=2e-5)) == same


def test_two_means_are_a_picture_with_two_modes_that_mirror_each_other():
    model = GaussianMarginal([-2.1, -1.9, 2.0], 2, weights=[0.5, 0.5], scale=1.0)
    assert model.dimension == 2
    for position in np.random.default_rng(0).normal(0, 3, (20, 2)):
        assert model.log_density(position) == pytest.approx(model.log_density(position[::-1]), rel=1e-12)
    assert model.log_density([-1.9, 1.8]) > model.log_density([0, 0]) + 2
    assert model.log_density([-1.9, 1.8]) > model.log_density([1.8, 1.8]) + 2


def test_bad_arguments():
    with pytest.raises(ValueError, match="ordered on a line only, and the points have 2 coordinates"):
        GaussianMarginal(PLANE, 2, ordered=True)
    with pytest.raises(ValueError, match=r"weights must be 2 numbers > 0 that sum to 1, got \[0.5, 0.6\]"):
        GaussianMarginal(LINE, 2, weights=[0.5, 0.6])
    with pytest.raises(ValueError, match="scale must be finite and > 0, got 0"):
        GaussianMarginal(LINE, 2, scale=0)
    with pytest.raises(ValueError, match="the deviation of mean_prior must be finite and > 0, got -1"):
        GaussianMarginal(LINE, 2, mean_prior=(0, -1))
    with pytest.raises(ValueError, match="data must be finite points"):
        GaussianMarginal([1.0, math.nan], 2)
    with pytest.raises(ValueError, match="a position must have 4 numbers"):
        GaussianMarginal(LINE, 2).log_density([0.0])
    with pytest.raises(ValueError, match=r"means must have the shape \(2, 2\)"):
        GaussianMarginal(PLANE, 2).unconstrain([0.5, 0.5], [0.0, 1.0], 1.0)
    with pytest.raises(ValueError, match="ascend"):
        GaussianMarginal(LINE, 2, ordered=True).unconstrain([0.5, 0.5], [1.0, 0.0], 1.0)
