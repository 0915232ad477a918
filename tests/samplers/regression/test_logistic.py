"""The model of logistic regression: nothing dropped, its derivatives, and what huge or odd data do to it."""

import numpy as np
import pytest
from scipy import special, stats

from samplers.regression.linear import BLOCK
from samplers.regression.logistic import LogisticRegression, log_sigmoid
from tests.samplers.regression.regressions import check_derivatives, in_the_plane, of_many_weights


def spelled_out(model, weights):
    """The log joint by SciPy's densities."""
    fits = stats.bernoulli(special.expit(model.features @ weights)).logpmf(model.labels).sum()
    return fits + stats.norm(0, model.precisions**-0.5).logpdf(weights).sum()


@pytest.mark.parametrize("prior_precision", [0.7, [0.1, 1, 2, 0.5, 3, 1]])
def test_the_log_joint_drops_nothing(prior_precision):
    model, rng = of_many_weights(prior_precision=prior_precision), np.random.default_rng(0)
    for weights in rng.standard_normal((5, 6)):
        assert model.log_density(weights) == pytest.approx(spelled_out(model, weights), rel=1e-12)


def test_many_weights_at_once_are_the_same_as_one_after_the_other():
    model = of_many_weights()
    weights = np.random.default_rng(0).standard_normal((2, BLOCK // 60 + 3, 6))  # more than fit in a block
    together = model.log_density(weights)
    assert together.shape == weights.shape[:2]
    for place in [(0, 0), (0, -1), (1, 17), (1, -1)]:
        assert together[place] == pytest.approx(model.log_density(weights[place]), rel=1e-13)
    assert model.log_density(np.empty((0, 6))).shape == (0,)


@pytest.mark.parametrize("scale", [0, 0.3, 3])
def test_the_derivatives_are_those_of_the_log_joint(scale):
    model = of_many_weights(prior_precision=[0.1, 1, 2, 0.5, 3, 1])
    check_derivatives(model, scale * np.random.default_rng(1).standard_normal(6))
    check_derivatives(in_the_plane(prior_precision=0), [scale, -0.2])


def test_the_derivatives_are_those_of_the_lecture():
    model, weights = of_many_weights(), np.linspace(-1, 1, 6)
    mean = special.expit(model.features @ weights)
    gradient, hessian = model.gradient_and_hessian(weights)
    assert -gradient == pytest.approx(model.features.T @ (mean - model.labels) + 0.7 * weights)
    by_hand = model.features.T @ np.diag(mean * (1 - mean)) @ model.features + 0.7 * np.eye(6)
    assert -hessian == pytest.approx(by_hand)


class NoPriorInHessian(LogisticRegression):
    def gradient_and_hessian(self, position):
        gradient, hessian = super().gradient_and_hessian(position)
        return gradient, hessian + np.diag(self.precisions)


class LabelsForgotten(LogisticRegression):
    def gradient_and_hessian(self, position):
        gradient, hessian = super().gradient_and_hessian(position)
        return gradient - self.labels @ self.features, hessian


class HalfOfThePriorForgotten(LogisticRegression):
    def log_prior(self, weights):
        return super().log_prior(weights) - 0.5 * np.square(weights) @ self.precisions


@pytest.mark.parametrize("wrong", [NoPriorInHessian, LabelsForgotten, HalfOfThePriorForgotten])
def test_the_check_of_the_derivatives_can_fail(wrong):
    right = of_many_weights()
    with pytest.raises(AssertionError):
        check_derivatives(wrong(right.features, right.labels, 0.7), np.linspace(-1, 1, 6))


def test_huge_activations_do_not_overflow():
    model = LogisticRegression([[1e3, 0.0], [-1e3, 1.0], [0.0, 1e3]], [1, 1, 0], 1e-3)
    wrong, right = model.log_density([[-1e5, 1e5], [1e5, -1e5]]) - model.log_prior([[-1e5, 1e5], [1e5, -1e5]])
    assert wrong == pytest.approx(-2e8, rel=1e-9)  # of the second margin is 1e8 + 1e5 too
    assert right == pytest.approx(-1e8, rel=2e-3)
    for weights in ([-1e5, 1e5], [1e5, 1e5], [1e90, -1e90]):
        gradient, hessian = model.gradient_and_hessian(weights)
        assert np.isfinite(gradient).all()
        assert (-hessian.diagonal() >= 1e-3).all()


def test_the_tails_keep_their_digits():
    """Where σ rounds to 1, the gradient is still exp(-a) times the feature, and so is the curvature."""
    model = LogisticRegression([[1.0], [2.0]], [1, 1], 0.0)
    for weight in (40.0, 300.0):
        gradient, hessian = model.gradient_and_hessian([weight])
        small, curved = (np.exp(-weight) + power * np.exp(-2 * weight) for power in (2, 4))
        assert gradient[0] == pytest.approx(small, rel=1e-12, abs=0)
        assert hessian[0, 0] == pytest.approx(-curved, rel=1e-12, abs=0)
        assert model.log_density([weight]) == pytest.approx(-np.exp(-weight) - np.exp(-2 * weight), rel=1e-12, abs=0)
        _, hessian = model.gradient_and_hessian([-weight])  # as small where the labels are missed by as much
        assert hessian[0, 0] == pytest.approx(-curved, rel=1e-12, abs=0)


def test_the_logarithm_of_sigma():
    activations = np.concatenate([[-1e300, -800, 0, 800, 1e300], np.linspace(-50, 50, 1001)])
    np.testing.assert_allclose(log_sigmoid(activations), special.log_expit(activations), rtol=1e-14)


def test_without_data_the_joint_is_the_prior():
    model = LogisticRegression(np.empty((0, 2)), [], [2.0, 3.0])
    expected = stats.norm(0, [2**-0.5, 3**-0.5]).logpdf([0.3, -1]).sum()
    assert model.log_density([0.3, -1]) == pytest.approx(expected)
    assert model.gradient_and_hessian([0.3, -1])[1] == pytest.approx(-np.diag([2.0, 3.0]))


def test_a_flat_prior_counts_as_one():
    flat = in_the_plane(prior_precision=[0.0, 2.0], bias=False)
    assert flat.log_prior([5.0, 0.3]) == pytest.approx(stats.norm(0, 2**-0.5).logpdf(0.3))


def test_what_goes_in_is_copied_and_does_not_change():
    features, labels = np.ones((2, 1)), np.array([0, 1])
    model = LogisticRegression(features, labels, 1.0)
    features[:], labels[:] = 7, 0
    assert model.features.tolist() == [[1], [1]]
    assert model.labels.tolist() == [0, 1]
    with pytest.raises(ValueError, match="read-only"):
        model.features[0] = 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0, 2.0], [0, 1], 1), r"features must be numbers of shape \(N, D\)"),
        ((np.empty((2, 0)), [0, 1], 1), r"D >= 1, got the shape \(2, 0\)"),
        (([["a"]], [0], 1), "features must be numbers"),
        (([[1.0], [np.nan]], [0, 1], 1), "features must be within ±1e.100, got nan in row 1, column 0"),
        (([[1.0, 2.0]], [0, 1], 1), "labels must be one for each of 1 rows"),
        (([[1.0], [2.0]], [0, 2], 1), "labels must be 0 or 1, got 2 in row 1"),
        (([[1.0], [2.0]], [0, 0.5], 1), "labels must be 0 or 1, got 0.5 in row 1"),
        (([[1.0]], [0], -1), "prior_precision must be a number >= 0, or 1 of them, and finite, got -1"),
        (([[1.0]], [0], [1, 2]), "or 1 of them"),
        (([[1.0]], [0], np.inf), "prior_precision must be a number"),
    ],
)
def test_what_is_out_of_range_is_named(arguments, message):
    with pytest.raises(ValueError, match=message):
        LogisticRegression(*arguments)


def test_weights_of_the_wrong_length_are_named():
    model = in_the_plane()
    with pytest.raises(ValueError, match=r"2 numbers on their last axis, got the shape \(3,\)"):
        model.log_density([1, 2, 3])
    with pytest.raises(ValueError, match=r"one vector of 2 numbers, got the shape \(4, 2\)"):
        model.gradient_and_hessian(np.zeros((4, 2)))
