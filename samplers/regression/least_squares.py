"""Least squares with an ℓ2 penalty, which is Bayesian linear regression: there the Laplace approximation is exact.

The exercise of Piyush Rai's lecture of 23 January 2019 (CS698X), slide "Properties of Laplace Approximation".
"""

from dataclasses import dataclass
from math import log, pi, sqrt

import numpy as np

from samplers.checks import finite_above, for_each
from samplers.regression.linear import LinearModel, as_features


@dataclass(frozen=True, eq=False)
class LeastSquares(LinearModel):
    """Targets t ~ N(wᵀx, 1/β) with weights w ~ N(0, 1/λ).

    Parameters
    ----------
    features : array_like
        x, one row for each observation, shape (N, D), finite.
    targets : array_like
        t, shape (N,), finite.
    noise_precision : float
        β > 0: minus the log joint is β/2 times the sum of squares, + λ/2 wᵀw, + a constant.
    prior_precision : array_like
        λ > 0: one number for all weights, or shape (D,).

    Raises
    ------
    ValueError
        If a shape or a value is out of range.
    """

    features: np.ndarray
    targets: np.ndarray
    noise_precision: float
    prior_precision: float | np.ndarray

    def __post_init__(self) -> None:
        features, targets = as_features(self.features), np.array(self.targets, float)
        if targets.shape != features.shape[:1] or not np.isfinite(targets).all():
            raise ValueError(f"targets must be {len(features)} finite numbers, got the shape {targets.shape}")
        targets.flags.writeable = False
        object.__setattr__(self, "features", features)
        object.__setattr__(self, "targets", targets)
        object.__setattr__(self, "noise_precision", finite_above("noise_precision", self.noise_precision, 0))
        self._set_prior(for_each("prior_precision", self.prior_precision, features.shape[1]))

    def posterior(self) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and covariance of the weights given the data, by conjugacy.

        Bishop (2006, Pattern Recognition and Machine Learning), equations 3.53 and 3.54.
        """
        covariance = np.linalg.inv(np.diag(self.precisions) + self.noise_precision * self.features.T @ self.features)
        return self.noise_precision * covariance @ self.features.T @ self.targets, covariance

    def log_evidence(self) -> float:
        """Return log p(targets) in closed form: they are N(0, I/β + X Xᵀ/λ), whose N x N matrix is written out."""
        spread = self.features / self.precisions @ self.features.T + np.eye(len(self.targets)) / self.noise_precision
        _, log_determinant = np.linalg.slogdet(2 * pi * spread)
        return float(-0.5 * (log_determinant + self.targets @ np.linalg.solve(spread, self.targets)))

    def _log_likelihood(self, weights: np.ndarray) -> np.ndarray:
        squares = np.square(weights @ self.features.T - self.targets).sum(axis=1)
        constant = len(self.targets) * log(self.noise_precision / (2 * pi))
        return 0.5 * (constant - self.noise_precision * squares)

    def _minus_likelihood_derivatives(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        scaled = sqrt(self.noise_precision) * self.features
        residuals = self.features @ weights - self.targets
        return self.noise_precision * residuals @ self.features, scaled.T @ scaled
