"""A run over the weights: steps of an optimiser, steps of a chain, or one more point at a time."""

from typing import Any

import numpy as np

from pages.player.run import KEPT, Run
from pages.stages.logistic.fit import Fit
from samplers import Chain
from samplers.log_density import NoMode
from samplers.regression.laplace import Laplace, spread
from samplers.regression.metropolis import RandomWalkMetropolis
from samplers.regression.optimise import Optimiser, OptimiserStep

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
        self.shown = fit.settings.shown
        self.total = fit.settings.steps(len(fit.points))
        sampler = fit.settings.sampler_of(fit.model, len(fit.points))
        rows = self.total + 1
        self.positions = np.full((rows, fit.model.dimension), NOTHING)
        self.value = np.full(rows, NOTHING)
        self.ellipse = np.full((rows, 5), NOTHING)
        self.arrow, self.gradient = np.full((rows, 2), NOTHING), np.full((rows, 2), NOTHING)
        self.lost = np.zeros(rows, np.uint8)
        self.laplaces: dict[int, Laplace] = {}  # by the number of points, where points are added
        super().__init__(Chain(sampler, fit.seed, keep=KEPT))

    def add(self, t: int, state: Any) -> None:
        """Keep the charts' columns of iteration t."""
        if self.fit.settings.method == "points":
            self._add_points(t)
            return
        self.positions[t] = state.position
        sampler = self.chain.sampler
        if isinstance(sampler, Optimiser):
            self.value[t] = state.log_density
            self._add_step(t, self.chain.record(t + 1))
        elif isinstance(sampler, RandomWalkMetropolis):
            self.value[t] = state.log_density
            if t:
                self.arrow[t] = self.chain.record(t).position[self.shown]

    def _add_step(self, t: int, inside: OptimiserStep) -> None:
        """Keep what the charts need of the step from iteration t to the next."""
        length = float(np.linalg.norm(inside.gradient[self.shown]))
        if length > LEVEL:
            self.gradient[t] = -inside.gradient[self.shown] / length
        if inside.diverged:
            self.lost[t + 1 :] = True
            return
        self.arrow[t] = inside.proposed[self.shown]
        covariance = np.linalg.inv(inside.quadratic.curvature)[self.shown, self.shown]
        away = (inside.quadratic.centre - inside.proposed)[self.shown]
        radius = float(np.sqrt(max(0.0, away @ np.linalg.solve(covariance, away))))
        self.ellipse[t] = ellipse(inside.proposed[self.shown], covariance, radius)

    def _add_points(self, t: int) -> None:
        settings, fit = self.fit.settings, self.fit
        try:
            found = settings.approximation(settings.model(fit.points[:t], fit.labels[:t]))
        except NoMode:
            return
        self.laplaces[t] = found
        self.positions[t] = found.mode
        self.value[t] = spread(found)
        self.ellipse[t] = laplace_ellipse(found, self.shown)


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
