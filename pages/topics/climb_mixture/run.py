"""Runs of a climb, and of the Gibbs sampler beside it, with what the charts need of each."""

from typing import Any

import numpy as np
from scipy import special

from lessons.topics.climb_mixture import ClimbMixtureSettings
from lessons.topics.climb_mixture.means import Mixed, of_mean, of_q
from pages.drawing.palette import COLORS
from pages.player.run import KEPT, Run
from pages.scenes.points.model import factor
from samplers import Chain
from samplers.climb.halves import ClimbState
from samplers.climb.variational import VariationalBayes

PLACES = 120  # of a density
FIELDS = ("mx", "my", "a", "b", "c", "share", "count")  # centre, factor of the covariance, weight, points
RGB = np.array([[int(color[start : start + 2], 16) for start in (1, 3, 5)] for color in COLORS], float)


class ClimbRun(Run[ClimbState]):
    """The half-steps of one climb.

    Parameters
    ----------
    settings : ClimbMixtureSettings
        The points, the model and the chosen point.
    method : str
        By which to climb.
    data : numpy.ndarray
        The points, shape (N, D).
    seed : int
        Of the start.
    grid : numpy.ndarray
        Places of the first coordinate, at which the density of a mean is computed.

    Attributes
    ----------
    colors : numpy.ndarray
        Red, green and blue of each point, mixed from its components by its responsibilities, shape (T + 1, 3, N).
    shares : numpy.ndarray
        Responsibilities, shape (T + 1, N, K).
    components : numpy.ndarray
        Of each component the numbers in `FIELDS`, shape (T + 1, fields, K).
    bound, level, stuck : numpy.ndarray
        Shape (T + 1,).
    dense : bool
        Whether there is a q, and so a density of a mean.
    density : numpy.ndarray
        Of the mean of the chosen point's component under q, shape (T + 1, places); 0 without a q.
    """

    unit = "half-steps"

    def __init__(
        self, settings: ClimbMixtureSettings, method: str, data: np.ndarray, seed: int, grid: np.ndarray
    ) -> None:
        climb = settings.modes[method].climb(settings, data)
        self.method, self.grid, self.total = method, grid, settings.iterations
        self.point = settings.chosen(len(climb.data)) - 1
        rows, (size, number) = self.total + 1, (len(climb.data), climb.components)
        self.colors = np.empty((rows, 3, size), np.uint8)
        self.shares = np.empty((rows, size, number), np.float32)
        self.components = np.empty((rows, len(FIELDS), number))
        self.bound, self.level, self.stuck = (np.empty(rows) for _ in range(3))
        self.density = np.zeros((rows, PLACES))
        self.dense: bool = isinstance(climb, VariationalBayes)
        super().__init__(Chain(climb, seed, keep=KEPT))

    def add(self, t: int, state: ClimbState) -> None:
        climb: Any = self.chain.sampler
        self.shares[t] = state.responsibilities
        portions = state.responsibilities / np.maximum(state.responsibilities.sum(axis=1, keepdims=True), 1e-300)
        self.colors[t] = (portions @ RGB[np.arange(climb.components) % len(RGB)]).T.round()
        counts, weights = state.responsibilities.sum(axis=0), state.parts.weights
        for number, component in enumerate(state.parts.components):
            shape = factor(component.mean, component.covariance)
            self.components[t, :, number] = *shape, weights[number], counts[number]
        self.level[t], self.stuck[t] = climb.level(state), state.stuck
        self.bound[t] = state.bound
        if self.dense:
            self.density[t] = density(of_q(state, self.point), self.grid)


class GibbsRun(Run[Any]):
    """A Gibbs sampler of the posterior that variational Bayes approaches, a sweep beside each half-step.

    Attributes
    ----------
    density : numpy.ndarray
        Of the mean of the chosen point's component, averaged over the sweeps so far, shape (T + 1, places).
    """

    def __init__(self, settings: ClimbMixtureSettings, data: np.ndarray, seed: int, grid: np.ndarray) -> None:
        self.grid = grid
        sampler = settings.now.gibbs(settings, data)
        self.point = settings.chosen(len(sampler.data)) - 1
        self.density = np.zeros((settings.iterations + 1, PLACES))
        super().__init__(Chain(sampler, seed, keep=KEPT))

    def add(self, t: int, state: Any) -> None:
        """Add a sweep to the average; the start, which is no draw, counts for the first frame only."""
        now = density((np.ones(1), [state.clusters[state.labels[self.point]].posterior()]), self.grid)
        self.density[t] = now if t < 2 else self.density[t - 1] + (now - self.density[t - 1]) / t


def density(mixed: Mixed, grid: np.ndarray) -> np.ndarray:
    """Return the density of a mean at the places of a grid, shape (places,)."""
    shares, families = mixed
    found = np.zeros(len(grid))
    for share, family in zip(shares, families, strict=True):
        if share > 1e-9:
            location, scale, df = of_mean(family)
            found += share * _student((grid - location) / scale, df) / scale
    return found


def _student(z: np.ndarray, df: float) -> np.ndarray:
    if np.isinf(df):
        return np.asarray(np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi))
    constant = special.gammaln((df + 1) / 2) - special.gammaln(df / 2) - np.log(df * np.pi) / 2
    return np.asarray(np.exp(constant - (df + 1) / 2 * np.log1p(z**2 / df)))


def grid_of(rows: np.ndarray) -> np.ndarray:
    """Return places of the first coordinate that go a third of the points' width beyond them."""
    low, high = float(rows[:, 0].min()), float(rows[:, 0].max())
    beside = (high - low) / 3 or 1.0
    return np.linspace(low - beside, high + beside, PLACES)
