"""Softmax regression: with two classes it must be logistic regression, and the rest follows from symmetry."""

import numpy as np
import pytest
from scipy import special, stats

from samplers.regression.laplace import laplace_approximation
from samplers.regression.linear import BLOCK
from samplers.regression.logistic import LogisticRegression
from samplers.regression.optimise import newton_mode
from samplers.regression.predictives import draw_weights, monte_carlo_error, predict_quadrature
from samplers.regression.softmax import SoftmaxRegression, predict_softmax
from tests.samplers.regression.regressions import MAP, check_derivatives, check_errors, in_the_plane, laplace


def three_classes(prior_precision=0.6, points=40, seed=0):
    rng = np.random.default_rng(seed)
    features = np.column_stack([np.ones(points), rng.standard_normal((points, 2))])
    return SoftmaxRegression(features, rng.integers(3, size=points), 3, prior_precision)


def test_the_log_joint_drops_nothing():
    model, rng = three_classes(prior_precision=[0.5, 1, 2]), np.random.default_rng(1)
    spread = np.tile([0.5, 1, 2], 3) ** -0.5
    weights = rng.standard_normal((BLOCK // 120 + 5, 9))
    together = model.log_density(weights)
    for place in (0, 1, -1):
        probabilities = special.softmax(model.features @ weights[place].reshape(3, 3).T, axis=1)
        fits = np.log(probabilities[np.arange(40), model.labels]).sum()
        assert together[place] == pytest.approx(fits + stats.norm(0, spread).logpdf(weights[place]).sum(), rel=1e-12)


def test_the_derivatives_are_those_of_the_log_joint():
    model = three_classes(prior_precision=[0.5, 1, 2])
    for scale in (0, 0.5, 2):
        check_derivatives(model, scale * np.random.default_rng(2).standard_normal(9))
    assert newton_mode(model).steps < 15


class CurvatureWithoutTheOthers(SoftmaxRegression):
    """Planted error: a Hessian that is logistic regression's for each class by itself."""

    def gradient_and_hessian(self, position):
        gradient, hessian = super().gradient_and_hessian(position)
        return gradient, hessian * np.kron(np.eye(3), np.ones((3, 3)))


def test_the_check_of_the_derivatives_can_fail():
    model = three_classes()
    with pytest.raises(AssertionError):
        check_derivatives(CurvatureWithoutTheOthers(model.features, model.labels, 3, 0.6), np.ones(9))


@pytest.mark.parametrize("bias", [True, False])
def test_with_two_classes_it_is_logistic_regression(bias):
    """The difference of the weights has prior precision λ/2; their sum hears nothing and keeps its prior."""
    logistic = in_the_plane(bias=bias, prior_precision=0.4)
    softmax = SoftmaxRegression(logistic.features, logistic.labels, 2, 0.8)
    mode, covariance, evidence = laplace_approximation(softmax)
    two, size = laplace_approximation(logistic), logistic.dimension
    difference = np.hstack([-np.eye(size), np.eye(size)])
    assert difference @ mode == pytest.approx(two.mode, rel=1e-8)
    assert difference @ covariance @ difference.T == pytest.approx(two.covariance, rel=1e-8)
    together = np.abs(difference)
    assert together @ mode == pytest.approx(np.zeros(size), abs=1e-10)
    assert together @ covariance @ together.T == pytest.approx(np.eye(size) * 2 / 0.8)
    assert evidence == pytest.approx(two.log_evidence, rel=1e-10)


def test_monte_carlo_with_two_classes_is_as_near_as_its_error_says():
    model = in_the_plane(prior_precision=0.4)
    two = laplace(model.features, model.labels, 0.4)
    mode, covariance, _ = laplace_approximation(SoftmaxRegression(model.features, model.labels, 2, 0.8))
    found = predict_softmax(MAP, draw_weights(mode, covariance, 2_000, np.random.default_rng(3)))
    assert found.sum(axis=1) == pytest.approx(np.ones(2_500))
    check_errors(found[:, 1] - predict_quadrature(MAP, *two), monte_carlo_error(MAP, *two, 2_000))
    wrong = predict_softmax(MAP, draw_weights(mode, covariance / 4, 2_000, np.random.default_rng(3)))
    with pytest.raises(AssertionError):
        check_errors(wrong[:, 1] - predict_quadrature(MAP, *two), monte_carlo_error(MAP, *two, 2_000))


def test_other_names_for_the_classes_change_nothing_else():
    model, names = three_classes(), np.array([2, 0, 1])
    mode = newton_mode(model).position
    renamed = newton_mode(SoftmaxRegression(model.features, names[model.labels], 3, 0.6)).position
    assert renamed.reshape(3, 3)[names] == pytest.approx(mode.reshape(3, 3), abs=1e-9)
    points = np.column_stack([np.ones(7), np.random.default_rng(0).standard_normal((7, 2))])
    plugin = predict_softmax(points, [mode])
    assert plugin == pytest.approx(special.softmax(points @ mode.reshape(3, 3).T, axis=1))
    assert predict_softmax(points, [renamed])[:, names] == pytest.approx(plugin, abs=1e-9)
    narrow = predict_softmax(points, draw_weights(mode, 1e-12 * np.eye(9), 10, np.random.default_rng(0)))
    assert narrow == pytest.approx(plugin, abs=1e-4)


def test_averaging_is_less_certain_far_away():
    model = three_classes(points=12)
    mode, covariance, _ = laplace_approximation(model)
    far = np.column_stack([np.ones(8), 50 * np.stack([np.cos(np.arange(8)), np.sin(np.arange(8))], axis=1)])
    averaged = predict_softmax(far, draw_weights(mode, covariance, 4_000, np.random.default_rng(0)))
    assert (averaged.max(axis=1) < predict_softmax(far, [mode]).max(axis=1) - 0.05).all()


def test_huge_weights_a_class_without_points_and_none_at_all():
    model = SoftmaxRegression([[1.0, 1e3], [1.0, -1e3]], [0, 0], 3, 1.0)
    assert model.log_density([1e6, 1e6, -1e6, 0, 0, -1e6]) < -1e9
    gradient, hessian = model.gradient_and_hessian([1e6, 1e6, -1e6, 0, 0, -1e6])
    assert np.isfinite(gradient).all()
    assert np.isfinite(hessian).all()
    mode = newton_mode(model).position.reshape(3, 2)
    assert mode[1] == pytest.approx(mode[2])
    assert newton_mode(SoftmaxRegression(np.empty((0, 2)), [], 3, 1.0)).position.tolist() == [0] * 6


def test_what_is_out_of_range_is_named():
    with pytest.raises(ValueError, match="classes must be 2 or more, got 1"):
        SoftmaxRegression([[1.0]], [0], 1, 1.0)
    with pytest.raises(ValueError, match="labels must be 0 to 2, got 3 in row 1"):
        SoftmaxRegression([[1.0], [1.0]], [0, 3], 3, 1.0)
    with pytest.raises(ValueError, match="prior_precision must be a number > 0, or 1 of them, and finite, got 0"):
        SoftmaxRegression([[1.0]], [0], 3, 0)
    with pytest.raises(ValueError, match=r"got \(4, 2\) and \(1, 9\)"):
        predict_softmax(np.zeros((4, 2)), np.zeros((1, 9)))


def test_logistic_regression_takes_other_labels_badly():
    with pytest.raises(ValueError, match="labels must be 0 or 1"):
        LogisticRegression([[1.0]], [2], 1.0)
