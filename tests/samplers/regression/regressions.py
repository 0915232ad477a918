"""Small regressions, and what every one of them must pass."""

import numpy as np
from scipy import optimize, special

from samplers.data.planes import PLANES, features_of
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import activation, predict_quadrature
from tests.samplers.derivatives import central_differences

MAP = np.stack(np.meshgrid(np.linspace(-4, 4, 50), np.linspace(-4, 4, 50)), axis=-1).reshape(-1, 2)


def in_the_plane(name="overlapping", points=40, prior_precision=1.0, bias=False, feature_map="linear", seed=1):
    coordinates, labels = PLANES[name](points, seed)
    return LogisticRegression(features_of(coordinates, feature_map, bias), labels, prior_precision)


def of_many_weights(rows=60, weights=6, prior_precision=0.7, seed=0):
    rng = np.random.default_rng(seed)
    features = np.column_stack([np.ones(rows), rng.standard_normal((rows, weights - 1)) * np.arange(1, weights)])
    labels = rng.random(rows) < special.expit(features @ rng.standard_normal(weights))
    return LogisticRegression(features, labels.astype(int), prior_precision)


def laplace(features, labels, prior_precision):
    """Mode and covariance of the Laplace approximation for logistic regression."""
    return laplace_approximation(LogisticRegression(features, labels, prior_precision))[:2]


def check_derivatives(model, at, step=1e-5):
    """Gradient and Hessian, each against differences of what comes before it."""
    gradient, hessian = model.gradient_and_hessian(at)
    scale = 1 + np.abs(hessian).max()
    bend = central_differences(lambda position: model.gradient_and_hessian(position)[0], at, step)
    np.testing.assert_allclose(gradient, central_differences(model.log_density, at, step), atol=1e-7 * scale)
    np.testing.assert_allclose(hessian, bend, atol=1e-7 * scale)
    assert (hessian == hessian.T).all()


def check_errors(distances, errors, most=5.0):
    """Draws are no farther from the truth than so many standard errors, nor all of them nearer than they should."""
    scores = np.abs(distances / errors)
    assert 0.02 < scores.max() < most


def check_covariance(model, mode, covariance):
    """It is the inverse of minus the Hessian, which is taken from differences of the log joint's gradient."""
    hessian = central_differences(lambda position: model.gradient_and_hessian(position)[0], mode)
    np.testing.assert_allclose(covariance @ -hessian, np.eye(model.dimension), atol=1e-6)
    assert (covariance == covariance.T).all()


def at(predict, means, deviation):
    """The predictive where the activation has these means and this standard deviation."""
    features = np.column_stack([means, np.ones(np.size(means)) * deviation])
    return predict(features, [1, 0], [[0, 0], [0, 1]])


def typical(name, feature_map="linear"):
    coordinates, labels = PLANES[name](40, 1)
    return features_of(MAP, feature_map), *laplace(features_of(coordinates, feature_map), labels, 1.0)


def check_probit(predict, features, mode, covariance):
    """Within what the table says of it, by standard deviation; 0.003 where that is 4.92 or more."""
    allowed = np.interp(np.sqrt(activation(features, mode, covariance)[1]), [0, 4.92, 4.921], [0.01768, 0.01768, 0.003])
    away = np.abs(predict(features, mode, covariance) - predict_quadrature(features, mode, covariance))
    assert (away <= allowed).all()


def check_mackay(predict, features, mode, covariance):
    allowed = np.interp(np.sqrt(activation(features, mode, covariance)[1]), [0.76, 0.761], [0.003, 0.01768])
    away = np.abs(predict(features, mode, covariance) - predict_quadrature(features, mode, covariance))
    assert (away <= allowed).all()


def mode_by_scipy(model):
    """Formulas of its own, a trust region, and no line of the module that is tested."""
    signs = 2 * model.labels - 1

    def loss(weights):
        return np.logaddexp(0, -signs * (model.features @ weights)).sum() + model.precisions @ weights**2 / 2

    def slope(weights):
        return model.features.T @ (special.expit(model.features @ weights) - model.labels) + model.precisions * weights

    def bend(weights):
        mean = special.expit(model.features @ weights)
        return (model.features.T * (mean * (1 - mean))) @ model.features + np.diag(model.precisions)

    found = optimize.minimize(
        loss, np.zeros(model.dimension), jac=slope, hess=bend, method="trust-exact", options={"gtol": 1e-11}
    )
    return optimize.root(slope, found.x, jac=bend, tol=1e-14).x


def check_mode(model, position):
    np.testing.assert_allclose(position, mode_by_scipy(model), rtol=1e-8, atol=1e-8)


def log_evidence(features, labels, prior_precision):
    """Laplace's log evidence of logistic regression."""
    return laplace_approximation(LogisticRegression(features, labels, prior_precision)).log_evidence
