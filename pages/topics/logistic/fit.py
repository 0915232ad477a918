"""All that follows from data and prior: the mode, Laplace's Normal, the exact posterior, and predictions."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import log10, pi, sqrt
from typing import ClassVar, Self

import numpy as np
from scipy.special import expit, softmax

from lessons.data.columns import AXES, REACH, Column
from lessons.topics.logistic import LogisticSettings
from pages.drawing.contours import level_lines
from pages.drawing.plane import GRID, crossings, grid_places
from samplers.data.planes import NOISE
from samplers.diagnostics.convergence import diagnose
from samplers.log_density import FunctionLogDensity, NoMode
from samplers.regression.grid_posterior import GridPosterior, grid_posterior
from samplers.regression.importance import WeightedDraws, importance_draws
from samplers.regression.laplace import Laplace, laplace_approximation
from samplers.regression.linear import LinearModel
from samplers.regression.logistic import LogisticRegression
from samplers.regression.metropolis import RandomWalkMetropolis, run
from samplers.regression.predictives import activation, draw_weights, predict_from_weights
from samplers.regression.softmax import predict_softmax

NUMBERS, MOST_DRAWS = 600_000, 100_000  # of weighted draws that stand for the posterior where a grid cannot hold it
LEAST_WORTH = 300  # below it the weights are too uneven, and a chain stands for the posterior
CHAIN, THIN = 6_000, 5
OVER_A_MAP = 2_000  # draws that a map of the plane is averaged over
FEW_PLACES = 100  # up to which all draws are averaged over
PART = 85  # of a byte's 256 values that one of three classes has, from not sure to certain
MOST_CELLS = 200_000  # of a grid: a map is averaged over a quarter of them within a second


@dataclass(frozen=True, eq=False)
class Fit:
    """A model with its data, its approximations and its predictions; this one of two classes.

    Attributes
    ----------
    settings : LogisticSettings
        What the learner chose.
    points, labels : numpy.ndarray
        Shapes (N, 2) and (N,).
    seed : int
        Of everything that is drawn.
    columns : (Column, Column)
        Of the points.
    by_weights : callable
        ``by_weights(features, weights, shares)`` averages a prediction over weights.
    """

    by_weights = staticmethod(predict_from_weights)
    classes: ClassVar[int] = 2  # 0 of numbers
    point: ClassVar[str] = " is of class {label}."  # said of a point after its place
    before: ClassVar[str] = "labels are before the weights are known, by Laplace"  # what the evidence is

    settings: LogisticSettings
    points: np.ndarray
    labels: np.ndarray
    seed: int
    columns: tuple[Column, Column] = AXES

    def first(self, t: int) -> Self:
        """Return the fit of the first t points."""
        return replace(self, points=self.points[:t], labels=self.labels[:t])

    @cached_property
    def model(self) -> LinearModel:
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
        """The posterior of two classes on a grid; None with more than two weights or no mode, or if it is too large."""
        if self.laplace is None or self.model.dimension > 2 or not isinstance(self.model, LogisticRegression):
            return None
        try:
            found = grid_posterior(self.model)
        except ValueError:  # too wide for its finest details
            return None
        return found if found.density.size <= MOST_CELLS else None

    @cached_property
    def posterior(self) -> WeightedDraws:
        """Draws that stand for the posterior where there is no grid: weighted ones or, if that fails, a chain."""
        assert self.laplace is not None  # whoever asks has looked
        mode, covariance, _ = self.laplace
        draws = min(MOST_DRAWS, NUMBERS // len(mode))
        found = importance_draws(self.model, mode, covariance, draws, np.random.default_rng(0))
        return found if found.worth >= LEAST_WORTH else self._chain(mode, covariance)

    def _chain(self, mode: np.ndarray, covariance: np.ndarray) -> WeightedDraws:
        """Return a chain that walks where Laplace's Normal is round, and what it is worth by its worst direction."""
        factor = np.linalg.cholesky(covariance)
        round_target = FunctionLogDensity(len(mode), lambda place: self.model.log_density(mode + factor @ place))
        walk = RandomWalkMetropolis(round_target, 2.4 / np.sqrt(len(mode)), np.zeros(len(mode)))
        chain = run(walk, CHAIN, np.random.default_rng(CHAIN))
        worth = min(diagnose(along[None]).ess_bulk or 1.0 for along in chain.T)
        kept = mode + chain[THIN - 1 :: THIN] @ factor.T
        return WeightedDraws(kept, np.full(len(kept), 1 / len(kept)), worth)

    @property
    def scatters(self) -> bool:
        """Whether averages over draws have an error that is shown: of two classes with a mode."""
        return self.laplace is not None

    @property
    def estimated(self) -> bool:
        """Whether the average over the posterior itself is an estimate, from draws."""
        return self.laplace is not None and self.grid is None

    def error(self, place: np.ndarray) -> np.ndarray:
        """Return the standard error of the average over the posterior at a place, shape (1, 2)."""
        return self.posterior.average(self._each(self.features(place), self.posterior.positions))[1]

    def _each(self, features: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return the probabilities of each weight vector at the only place, shape (S, answers)."""
        return expit(weights @ features.T)

    def _averaged(self, features: np.ndarray) -> np.ndarray:
        """Return the average over the draws of the posterior, at many places over the first of them alone."""
        posterior = self.posterior if len(features) <= FEW_PLACES else self.posterior.first(OVER_A_MAP)
        return self.by_weights(features, posterior.positions, posterior.shares)

    @property
    def straight(self) -> bool:
        """Whether weights are undecided on one straight line; three classes part on several."""
        return self.settings.features == "linear"

    @cached_property
    def _maps(self) -> dict[str, np.ndarray]:
        return {}

    def map(self, by: str) -> np.ndarray:
        """Return `predict` at every place of a map of the plane, computed once."""
        if by not in self._maps:
            self._maps[by] = self.predict(by, grid_places())
        return self._maps[by]

    @cached_property
    def coarse(self) -> np.ndarray:
        """Features where lines of the plane are looked for, shape (39 · 29, D)."""
        return self.features(crossings(*COARSE))

    def lines(self, weights: np.ndarray) -> list[np.ndarray]:
        """Return the lines of the plane on which these weights are undecided, corners of shape (.., 2) each."""
        return zeros(self.coarse @ weights, self.straight)

    def shades(self, weights: np.ndarray) -> np.ndarray:
        """Return the probabilities at the coarse crossings by many weights, shape (T, D): a byte each for 0 to 1."""
        return (255 * expit(weights @ self.coarse.T)).astype(np.uint8)

    def log_evidence(self, precision: float) -> float:
        """Return Laplace's log evidence with another prior precision, by the right formulas."""
        changes = {"prior": "normal", "log_precision": log10(precision), "rule": "right"}
        right = self.settings.model_copy(update=changes)
        return laplace_approximation(right.model(self.points, self.labels)).log_evidence

    def features(self, places: np.ndarray) -> np.ndarray:
        """Return the features of places in the plane, shape (P, D)."""
        return self.settings.features_of(places)

    def predict(self, by: str, places: np.ndarray) -> np.ndarray:
        """Return the probability of class 1 at places of shape (P, 2) by one of the predictives; 1/2 without a mode."""
        if self.laplace is None:
            return np.full(len(places), 0.5)
        features = self.features(places)
        if by == "Monte Carlo":
            return self.by_weights(features, self.draws)
        if by == "exact":
            return self.grid.predict(features) if self.grid else self._averaged(features)
        return self.settings.predictive_by(by)(features, self.laplace.mode, self.laplace.covariance)


class SoftmaxFit(Fit):
    """That of three classes, with a vector of weights for each."""

    by_weights = staticmethod(predict_softmax)
    classes = 3
    straight = False
    scatters = False

    def lines(self, weights: np.ndarray) -> list[np.ndarray]:
        """Return the borders of the regions of the first two classes, which are all that there are."""
        activations = self.coarse @ weights.reshape(3, -1).T
        others = [np.delete(activations, label, axis=1).max(axis=1) for label in (0, 1)]
        return [line for label in (0, 1) for line in zeros(activations[:, label] - others[label], straight=False)]

    def shades(self, weights: np.ndarray) -> np.ndarray:
        """Return the most probable class at the coarse crossings, and how sure it is, together in a byte each."""
        probabilities = softmax(self.coarse @ weights.reshape(-1, 3, self.coarse.shape[1]).transpose(0, 2, 1), axis=2)
        sure = (3 * probabilities.max(axis=2) - 1) / 2
        return (PART * probabilities.argmax(axis=2) + (PART - 1) * sure).astype(np.uint8)

    def predict(self, by: str, places: np.ndarray) -> np.ndarray:
        if self.laplace is None:
            return np.full((len(places), 3), 1 / 3)
        features = self.features(places)
        if by == "exact":
            return self._averaged(features)
        return self.by_weights(features, self.laplace.mode[None] if by == "plug-in" else self.draws)

    def _each(self, features: np.ndarray, weights: np.ndarray) -> np.ndarray:
        return softmax(weights.reshape(len(weights), 3, -1) @ features[0], axis=1)


class LineFit(Fit):
    """That of numbers around a line: points are (x, t), and their labels mean nothing."""

    classes = 0
    point = "."
    before = "numbers are before the weights are known, exactly"
    straight = True
    estimated = False
    scatters = False
    highest = 1 / (NOISE * sqrt(2 * pi))  # density of a number whose line is known, at the line

    def lines(self, weights: np.ndarray) -> list[np.ndarray]:
        """Return the line of these weights, from one side of the plane to the other."""
        if not np.isfinite(weights).all():
            return []
        ends = np.array([-REACH[0], REACH[0]])
        return [np.column_stack([ends, weights[0] + weights[1] * ends])]

    def predict(self, by: str, places: np.ndarray) -> np.ndarray:
        """Return the density of the number t at x at places (x, t), shape (P,)."""
        mean, deviation = self.predicted(by, places)
        return np.exp(-0.5 * ((places[:, 1] - mean) / deviation) ** 2) / (deviation * sqrt(2 * pi))

    def predicted(self, by: str, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return mean and standard deviation of the number at places (x, anything), shape (P,) each."""
        if self.laplace is None:
            return np.zeros(len(places)), np.full(len(places), np.inf)
        mean, variance = activation(self.features(places), self.laplace.mode, self.laplace.covariance)
        return mean, np.sqrt(NOISE**2 + variance * (by != "plug-in"))

    def band(self) -> list[tuple[float, np.ndarray]]:
        """Return the mean (level 0) and two standard deviations on each side, as lines across the plane."""
        places = np.column_stack([GRID[0], np.zeros(len(GRID[0]))])
        mean, deviation = self.predicted(self.settings.averages, places)
        return [(abs(away), np.column_stack([GRID[0], mean + away * deviation])) for away in (-2.0, 0.0, 2.0)]


FITS: dict[str, type[Fit]] = {"logistic": Fit, "softmax": SoftmaxFit, "normal": LineFit}
"""By the likelihood of the data."""


# ---- lines of the plane on which numbers change sign: there the weights are undecided --------------------------------


COARSE = np.linspace(-REACH[0], REACH[0], 39), np.linspace(-REACH[1], REACH[1], 29)
CORNERS = REACH * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)])  # of the plane, and the first again
"""The grid on which a line of the plane is searched."""


def zeros(activations: np.ndarray, straight: bool) -> list[np.ndarray]:
    """Return the lines where activations at the coarse crossings change sign; of straight ones, their ends."""
    if not np.isfinite(activations).all() or not activations.any():
        return []
    x, y = COARSE
    heights = activations.reshape(len(y), len(x))
    if straight:
        return _across(*(float(heights[j, i]) for j, i in ((0, 0), (0, -1), (-1, -1), (-1, 0))))
    return [line for _, line in level_lines(x, y, heights, [0.0])]


def _across(*heights: float) -> list[np.ndarray]:
    """Return the line on which a plane is 0, from its heights at the corners, counter-clockwise from the lower left."""
    ends = {}
    for place, (one, other) in enumerate(pairwise((*heights, heights[0]))):
        if (one > 0) != (other > 0):
            share = other / (other - one)
            ends[one > 0] = share * CORNERS[place] + (1 - share) * CORNERS[place + 1]
    return [np.array([ends[False], ends[True]])] if ends else []
