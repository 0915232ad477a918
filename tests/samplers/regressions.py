"""Small regressions, and what every one of them must pass."""

import numpy as np
from scipy import special

from samplers.logistic import LogisticRegression
from samplers.planes import features_of, plane_data

MAP = np.stack(np.meshgrid(np.linspace(-4, 4, 50), np.linspace(-4, 4, 50)), axis=-1).reshape(-1, 2)


def in_the_plane(name="overlapping", points=40, prior_precision=1.0, bias=False, feature_map="linear", seed=1):
    coordinates, labels = plane_data(name, points, seed)
    return LogisticRegression(features_of(coordinates, feature_map, bias), labels, prior_precision)


def of_many_weights(rows=60, weights=6, prior_precision=0.7, seed=0):
    rng = np.random.default_rng(seed)
    features = np.column_stack([np.ones(rows), rng.standard_normal((rows, weights - 1)) * np.arange(1, weights)])
    labels = rng.random(rows) < special.expit(features @ rng.standard_normal(weights))
    return LogisticRegression(features, labels.astype(int), prior_precision)


def central_differences(function, at, step=1e-5):
    """Derivatives of a function along each coordinate, on the last axis."""
    at = np.asarray(at, float)
    moves = step * np.eye(at.size)
    return np.stack([(function(at + move) - function(at - move)) / (2 * step) for move in moves], axis=-1)


def check_derivatives(model, at, step=1e-5):
    """Gradient and Hessian of minus the log joint, each against differences of what comes before it."""
    gradient, hessian = model.derivatives(at)
    scale = 1 + np.abs(hessian).max()
    bend = central_differences(lambda weights: model.derivatives(weights)[0], at, step)
    np.testing.assert_allclose(gradient, -central_differences(model.log_joint, at, step), atol=1e-7 * scale)
    np.testing.assert_allclose(hessian, bend, atol=1e-7 * scale)
    assert (hessian == hessian.T).all()


def check_errors(distances, errors, most=5.0):
    """Draws are no farther from the truth than so many standard errors, nor all of them nearer than they should."""
    scores = np.abs(distances / errors)
    assert 0.02 < scores.max() < most
