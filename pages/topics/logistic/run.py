"""A run over the weights: steps of an optimiser, steps of a chain, or one more point at a time."""

from typing import Any

import numpy as np

from pages.player.run import KEPT, Run
from pages.topics.logistic.fit import Fit
from samplers import Chain
from samplers.regression.laplace import Laplace

NOTHING = np.nan
LEVEL = 1e-14  # of a gradient: what is less is left by rounding errors, and points nowhere


class LogisticRun(Run[Any]):
    """The iterations of one run.

    Attributes
    ----------
    positions : numpy.ndarray
        Weights after each iteration, shape (T + 1, D); NaN where there are none.
    value : numpy.ndarray
        The log joint there, or the width of the posterior where points are added, shape (T + 1,).
    ellipse : numpy.ndarray
        Centre and factor of what is drawn around: (mx, my, a, b, c), shape (T + 1, 5). Of an optimiser, the level of
        its quadratic on which the position lies, around where that is lowest (the other weights are where it is
        lowest for these two); of growing data, Laplace's ellipse.
    arrow, gradient : numpy.ndarray
        Where the next step leads, and the direction downhill, of length 1, shape (T + 1, 2).
    lost : numpy.ndarray
        Whether the run has diverged, shape (T + 1,).
    """

    unit = "steps"

    def __init__(self, fit: Fit) -> None:
        self.fit = fit
        self.shown = fit.settings.pair
        self.total = fit.settings.now.steps(len(fit.points))
        sampler = fit.settings.now.kernel(fit.settings, fit.model)
        rows = self.total + 1
        self.positions = np.full((rows, fit.model.dimension), NOTHING)
        self.value = np.full(rows, NOTHING)
        self.ellipse = np.full((rows, 5), NOTHING)
        self.arrow, self.gradient = np.full((rows, 2), NOTHING), np.full((rows, 2), NOTHING)
        self.lost = np.zeros(rows, np.uint8)
        super().__init__(Chain(sampler, fit.seed, keep=KEPT))

    def add(self, t: int, state: Any) -> None:
        self.positions[t], self.value[t] = state.position, state.log_density

    def lowest(self, low: float, first: float) -> float:
        """Return where the axis of the trace begins, of the lowest and the first value."""
        return low


def laplace_ellipse(found: Laplace, shown: slice) -> np.ndarray:
    """Return the ellipse of two of the weights while the others stay at the mode, as the contours have them."""
    others = np.delete(np.arange(len(found.mode)), shown)
    covariance = found.covariance[shown, shown]
    if others.size:
        across = found.covariance[shown, others]
        covariance = covariance - across @ np.linalg.pinv(found.covariance[np.ix_(others, others)]) @ across.T
    return ellipse(found.mode[shown], covariance)


def ellipse(centre: np.ndarray, covariance: np.ndarray, radius: float = 1.0) -> np.ndarray:
    """Return (mx, my, a, b, c), which draw the ellipse (w - centre)ᵀ covariance⁻¹ (w - centre) = radius².

    It is centre + L (cos, sin), where L has the rows (a, 0) and (b, c): the lower triangular factor of the covariance,
    times the radius. Where rounding errors leave no such factor, all is NaN.
    """
    try:
        factor = radius * np.linalg.cholesky(covariance)
    except np.linalg.LinAlgError:
        return np.full(5, NOTHING)
    return np.array([*centre, factor[0, 0], factor[1, 0], factor[1, 1]])
