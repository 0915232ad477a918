"""Importance sampling, against a posterior on a grid and a Normal that is known."""

import numpy as np
import pytest
from scipy import stats

from samplers.log_density import FunctionLogDensity
from samplers.regression.grid_posterior import grid_posterior
from samplers.regression.importance import importance_draws
from samplers.regression.laplace import laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import predict_from_weights
from samplers.regression.softmax import predict_softmax

POINTS = np.array([[1.0, 0.5], [2.0, -1.0], [-1.0, 0.3], [-0.5, -2.0], [0.4, 1.5], [-1.2, 0.9]])
MODEL = LogisticRegression(POINTS, [1, 1, 0, 0, 1, 0], 0.1)
PLACES = np.array([[3.0, 1.0], [0.5, -2.0]])


def drawn(draws=4_000, seed=0):
    mode, covariance, _ = laplace_approximation(MODEL)
    return importance_draws(MODEL, mode, covariance, draws, np.random.default_rng(seed))


def test_its_average_is_the_posteriors_and_its_error_is_as_large_as_it_says():
    """Sixty repetitions at two places: within 5 standard errors on average, and spread as is said, to a third."""
    truth = grid_posterior(MODEL).predict(PLACES)
    each = [drawn(4_000, seed) for seed in range(60)]
    found = [draws.average(1 / (1 + np.exp(-draws.positions @ PLACES.T))) for draws in each]
    means, errors = (np.array(values) for values in zip(*found, strict=True))
    assert (abs(means.mean(axis=0) - truth) < 5 * errors.mean(axis=0) / np.sqrt(60)).all()
    assert means.std(axis=0) == pytest.approx(errors.mean(axis=0), rel=1 / 3)


def test_laplace_alone_is_not_what_it_gives():
    draws, mode = drawn(), laplace_approximation(MODEL).mode
    mean, error = draws.average(draws.positions)
    assert (abs(mean - mode) > 10 * error).any()


def test_of_a_normal_it_finds_the_moments_from_a_bad_start():
    target = FunctionLogDensity(3, lambda at: -0.5 * ((at - [1.0, -2.0, 0.0]) ** 2 / [1.0, 4.0, 0.25]).sum(axis=-1))
    draws = importance_draws(target, np.zeros(3), 4 * np.eye(3), 20_000, np.random.default_rng(1))
    mean, error = draws.average(draws.positions)
    assert (abs(mean - [1, -2, 0]) < 4.5 * error).all(), "by chance once in 50,000 seeds"
    squares, error = draws.average((draws.positions - [1.0, -2.0, 0.0]) ** 2)
    assert (abs(squares - [1, 4, 0.25]) < 4.5 * error).all()
    assert draws.worth > 0.5 * 20_000


def test_the_first_of_them_stand_for_the_same():
    draws = drawn()
    few = draws.first(1_000)
    assert few.shares.sum() == pytest.approx(1)
    assert few.worth == pytest.approx(draws.worth / 4)
    assert draws.shares.sum() == pytest.approx(1)


def test_predictions_take_shares():
    draws = drawn(500)
    each = np.array([predict_from_weights(PLACES, weights[None]) for weights in draws.positions])
    assert predict_from_weights(PLACES, draws.positions, draws.shares) == pytest.approx(draws.shares @ each)
    both = np.column_stack([np.zeros((500, 2)), draws.positions])
    assert predict_softmax(PLACES, both, draws.shares)[:, 1] == pytest.approx(draws.shares @ each)
    assert stats.entropy(draws.shares) < np.log(500)


def test_bad_arguments():
    with pytest.raises(ValueError, match="covariance must be positive definite for draws around the centre"):
        importance_draws(MODEL, np.zeros(2), -np.eye(2), 10, np.random.default_rng(0))
    with pytest.raises(ValueError, match="draws must be 1 or more, got 0"):
        importance_draws(MODEL, np.zeros(2), np.eye(2), 0, np.random.default_rng(0))
