"""Least squares: the Laplace approximation is the posterior, and its evidence the evidence."""

import numpy as np
import pytest
from scipy import stats

from samplers.regression.laplace import laplace_approximation
from samplers.regression.least_squares import LeastSquares
from samplers.regression.optimise import Newton, newton_mode
from tests.samplers.regression.regressions import check_derivatives


def model(prior_precision=0.3, noise_precision=2.5, rows=12, kind=LeastSquares):
    rng = np.random.default_rng(0)
    features = np.column_stack([np.ones(rows), rng.standard_normal((rows, 3))])
    targets = features @ [1, -2, 0.5, 0] + rng.standard_normal(rows)
    return kind(features, targets, noise_precision, prior_precision)


def check_laplace_is_exact(regression):
    """Against the joint Normal of weights and targets, conditioned: no formula of the modules."""
    features, size = regression.features, regression.dimension
    prior = np.diag(1 / regression.precisions)
    spread = features @ prior @ features.T + np.eye(len(features)) / regression.noise_precision
    gain = prior @ features.T @ np.linalg.inv(spread)
    found = laplace_approximation(regression)
    np.testing.assert_allclose(found.mode, gain @ regression.targets, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(found.covariance, prior - gain @ features @ prior, rtol=1e-8, atol=1e-11)
    evidence = stats.multivariate_normal(np.zeros(len(features)), spread).logpdf(regression.targets)
    np.testing.assert_allclose(found.log_evidence, evidence, rtol=1e-10)
    mean, covariance = regression.posterior()
    np.testing.assert_allclose(found.mode, mean, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(found.log_evidence, regression.log_evidence(), rtol=1e-11)
    assert covariance.shape == (size, size)


@pytest.mark.parametrize("prior_precision", [0.3, [0.01, 1, 2, 30]])
@pytest.mark.parametrize("rows", [1, 3, 12, 80])
def test_laplace_is_exact(prior_precision, rows):
    check_laplace_is_exact(model(prior_precision, rows=rows))


class NoPriorInHessian(LeastSquares):
    def gradient_and_hessian(self, position):
        gradient, hessian = super().gradient_and_hessian(position)
        return gradient, hessian + np.diag(self.precisions)


class NormaliserForgotten(LeastSquares):
    def log_prior(self, weights):
        return -0.5 * np.square(weights) @ self.precisions


class PriorWithoutHalf(LeastSquares):
    def log_prior(self, weights):
        return super().log_prior(weights) - 0.5 * np.square(weights) @ self.precisions

    def gradient_and_hessian(self, position):
        gradient, hessian = super().gradient_and_hessian(position)
        return gradient - self.precisions * position, hessian - np.diag(self.precisions)


@pytest.mark.parametrize("wrong", [NoPriorInHessian, NormaliserForgotten, PriorWithoutHalf])
def test_wrong_rules_are_not(wrong):
    with pytest.raises(AssertionError):
        check_laplace_is_exact(model(kind=wrong))


def test_the_log_joint_drops_nothing():
    regression = model([0.01, 1, 2, 30])
    weights = np.random.default_rng(1).standard_normal((3, 5, 4))
    fits = stats.norm(weights @ regression.features.T, 2.5**-0.5).logpdf(regression.targets).sum(axis=-1)
    priors = stats.norm(0, regression.precisions**-0.5).logpdf(weights).sum(axis=-1)
    assert regression.log_density(weights) == pytest.approx(fits + priors, rel=1e-12)
    check_derivatives(regression, weights[0, 0])


def test_one_newton_step_is_enough_from_anywhere():
    regression = model()
    for start in ([0, 0, 0, 0], [1e3, -1e5, 3, 0]):
        newton = Newton(regression, start=start)
        after, _ = newton.step(newton.init())
        assert after.position == pytest.approx(regression.posterior()[0], rel=1e-7)
    assert newton_mode(regression).steps == 1


def test_what_is_out_of_range_is_named():
    with pytest.raises(ValueError, match=r"targets must be 2 finite numbers, got the shape \(1,\)"):
        LeastSquares([[1.0], [2.0]], [1.0], 1.0, 1.0)
    with pytest.raises(ValueError, match="targets must be 1 finite numbers"):
        LeastSquares([[1.0]], [np.inf], 1.0, 1.0)
    with pytest.raises(ValueError, match="noise_precision must be finite and > 0, got 0"):
        LeastSquares([[1.0]], [1.0], 0, 1.0)
    with pytest.raises(ValueError, match="prior_precision must be a number > 0"):
        LeastSquares([[1.0]], [1.0], 1, 0)
