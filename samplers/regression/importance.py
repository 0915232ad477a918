"""Averages over a posterior by importance sampling around its Laplace approximation, with their standard errors.

Robert & Casella (2004, Monte Carlo Statistical Methods), section 3.3. Draws come from a t distribution, whose tails are
heavier than those of the posterior; it begins at Laplace's Normal and is moved and stretched to what its own weighted
draws say of the posterior (Cappé, Guillin, Marin & Robert, 2004, Population Monte Carlo).
"""

from typing import NamedTuple

import numpy as np
from scipy import special

from samplers.checks import whole_from
from samplers.log_density import LogDensity

FREEDOM = 5  # of the t distribution
ROUNDS, PILOT = 2, 6_000  # before the last one: how often the t distribution is fitted, and to how many draws
LEAST = 1e-9  # of the mean variance, so that a covariance can be factorised


class WeightedDraws(NamedTuple):
    """Draws that stand for a distribution, each with a share."""

    positions: np.ndarray  # shape (S, D)
    shares: np.ndarray  # at least 0, and they sum to 1; shape (S,)
    worth: float  # as from how many independent draws an average over them is

    def first(self, number: int) -> "WeightedDraws":
        """Return the first draws alone, which stand for the same distribution, worse."""
        shares = self.shares[:number]
        return WeightedDraws(
            self.positions[:number], shares / shares.sum(), self.worth * len(shares) / len(self.shares)
        )

    def average(self, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the average of what each draw says, shape (S, ..), and its standard error, shape (..).

        Where the worth is that of unequal shares of independent draws, the error is that of a ratio of averages, by
        Taylor's formula; draws that depend on each other are worth less, and it grows by as much.
        """
        squares = self.shares**2
        mean = np.tensordot(self.shares, values, axes=1)
        variance = np.tensordot(squares / squares.sum(), (values - mean) ** 2, axes=1)
        return mean, np.sqrt(variance / self.worth)


def importance_draws(
    target: LogDensity, centre: np.ndarray, covariance: np.ndarray, draws: int, rng: np.random.Generator
) -> WeightedDraws:
    """Return weighted draws of a distribution.

    Parameters
    ----------
    target : LogDensity
        Its log density, which takes positions of shape (S, D).
    centre, covariance : numpy.ndarray
        Of a Normal that is somewhat like it, shapes (D,) and (D, D).
    draws : int
        From 1.

    Raises
    ------
    ValueError
        If the covariance is not positive definite, or the number of draws not a whole number from 1.
    """
    whole_from("draws", draws, 1)
    for _ in range(ROUNDS):
        found = _weighted(target, centre, covariance, PILOT, rng)
        centre = found.shares @ found.positions
        away = found.positions - centre
        moments = (away * found.shares[:, None]).T @ away
        if found.worth < 5 * len(centre):  # too few to fit a covariance to
            break
        covariance = moments + LEAST * np.trace(moments) / len(centre) * np.eye(len(centre))
    return _weighted(target, centre, covariance, draws, rng)


def _weighted(
    target: LogDensity, centre: np.ndarray, covariance: np.ndarray, draws: int, rng: np.random.Generator
) -> WeightedDraws:
    """Return draws of a t distribution, weighted by how much too rare it makes them."""
    try:
        factor = np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        raise ValueError("covariance must be positive definite for draws around the centre") from None
    normal = rng.standard_normal((draws, len(centre)))
    stretch = rng.chisquare(FREEDOM, draws) / FREEDOM
    positions = centre + (normal / np.sqrt(stretch)[:, None]) @ factor.T
    squares = np.einsum("sd,sd->s", normal, normal) / stretch
    log_weights = target.log_density(positions) + (FREEDOM + len(centre)) / 2 * np.log1p(squares / FREEDOM)
    shares = special.softmax(log_weights)
    return WeightedDraws(positions, shares, float(1 / (shares @ shares)))
