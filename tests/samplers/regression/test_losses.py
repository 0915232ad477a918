"""Penalised losses: their modes, Laplace's Normal where there is one, and the exact spread by quadrature."""

import numpy as np
import pytest
from scipy.optimize import minimize

from samplers.data.planes import PLANES
from samplers.regression.grid_posterior import grid_posterior
from samplers.regression.laplace import laplace_approximation
from samplers.regression.least_squares import LeastSquares
from samplers.regression.logistic import LogisticRegression
from samplers.regression.losses import LOSSES, Loss, PenalisedLoss, exact_deviations, loss_spread

POINTS, LABELS = PLANES["overlapping"](30, 1)
every_loss = pytest.mark.parametrize("name", LOSSES)


def model(name, precision=1.0):
    return PenalisedLoss(POINTS, LABELS, precision, LOSSES[name])


@every_loss
def test_derivatives_are_those_of_the_loss(name):
    check_derivatives(LOSSES[name])


def check_derivatives(loss):
    at = np.array([-2.3, -0.4, 0.3, 0.8, 1.4, 2.6])
    step = 1e-5
    slope = (loss.value(at + step) - loss.value(at - step)) / (2 * step)
    curvature = (loss.slope(at + step) - loss.slope(at - step)) / (2 * step)
    np.testing.assert_allclose(loss.slope(at), slope, atol=1e-8)
    np.testing.assert_allclose(loss.curvature(at), curvature, atol=1e-8)


@every_loss
@pytest.mark.parametrize("precision", [0.1, 1.0, 30.0])
def test_the_mode_is_the_least_loss(name, precision):
    """By a method without derivatives, from the mode and from elsewhere: nowhere is the log density higher."""
    check_mode(model(name, precision))


def check_mode(found):
    mode = found.mode()
    for start in (mode, mode + 0.3):
        best = minimize(lambda w: -found.log_density(w), start, method="Nelder-Mead", options={"xatol": 1e-9})
        assert -best.fun <= float(found.log_density(mode)) + 1e-9
        np.testing.assert_allclose(best.x, mode, atol=1e-4)


def test_squared_and_logistic_are_the_regressions_of_their_own_files():
    """Squared: least squares on ±1, where Laplace is exact. Logistic: the grid posterior has the same spread."""
    squared = LeastSquares(POINTS, 2.0 * LABELS - 1, 1.0, 1.0)
    mean, covariance = squared.posterior()
    spread = loss_spread(model("squared"))
    np.testing.assert_allclose(spread.mode, mean, atol=1e-10)
    np.testing.assert_allclose(spread.laplace, np.sqrt(covariance.diagonal()), rtol=1e-10)
    np.testing.assert_allclose(exact_deviations(model("squared"), mean), spread.laplace, rtol=1e-9)
    logistic = LogisticRegression(POINTS, LABELS, 1.0)
    laplace, grid = laplace_approximation(logistic), grid_posterior(logistic)
    spread = loss_spread(model("logistic"))
    np.testing.assert_allclose(spread.laplace, np.sqrt(laplace.covariance.diagonal()), rtol=1e-8)
    found = exact_deviations(model("logistic"), spread.mode)
    for axis, (places, share) in enumerate(zip(grid.axes, (grid.density.sum(1), grid.density.sum(0)), strict=True)):
        share = share / share.sum()
        assert found[axis] == pytest.approx(np.sqrt(share @ (places - share @ places) ** 2), rel=1e-4)


@pytest.mark.parametrize("name", ["Huber", "hinge"])
def test_the_exact_spread_by_another_quadrature(name):
    found = PenalisedLoss(POINTS[:6], LABELS[:6], 1.0, LOSSES[name])
    centre = found.mode()
    nodes, weights = np.polynomial.legendre.leggauss(400)
    x, y = np.meshgrid(centre[0] + 6 * nodes, centre[1] + 6 * nodes, indexing="ij")
    mass = np.outer(weights, weights) * np.exp(found.log_density(np.dstack([x, y])) - found.log_density(centre))
    mass /= mass.sum()
    spread = np.sqrt(np.sum(mass * (x - np.sum(mass * x)) ** 2))
    assert exact_deviations(found, centre)[0] == pytest.approx(spread, rel=1e-3)


def test_where_laplace_means_nothing():
    """The hinge has no curvature, so its Normal is the prior's; points lie on its corner, and the truth is narrower."""
    hinge = loss_spread(model("hinge", 4.0))
    assert hinge.bends == 0
    assert hinge.corners > 0
    np.testing.assert_allclose(hinge.laplace, 0.5)
    assert (exact_deviations(model("hinge", 4.0), hinge.mode) < 0.4).all()
    huber = loss_spread(model("Huber"))
    assert 0 < huber.bends < 30
    assert huber.corners == 0


def test_a_planted_error_is_found():
    """A Huber loss whose curvature does not stop, and a hinge that turns at 0, where the mode would be the prior's."""
    right = LOSSES["Huber"]
    with pytest.raises(AssertionError):
        check_derivatives(Loss(right.value, right.slope, np.ones_like))
    perceptron = Loss(lambda m: np.maximum(0, -m), lambda m: -(m < 0).astype(float), np.zeros_like, 1.0)
    with pytest.raises(AssertionError):
        check_mode(PenalisedLoss(POINTS, LABELS, 1.0, perceptron))


def test_what_makes_no_sense_is_rejected():
    with pytest.raises(ValueError, match="prior_precision must be finite and > 0"):
        model("hinge", 0.0)
    with pytest.raises(ValueError, match="two weights, got 1"):
        exact_deviations(PenalisedLoss(POINTS[:, :1], LABELS, 1.0, LOSSES["hinge"]), [0.0])
