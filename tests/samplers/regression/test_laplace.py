"""The Laplace approximation of logistic regression, its evidence, and the precision at which that is highest."""

from functools import partial

import numpy as np
import pytest

from samplers.data.planes import PLANES
from samplers.regression.grid_posterior import grid_posterior
from samplers.regression.laplace import best_prior_precision, laplace_approximation
from samplers.regression.logistic import LogisticRegression
from tests.samplers.regression.regressions import check_covariance, in_the_plane, laplace, log_evidence, of_many_weights


@pytest.mark.parametrize("prior_precision", [0.01, 1, [0.1, 1, 2, 0.5, 3, 1]])
def test_the_covariance_is_the_inverse_hessian_at_the_mode(prior_precision):
    model = of_many_weights(prior_precision=prior_precision)
    mode, covariance = laplace(model.features, model.labels, prior_precision)
    check_covariance(model, mode, covariance)
    with pytest.raises(AssertionError):
        check_covariance(model, mode + 0.01, covariance)


def test_the_evidence_comes_to_the_exact_one_as_data_come_in():
    """The error falls like 1/N: ten times the points, about a tenth of it."""
    errors = []
    for points in (300, 3_000):
        coordinates, labels = PLANES["overlapping"](points, 1)
        exact = grid_posterior(LogisticRegression(coordinates, labels, 1.0)).log_evidence
        errors.append(abs(log_evidence(coordinates, labels, 1.0) - exact))
    assert 0.002 < errors[0] < 0.02
    assert errors[1] < errors[0] / 5


def test_without_data_it_is_the_prior():
    found = laplace_approximation(LogisticRegression(np.empty((0, 2)), [], [2.0, 4.0]))
    assert found.mode.tolist() == [0, 0]
    assert found.covariance == pytest.approx(np.diag([0.5, 0.25]))
    assert found.log_evidence == pytest.approx(0, abs=1e-14)


def test_a_flat_prior_has_a_mode_and_its_covariance():
    coordinates, labels = PLANES["overlapping"](60, 1)
    mode, covariance = laplace(coordinates, labels, 0)
    check_covariance(LogisticRegression(coordinates, labels, 0), mode, covariance)


@pytest.mark.parametrize(
    ("name", "feature_map"), [("overlapping", "linear"), ("xor", "quadratic"), ("few", "linear"), ("outlier", "rbf")]
)
def test_no_other_precision_has_more_evidence(name, feature_map):
    model = in_the_plane(name, feature_map=feature_map)
    evidence = partial(log_evidence, model.features, model.labels)
    best = best_prior_precision(evidence)
    scan = [evidence(10.0**power) for power in np.linspace(-4, 4, 161)]
    assert best.log_evidence >= max(scan)
    assert best.log_evidence == evidence(best.prior_precision)
    assert not best.at_bound
    around = [evidence(best.prior_precision * f) for f in (0.98, 1.02)]
    assert max(around) < best.log_evidence
    close = best_prior_precision(evidence, 0.97 * best.prior_precision, 1e4)
    assert close.prior_precision == pytest.approx(best.prior_precision, rel=1e-3)
    assert not close.at_bound


def test_the_best_precision_may_lie_beyond_the_bounds():
    rng = np.random.default_rng(0)
    features, labels = rng.standard_normal((400, 5)), np.arange(400) % 2  # nothing to learn: the tighter the better
    best = best_prior_precision(partial(log_evidence, features, labels), high=50)
    assert best.at_bound
    assert best.prior_precision == pytest.approx(50)
    coordinates, labels = PLANES["separable"](40, 1)
    best = best_prior_precision(partial(log_evidence, coordinates, labels), low=5, high=10)
    assert best.at_bound
    assert best.prior_precision == pytest.approx(5)
    with pytest.raises(ValueError, match="high must be finite and > 3, got 2"):
        best_prior_precision(partial(log_evidence, coordinates, labels), 3, 2)
