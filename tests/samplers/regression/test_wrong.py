"""Every wrong rule must fail the tests that the right one passes: by how much is known."""

import inspect

import numpy as np
import pytest

from samplers.data.planes import PLANES, features_of
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import predict_mackay, predict_probit, predict_quadrature
from samplers.regression.wrong import (
    WRONG_LAPLACES,
    WRONG_MODELS,
    WRONG_PREDICTIVES,
    PriorWithoutHalf,
    prior_left_out_of_hessian,
)
from tests.samplers.regression.regressions import (
    MAP,
    at,
    check_covariance,
    check_mackay,
    check_mode,
    check_probit,
    in_the_plane,
    laplace,
    typical,
)

RIGHT = {"probit": (predict_probit, check_probit), "MacKay": (predict_mackay, check_mackay)}
WRONG = {name: wrong.predict for name, wrong in WRONG_PREDICTIVES.items()}


@pytest.mark.parametrize("rule", [*WRONG.values(), *WRONG_MODELS.values(), *WRONG_LAPLACES.values()])
def test_each_rule_says_what_it_gets_wrong(rule):
    first = inspect.getdoc(rule).splitlines()[0]
    assert len(first) < 120
    assert first.endswith(".")


@pytest.mark.parametrize("name", WRONG_PREDICTIVES)
@pytest.mark.parametrize("data", ["overlapping", "few", "outlier"])
def test_every_wrong_predictive_fails_over_the_map(name, data):
    posterior = typical(data)
    right, check = RIGHT[WRONG_PREDICTIVES[name].replaces]
    check(right, *posterior)
    with pytest.raises(AssertionError):
        check(WRONG[name], *posterior)


def test_how_wrong_the_predictives_are():
    """The most by which each misses the integral, over a map of an ordinary posterior."""
    posterior = typical("overlapping")
    truth = predict_quadrature(*posterior)
    known = {"e^(-t²) in Φ": 0.292, "erf for Φ": 0.092, "1 for 8/π": 0.100, "π/8 forgotten": 0.099}
    assert known.keys() == WRONG_PREDICTIVES.keys()
    for name, distance in known.items():
        assert np.abs(WRONG[name](*posterior) - truth).max() == pytest.approx(distance, abs=0.001)


def test_the_wrong_gaussian_never_gets_above_its_half_mass():
    rule = WRONG["e^(-t²) in Φ"]
    assert at(rule, [-1e3, 0, 1e3], 1) == pytest.approx([0, 0.5**1.5, 0.5**0.5])


@pytest.mark.parametrize("data", ["overlapping", "separable", "few"])
def test_a_prior_without_its_half_has_another_mode(data):
    model = in_the_plane(data)
    mode, covariance, _ = laplace_approximation(PriorWithoutHalf(model.features, model.labels, 1.0))
    with pytest.raises(AssertionError):
        check_mode(model, mode)
    right, right_covariance = laplace(model.features, model.labels, 1.0)
    assert np.linalg.norm(mode) < 0.93 * np.linalg.norm(right)
    assert np.trace(covariance) < 0.93 * np.trace(right_covariance)


@pytest.mark.parametrize("data", ["overlapping", "separable", "few"])
def test_a_hessian_without_its_prior_has_another_covariance(data):
    model = in_the_plane(data)
    mode, covariance, _ = prior_left_out_of_hessian(model)
    check_mode(model, mode)
    with pytest.raises(AssertionError):
        check_covariance(model, mode, covariance)
    right = laplace(model.features, model.labels, 1.0)[1]
    assert (np.linalg.eigvalsh(covariance - right) > 0).all()
    assert np.linalg.inv(covariance) + np.eye(2) == pytest.approx(np.linalg.inv(right))
    assert np.trace(covariance) > 1.3 * np.trace(right)


def test_a_hessian_without_its_prior_stays_finite_where_the_data_say_nothing():
    coordinates, labels = PLANES["xor"](4, 0)
    features = features_of(coordinates, "rbf")  # 17 weights and 4 points
    mode, covariance, _ = prior_left_out_of_hessian(LogisticRegression(features, labels, 1.0))
    assert np.isfinite(covariance).all()
    assert np.trace(covariance) > 1e9
    assert predict_quadrature(features_of(MAP, "rbf"), mode, covariance) == pytest.approx(np.full(2_500, 0.5), abs=0.1)
    nothing = prior_left_out_of_hessian(LogisticRegression(np.zeros((3, 2)), np.array([0, 1, 1]), 1.0))
    assert np.isfinite(nothing.covariance).all()
