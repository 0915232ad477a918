"""All that follows from data and prior: the mode, Laplace's Normal, the exact posterior, and predictions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from lessons.stages.logistic import LogisticSettings
from samplers.log_density import NoMode
from samplers.regression.grid_posterior import GridPosterior, grid_posterior
from samplers.regression.laplace import Laplace
from samplers.regression.logistic import LogisticRegression
from samplers.regression.metropolis import RandomWalkMetropolis, run
from samplers.regression.predictives import draw_weights, predict_from_weights

CHAIN = 6_000  # steps that stand for the exact posterior where a grid cannot hold it
THIN = 5
MOST_CELLS = 200_000  # of a grid: a map is averaged over a quarter of them within a second


@dataclass(frozen=True, eq=False)
class Fit:
    """A model with its data, its approximations and its predictions.

    Attributes
    ----------
    settings : LogisticSettings
        What the learner chose.
    points, labels : numpy.ndarray
        Shapes (N, 2) and (N,).
    seed : int
        Of everything that is drawn.
    """

    settings: LogisticSettings
    points: np.ndarray
    labels: np.ndarray
    seed: int

    def at(self, t: int) -> Fit:
        """Return the fit after t steps: of the first t points where points are added, and else this one."""
        if self.settings.method != "points":
            return self
        return replace(self, points=self.points[:t], labels=self.labels[:t])

    @cached_property
    def model(self) -> LogisticRegression:
        """The regression, by the prior that the rule makes of λ."""
        return self.settings.model(self.points, self.labels)

    @cached_property
    def _approximation(self) -> Laplace | str:
        try:
            return self.settings.approximation(self.model)
        except NoMode as error:
            return str(error)

    @property
    def laplace(self) -> Laplace | None:
        """Laplace's Normal; None if there is no mode."""
        return None if isinstance(self._approximation, str) else self._approximation

    @property
    def problem(self) -> str | None:
        """Why there is no mode, in a sentence; None if there is one."""
        return self._approximation if isinstance(self._approximation, str) else None

    @cached_property
    def draws(self) -> np.ndarray:
        """Weights drawn from Laplace's Normal, shape (draws, D); none if there is no mode."""
        if self.laplace is None:
            return np.empty((0, self.model.dimension))
        rng = np.random.default_rng((self.seed, self.settings.draws))
        return draw_weights(self.laplace.mode, self.laplace.covariance, self.settings.draws, rng)

    @cached_property
    def grid(self) -> GridPosterior | None:
        """The posterior on a grid; None with more than two weights, without a mode, or if it takes too many cells."""
        if self.laplace is None or self.model.dimension > 2:
            return None
        try:
            found = grid_posterior(self.model)
        except ValueError:  # too wide for its finest details
            return None
        return found if found.density.size <= MOST_CELLS else None

    @cached_property
    def chain(self) -> np.ndarray:
        """Weights of a long Metropolis chain, shape (draws, D): the exact posterior where there is no grid."""
        if self.laplace is None:
            return np.empty((0, self.model.dimension))
        scale = 2.4 / np.sqrt(self.model.dimension) * np.sqrt(self.laplace.covariance.diagonal())
        chain = RandomWalkMetropolis(self.model, scale, self.laplace.mode)
        return run(chain, CHAIN, np.random.default_rng((self.seed, CHAIN)))[THIN - 1 :: THIN]

    def features(self, places: np.ndarray) -> np.ndarray:
        """Return the features of places in the plane, shape (P, D)."""
        return self.settings.features_of(places)

    def predict(self, by: str, places: np.ndarray) -> np.ndarray:
        """Return the probability of class 1 at places of shape (P, 2) by one of the predictives; 1/2 without a mode."""
        if self.laplace is None:
            return np.full(len(places), 0.5)
        features = self.features(places)
        if by == "Monte Carlo":
            return predict_from_weights(features, self.draws)
        if by == "exact":
            return self.grid.predict(features) if self.grid else predict_from_weights(features, self.chain)
        return self.settings.predictive_by(by)(features, self.laplace.mode, self.laplace.covariance)
