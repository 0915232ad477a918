"""The lessons that draw lines: what they say is so."""

import numpy as np
import pytest

from pages.topics.logistic.run import LogisticRun
from samplers.data.planes import feature_names
from samplers.regression.grid_posterior import grid_posterior
from samplers.regression.predictives import monte_carlo_error
from tests.pages.topics.logistic.steps import scene


def _squared_distances(run: LogisticRun) -> np.ndarray:
    """Return how far each place is from the mode, in standard deviations of Laplace's Normal, squared."""
    found = run.fit.laplace
    away = run.positions - found.mode
    return np.einsum("ti,ij,tj->t", away, np.linalg.inv(found.covariance), away)


def test_the_cloud_leans_out_of_the_ellipse():
    run, weak = (scene("logistic-draws", "cloud", log_precision=power).run for power in (0.0, -1.0))
    assert (_squared_distances(run) > 4).mean() == pytest.approx(0.19, abs=0.005)
    run, found, distances = weak, weak.fit.laplace, _squared_distances(weak)
    assert np.exp(-2) == pytest.approx(0.14, abs=5e-3), "of the Normal, beyond 2 sd"
    assert (distances > 4).mean() == pytest.approx(0.29, abs=0.006)
    fine = grid_posterior(weak.fit.model, 401)
    weights = np.stack([axis.ravel() for axis in np.meshgrid(*fine.axes, indexing="ij")], axis=1) - found.mode
    beyond = np.einsum("ni,ij,nj->n", weights, np.linalg.inv(found.covariance), weights) > 4
    masses = fine.density.ravel()
    assert masses[beyond].sum() / masses.sum() == pytest.approx(0.27, abs=0.005), "in the long run"
    beyond = run.positions[distances > 4]
    assert (beyond[:, 0] > found.mode[0]).mean() > 0.9, "to large weights"
    parted = ((beyond @ run.fit.points.T > 0) == run.fit.labels).all(axis=1)
    assert parted.mean() > 0.7


def test_the_error_falls_as_the_root_of_the_draws():
    said = {}
    for step in ("twenty", "many"):
        fit = scene("logistic-draws", step).fit
        at = np.array([[5.0, -3.0]])
        error = monte_carlo_error(at, fit.laplace.mode, fit.laplace.covariance, len(fit.draws))[0]
        said[step] = float(fit.predict("Monte Carlo", at)[0]), float(error)
    assert said["twenty"] == pytest.approx((0.792, 0.057), abs=6e-4)
    assert said["many"] == pytest.approx((0.870, 0.0057), abs=6e-4)
    assert fit.predict("quadrature", at)[0] == pytest.approx(0.869, abs=6e-4)
    assert monte_carlo_error(at, fit.laplace.mode, fit.laplace.covariance, 6)[0] > 0.1


def test_bumps_part_what_no_line_can_and_say_nothing_far_away():
    lines, bumps = scene("logistic-bumps", "xor").fit, scene("logistic-bumps", "bumps").fit
    right = [((fit.predict("plug-in", fit.points) > 0.5) == fit.labels).sum() for fit in (lines, bumps)]
    assert right == [20, 40]
    assert bumps.predict("quadrature", np.array([[7.5, 5.5]]))[0] == pytest.approx(0.5, abs=1e-3)
    squares = scene("logistic-bumps", "bumps", features="quadratic").fit
    product = squares.laplace.mode[3]
    assert feature_names("quadratic", bias=False)[3] == "xy"
    assert product > 8 * np.abs(np.delete(squares.laplace.mode, 3)).max()
