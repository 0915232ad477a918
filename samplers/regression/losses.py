"""Losses with an ℓ2 penalty, each with the Normal that Laplace would put at its minimum, and the exact spread.

A penalised loss is minus a log density of the weights, up to a constant: minus the loss takes the place of the log
likelihood, and the penalty is a Normal prior. After Piyush Rai's lecture of 23 January 2019 (CS698X), slide "Properties
of Laplace Approximation". Of the four only the logistic loss is minus the log probability of a label; for the others
the density is that of a Gibbs posterior (Bissiri, Holmes & Walker 2016, A general framework for updating belief
distributions, Journal of the Royal Statistical Society B 78).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.regression.linear import LinearModel, as_classes, as_features
from samplers.regression.logistic import log_sigmoid
from samplers.regression.optimise import newton_mode

Function = Callable[[np.ndarray], np.ndarray]
ON_CORNER = 1e-6  # how near to a corner a margin counts as on it
MOST_ROUNDS = 20_000  # of the ascent for a loss with a corner
LINES, REACH, LOOKS = 301, 10.0, 8  # of the quadrature: lines along an axis, deviations to each side, boxes


@dataclass(frozen=True)
class Loss:
    """A convex loss of a margin m = ±wᵀx, which is above 0 where the label is right.

    Parameters
    ----------
    value, slope, curvature : callable
        The loss and its first two derivatives, of arrays of any shape; at a corner they are those of one side.
    corner : float or None, optional
        Where the slope jumps; None if it never does.
    """

    value: Function
    slope: Function
    curvature: Function
    corner: float | None = None


LOSSES: dict[str, Loss] = {
    "squared": Loss(lambda m: 0.5 * (1 - m) ** 2, lambda m: m - 1, np.ones_like),
    "logistic": Loss(
        lambda m: -log_sigmoid(m), lambda m: -special.expit(-m), lambda m: special.expit(m) * special.expit(-m)
    ),
    "Huber": Loss(
        lambda m: np.asarray(special.huber(1.0, 1 - m)),
        lambda m: np.clip(m - 1, -1, 1),
        lambda m: (np.abs(1 - m) < 1).astype(float),
    ),
    "hinge": Loss(lambda m: np.maximum(0, 1 - m), lambda m: -(m < 1).astype(float), np.zeros_like, 1.0),
}
"""Losses by name. Huber's is squared up to a residual 1 - m of ±1, and straight beyond."""


@dataclass(frozen=True, eq=False)
class PenalisedLoss(LinearModel):
    """Weights with the log density -Σ loss(±wᵀx) - λ/2 wᵀw, up to a constant.

    Parameters
    ----------
    features : array_like
        x, one row for each observation, shape (N, D), finite.
    labels : array_like
        0 or 1, shape (N,): the sign of the margin is + for 1.
    prior_precision : float
        λ, above 0.
    loss : Loss
        Any.

    Raises
    ------
    ValueError
        If a shape or a value is out of range.
    """

    features: np.ndarray
    labels: np.ndarray
    prior_precision: float
    loss: Loss

    def __post_init__(self) -> None:
        features = as_features(self.features)
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "labels", as_classes(self.labels, len(features), 2))
        precision = finite_above("prior_precision", self.prior_precision, 0)
        self._set_prior(np.full(features.shape[1], precision))

    @property
    def signed(self) -> np.ndarray:
        """The features, with the sign of the label, shape (N, D): margins are these times the weights."""
        return (2.0 * self.labels - 1)[:, None] * self.features

    def mode(self) -> np.ndarray:
        """Return the weights of the least penalised loss, shape (D,)."""
        return newton_mode(self).position if self.loss.corner is None else self._mode_with_a_corner()

    def _mode_with_a_corner(self) -> np.ndarray:
        """Return the mode of the hinge loss, which Newton's method cannot find.

        Dual coordinate ascent (Hsieh et al. 2008, A dual coordinate descent method for large-scale linear SVM, ICML,
        algorithm 1): w = Σ αₙ xₙ / λ with 0 ≤ αₙ ≤ 1, and each αₙ in turn is moved to its best value.
        """
        rows, precision = self.signed, self.prior_precision
        squares, shares, weights = (rows**2).sum(axis=1), np.zeros(len(rows)), np.zeros(self.dimension)
        for _ in range(MOST_ROUNDS):
            moved = 0.0
            for row in np.flatnonzero(squares).tolist():
                best = shares[row] + precision * (1 - rows[row] @ weights) / squares[row]
                change = min(max(best, 0.0), 1.0) - shares[row]
                shares[row] += change
                weights += change / precision * rows[row]
                moved = max(moved, abs(change))
            if moved < 1e-12:
                break
        return weights

    def _log_likelihood(self, weights: np.ndarray) -> np.ndarray:
        return -self.loss.value(weights @ self.signed.T).sum(axis=1)

    def _minus_likelihood_derivatives(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        rows = self.signed
        margins = rows @ weights
        return self.loss.slope(margins) @ rows, rows.T @ (self.loss.curvature(margins)[:, None] * rows)


class LossSpread(NamedTuple):
    """The minimum of a penalised loss, and how wide the density of the weights is around it."""

    mode: np.ndarray  # shape (D,)
    # standard deviations from the curvature at the mode, shape (D,). Corners do not count: they have none.
    laplace: np.ndarray
    bends: int  # observations whose loss has a curvature above 0 at the mode
    corners: int  # observations on a corner of the loss at the mode: there the Hessian does not exist


def loss_spread(model: PenalisedLoss) -> LossSpread:
    """Return the mode of a penalised loss, and Laplace's standard deviations there."""
    mode = model.mode()
    margins = model.signed @ mode
    _, hessian = model.gradient_and_hessian(mode)
    deviations = np.sqrt(np.linalg.inv(-hessian).diagonal())
    corner = model.loss.corner
    corners = 0 if corner is None else int((np.abs(margins - corner) < ON_CORNER).sum())
    return LossSpread(mode, deviations, int((model.loss.curvature(margins) > 0).sum()), corners)


def exact_deviations(model: LinearModel, centre: ArrayLike) -> np.ndarray:
    """Return the standard deviations of two weights by quadrature, shape (2,).

    Parameters
    ----------
    model : LinearModel
        With two weights and a proper prior.
    centre : array_like
        Where the search for the mass begins: the mode, say, shape (2,).

    Raises
    ------
    ValueError
        If there are not two weights.

    Notes
    -----
    The trapezoidal rule with 301 lines along each axis. The box is first as wide as the prior, and then ten standard
    deviations to each side of the mean, found anew seven times.
    """
    if model.dimension != 2:
        raise ValueError(f"model must have two weights, got {model.dimension}")
    mean, deviations = np.asarray(centre, float), model.precisions**-0.5
    for _ in range(LOOKS):
        axes = [np.linspace(m - REACH * d, m + REACH * d, LINES) for m, d in zip(mean, deviations, strict=True)]
        places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
        logs = model.log_density(places)
        masses = np.exp(logs - logs.max())
        masses /= masses.sum()
        mean = np.tensordot(masses, places, axes=2)
        deviations = np.sqrt(np.tensordot(masses, (places - mean) ** 2, axes=2))
    return deviations
