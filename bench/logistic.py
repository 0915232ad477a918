"""Bayesian logistic regression: the mode, predictions over a map of the plane, and the exact posterior."""

from collections.abc import Iterator

import numpy as np
from scipy import special

from bench import Row, median_seconds
from samplers.data.planes import PLANES, features_of
from samplers.regression.grid_posterior import grid_posterior
from samplers.regression.laplace import best_prior_precision, laplace_approximation
from samplers.regression.logistic import LogisticRegression
from samplers.regression.metropolis import RandomWalkMetropolis, run
from samplers.regression.optimise import newton_mode
from samplers.regression.predictives import draw_weights, predict_from_weights, predict_probit, predict_quadrature
from samplers.regression.softmax import SoftmaxRegression


def observations(rows: int, weights: int) -> tuple[np.ndarray, np.ndarray]:
    """Return features with a bias, and labels drawn by known weights."""
    rng = np.random.default_rng(0)
    features = np.column_stack([np.ones(rows), rng.standard_normal((rows, weights - 1))])
    labels = rng.random(rows) < special.expit(features @ rng.normal(0, 0.5, weights))
    return features, labels.astype(int)


def rows() -> Iterator[Row]:
    features, labels = observations(1_000, 20)
    model = LogisticRegression(features, labels, 1.0)
    base = median_seconds(lambda: newton_mode(model), 101)
    steps = newton_mode(model).steps
    yield Row("Newton to convergence, N = 1,000, D = 20", base, 0.001, f"{steps} steps")
    seconds = median_seconds(lambda: laplace_approximation(LogisticRegression(features, labels, 1.0)), 101)
    yield Row("Laplace from the data, N = 1,000, D = 20", seconds, None, f"{seconds / base:.2f} x Newton")
    for many, weights, limit in ((100_000, 20, None), (1_000, 200, 0.025)):
        larger = LogisticRegression(*observations(many, weights), 1.0)
        seconds = median_seconds(lambda larger=larger: newton_mode(larger), 11)
        yield Row(f"Newton to convergence, N = {many:,}, D = {weights}", seconds, limit, f"{seconds / base:.0f} x")

    places = np.stack(np.meshgrid(np.linspace(-4, 4, 50), np.linspace(-4, 4, 50)), axis=-1).reshape(-1, 2)
    points, labels = PLANES["overlapping"](40, 1)
    data, of_map = features_of(points, "linear"), features_of(places, "linear")
    posterior = laplace_approximation(LogisticRegression(data, labels, 1.0))[:2]
    base = median_seconds(lambda: predict_probit(of_map, *posterior), 101)
    yield Row("probit, 2,500 points of the plane", base, 0.001)
    rng = np.random.default_rng(0)
    draws = draw_weights(*posterior, 1_000, rng)
    for what, predict in (
        ("quadrature, the same points", lambda: predict_quadrature(of_map, *posterior)),
        ("Monte Carlo, 1,000 draws, the same points", lambda: predict_from_weights(of_map, draws)),
    ):
        seconds = median_seconds(predict)
        yield Row(what, seconds, None, f"{seconds / base:.0f} x probit")

    def evidence(precision: float) -> float:
        return laplace_approximation(LogisticRegression(data, labels, precision)).log_evidence

    seconds = median_seconds(lambda: evidence(1.0), 101)
    yield Row("Laplace's log evidence, N = 40, D = 3", seconds)
    yield Row(
        "the prior precision where it is highest",
        median_seconds(lambda: best_prior_precision(evidence)),
    )
    plane = LogisticRegression(points, labels, 0.01)
    grid = grid_posterior(plane)
    seconds = median_seconds(lambda: grid_posterior(plane))
    yield Row("exact posterior on a grid, N = 40, D = 2", seconds, None, f"{grid.density.size:,} cells")
    yield Row("its predictions, 2,500 points", median_seconds(lambda: grid.predict(places), 5))
    chain = RandomWalkMetropolis(plane, 0.5, np.zeros(2))
    yield Row("Metropolis, 1,000 steps, N = 40, D = 2", median_seconds(lambda: run(chain, 1_000, rng), 5))
    softmax = SoftmaxRegression(features, np.arange(1_000) % 4, 4, 1.0)
    seconds = median_seconds(lambda: laplace_approximation(softmax), 5)
    yield Row("softmax, Laplace, N = 1,000, D = 20, K = 4", seconds, 0.010)
