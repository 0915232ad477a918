"""One path by hand: a place and a momentum are given, and leapfrog steps follow, without any chance."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, for_each
from samplers.gradient.hmc import Point, Trajectory, leapfrog, point_at, without_tree
from samplers.log_density import LogDensityWithGradient, as_start
from samplers.recipe import Kernel


class Throw(Kernel[Point, Point]):
    """Leapfrog steps from a given place with a given momentum; a step is one of them, and so is its record.

    Parameters
    ----------
    target : LogDensityWithGradient
        The log density.
    step_size : float
        Of a leapfrog step, above 0.
    start, momentum : array_like
        Where it is thrown from, and with what momentum, finite numbers of shape (D,).
    inverse_mass : array_like, optional
        Of the diagonal mass matrix, above 0: one number or shape (D,); 1 if left out.

    Raises
    ------
    ValueError
        If a setting is out of range.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.gradient.plane_targets import CorrelatedNormal
    >>> chain = Chain(Throw(CorrelatedNormal(0.0), 0.5, [1.0, 0.0], [0.0, 1.0]), seed=0)
    >>> chain[1].position
    array([0.875, 0.5  ])
    """

    def __init__(
        self,
        target: LogDensityWithGradient,
        step_size: float,
        start: ArrayLike,
        momentum: ArrayLike,
        inverse_mass: ArrayLike = 1.0,
    ) -> None:
        self.target = target
        self.step_size = finite_above("step_size", step_size, 0)
        self.start = as_start(target, start)
        self.momentum = np.array(momentum, float)
        if self.momentum.shape != self.start.shape or not np.isfinite(self.momentum).all():
            raise ValueError(f"momentum must be {self.start.size} finite numbers, got {momentum!r}")
        self.inverse_mass = for_each("inverse_mass", inverse_mass, self.start.size)

    def init(self, rng: np.random.Generator) -> Point:
        """Return the start, with the momentum."""
        log_density, gradient = self.target.log_density_and_gradient(self.start)
        return point_at(self.start, self.momentum, self.inverse_mass, log_density, gradient)

    def step(self, state: Point, rng: np.random.Generator) -> tuple[Point, Point]:
        """Return the point one leapfrog step on, twice; the one that was given stays as it is."""
        with np.errstate(all="ignore"):  # a path that diverges may run off to infinity
            point = leapfrog(self.target, state, self.step_size, self.inverse_mass)
        return point, point

    def trajectory(self, points: Sequence[Point]) -> Trajectory:
        """Return points from the start on as a path whose end would be accepted or rejected; nothing is drawn."""
        return without_tree(points, self.step_size, self.inverse_mass)
