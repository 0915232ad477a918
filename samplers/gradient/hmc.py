"""Hamiltonian Monte Carlo: each step draws a momentum and follows it, steered by the gradient of a log density.

Neal (2011, MCMC using Hamiltonian dynamics, in the Handbook of Markov Chain Monte Carlo), section 5.3; the names are
those of the Stan reference manual, chapter "MCMC sampling". The record of a step is a `Trajectory`, which contains the
next state.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, inf, isfinite, isnan
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, whole_from
from samplers.log_density import LogDensityWithGradient, PositionState, variables_of
from samplers.portable import dot
from samplers.recipe import Kernel

MOST_ENERGY_ERROR = 1000.0  # beyond it the path no longer follows the true one: a divergence, as in Stan
MOST_STARTS = 100
START_RADIUS = 2.0


class Point(NamedTuple):
    """A point of a trajectory. Its energy is the kinetic energy minus the log density."""

    position: np.ndarray  # (D,)
    momentum: np.ndarray  # (D,)
    velocity: np.ndarray  # inverse mass times momentum, (D,)
    log_density: float
    gradient: np.ndarray  # of the log density, (D,)
    energy: float  # inf where the log density is NaN
    step: int  # number of leapfrog steps from the start; negative for backwards in time


class Coin(NamedTuple):
    """A coin that decides between two trees: the new tree's point is chosen if the uniform is below the probability."""

    probability: float
    uniform: float


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The record of one iteration."""

    points: tuple[Point, ...]  # all computed points, in order of time
    # start, chosen: the places of the start, with the drawn momentum, and of the new state among the points
    start: int
    chosen: int
    # for each point, the doubling that made it: 0 for the start, then 1, 2, …; without a tree, 1 for all others
    doublings: tuple[int, ...]
    offered: tuple[bool, ...]  # whether each point could have been chosen. Points of a discarded doubling could not.
    # the mean of min(1, exp(energy at the start - energy)) over all points except the start; without a tree, its value
    # at the last point, which is the probability of acceptance
    accept_statistic: float
    # without a tree, the number in [0, 1) that was compared with that probability; None if none was drawn
    uniform: float | None
    # the first and last point of the stretch whose ends began to approach each other, which ended the trajectory
    turn: tuple[int, int] | None
    divergent: int | None  # the point at which the energy was off by more than 1,000
    depth: int  # the number of doublings that were kept; 0 without a tree
    step_size: float  # the size of the leapfrog steps
    inverse_mass: np.ndarray  # the inverse of the diagonal mass matrix, shape (D,)
    # one for each doubling that was kept: whether the point came from its new half. Empty without a tree.
    coins: tuple[Coin, ...] = ()

    def statistics(self) -> dict[str, Any]:
        """Return statistics of the trajectory, by ArviZ's names."""
        return {
            "acceptance_rate": self.accept_statistic,
            "step_size": self.step_size,
            "tree_depth": self.depth,
            "n_steps": self.leapfrogs,
            "diverging": self.divergent is not None,
            "energy": self.points[self.chosen].energy,
        }

    @property
    def momentum(self) -> np.ndarray:
        """The drawn momentum, shape (D,)."""
        return self.points[self.start].momentum

    @property
    def leapfrogs(self) -> int:
        """The number of leapfrog steps, each with one gradient."""
        return len(self.points) - 1

    @property
    def order(self) -> np.ndarray:
        """The places of the points in the order of their computation: doubling by doubling, outwards."""
        return np.lexsort(([abs(point.step) for point in self.points], self.doublings))

    @property
    def positions(self) -> np.ndarray:
        """Positions of the points, shape (points, D)."""
        return np.array([point.position for point in self.points])

    @property
    def momenta(self) -> np.ndarray:
        """Momenta of the points, shape (points, D)."""
        return np.array([point.momentum for point in self.points])

    @property
    def energies(self) -> np.ndarray:
        """Energies of the points, shape (points,)."""
        return np.array([point.energy for point in self.points])


@dataclass(frozen=True, eq=False)
class HMCState(PositionState):
    """The position of a chain, and the settings of its next iteration."""

    gradient: np.ndarray  # the gradient of the log density at the position, shape (D,)
    step_size: float  # the step size of the next iteration
    inverse_mass: np.ndarray  # the inverse of the diagonal mass matrix for the next iteration, shape (D,)
    iteration: int = 0  # the number of iterations so far


H = TypeVar("H", bound=HMCState)


class HamiltonianSampler(Kernel[H, Trajectory]):
    """Base class of HMC and NUTS: the start, and the step from a trajectory to the next state.

    Parameters
    ----------
    target : LogDensityWithGradient
        The log density.
    inverse_mass : array_like, optional
        The inverse of the diagonal mass matrix, above 0, shape (D,); all 1 if left out. Best: the target's variances.
    start : array_like, optional
        The first position, shape (D,). If left out, each coordinate is drawn uniformly from -2 to 2, as in Stan.
    """

    of_a_posterior = True

    def __init__(
        self, target: LogDensityWithGradient, inverse_mass: ArrayLike | None = None, start: ArrayLike | None = None
    ) -> None:
        self.target = target
        self.dimension = whole_from("dimension", target.dimension, 1)
        mass = np.ones(self.dimension) if inverse_mass is None else np.array(inverse_mass, float)
        if mass.shape != (self.dimension,) or not (np.isfinite(mass) & (mass > 0)).all():
            raise ValueError(f"inverse_mass must be {self.dimension} finite numbers > 0, got {inverse_mass!r}")
        self.inverse_mass = mass
        self.start = None if start is None else np.array(start, float)
        if self.start is not None and self.start.shape != (self.dimension,):
            raise ValueError(f"start must be {self.dimension} numbers, got the shape {self.start.shape}")

    def init(self, rng: np.random.Generator) -> H:
        """Return a first state.

        Raises
        ------
        ValueError
            If log density or gradient are not finite at the given start, or at any of 100 drawn ones.
        """
        for _ in range(MOST_STARTS if self.start is None else 1):
            position = rng.uniform(-START_RADIUS, START_RADIUS, self.dimension) if self.start is None else self.start
            with np.errstate(all="ignore"):
                log_density, gradient = self.target.log_density_and_gradient(position)
                if isfinite(log_density) and np.isfinite(gradient).all():
                    return self._first_state(position, log_density, gradient, rng)
        where = f"at any of {MOST_STARTS} that were drawn" if self.start is None else f"at {self.start}"
        raise ValueError(f"log density and gradient must be finite at the start, and were not {where}")

    def variables(self, state: H) -> dict[str, Any]:
        """Return the parameters at the chain's position, and the log density there."""
        return variables_of(self.target, state)

    def step(self, state: H, rng: np.random.Generator) -> tuple[H, Trajectory]:
        """Return the state after one more iteration, and its trajectory; the given state does not change."""
        with np.errstate(all="ignore"):  # a divergent path may run off to infinity, which is reported as a divergence
            trajectory = self._trajectory(draw_start(state, rng), state, rng)
            chosen = trajectory.points[trajectory.chosen]
            moved = replace(
                state,
                position=chosen.position,
                log_density=chosen.log_density,
                gradient=chosen.gradient,
                iteration=state.iteration + 1,
            )
            return self._adapted(moved, trajectory.accept_statistic, rng), trajectory

    @abstractmethod
    def _first_state(
        self, position: np.ndarray, log_density: float, gradient: np.ndarray, rng: np.random.Generator
    ) -> H:
        """Return the state before the first iteration."""

    @abstractmethod
    def _trajectory(self, start: Point, state: H, rng: np.random.Generator) -> Trajectory:
        """Follow the drawn momentum, and choose a point."""

    def _adapted(self, state: H, accept_statistic: float, rng: np.random.Generator) -> H:
        """Return the state with adapted settings: a hook, which changes nothing here."""
        return state


class HMC(HamiltonianSampler[HMCState]):
    """HMC with a fixed number of leapfrog steps; the last point is accepted or rejected.

    Parameters
    ----------
    target, inverse_mass, start
        As for `HamiltonianSampler`.
    step_size : float
        The size of a leapfrog step, above 0.
    leapfrog_steps : int
        The number of leapfrog steps per iteration, from 1. A divergent path ends early, and is rejected.

    Raises
    ------
    TypeError
        If leapfrog_steps is not an integer.
    ValueError
        If a setting is out of range.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.gradient.gaussian_marginal import GaussianMarginal
    >>> two_means = GaussianMarginal([-1.9, -2.1, 2.0], 2)
    >>> sampler = HMC(two_means, step_size=0.2, leapfrog_steps=8, start=[0.0, 0.5])
    >>> chain = Chain(sampler, seed=1)
    >>> path = chain.record(1)
    >>> path.positions.shape, path.chosen
    ((9, 2), 8)
    >>> (chain[1].position == path.positions[8]).all()
    np.True_
    """

    def __init__(
        self,
        target: LogDensityWithGradient,
        step_size: float,
        leapfrog_steps: int,
        inverse_mass: ArrayLike | None = None,
        *,
        start: ArrayLike | None = None,
    ) -> None:
        super().__init__(target, inverse_mass, start)
        self.step_size = finite_above("step_size", step_size, 0)
        self.leapfrog_steps = whole_from("leapfrog_steps", leapfrog_steps, 1)

    def _first_state(
        self, position: np.ndarray, log_density: float, gradient: np.ndarray, rng: np.random.Generator
    ) -> HMCState:
        return HMCState(position, log_density, gradient, self.step_size, self.inverse_mass)

    def _trajectory(self, start: Point, state: HMCState, rng: np.random.Generator) -> Trajectory:
        points = [start]
        while len(points) <= self.leapfrog_steps and not diverges(start, points[-1]):
            points.append(leapfrog(self.target, points[-1], state.step_size, state.inverse_mass))
        path, uniform = without_tree(points, state.step_size, state.inverse_mass), rng.random()
        return replace(path, chosen=path.chosen if uniform < path.accept_statistic else 0, uniform=uniform)


def without_tree(points: Sequence[Point], step_size: float, inverse_mass: np.ndarray) -> Trajectory:
    """Return points from the start on as a path whose end may be chosen, unless it diverged; nothing is drawn."""
    last, diverged = len(points) - 1, diverges(points[0], points[-1])
    return Trajectory(
        points=tuple(points),
        start=0,
        chosen=last,
        doublings=(0,) + (1,) * last,
        offered=(True,) + (False,) * max(0, last - 1) + (not diverged,) * min(1, last),
        accept_statistic=0.0 if diverged else acceptance(points[0], points[-1]),
        uniform=None,
        turn=None,
        divergent=last if diverged else None,
        depth=0,
        step_size=step_size,
        inverse_mass=inverse_mass,
    )


def draw_start(state: HMCState, rng: np.random.Generator) -> Point:
    """Return the state's point with a momentum drawn from Normal(0, mass)."""
    momentum = rng.standard_normal(len(state.position)) / np.sqrt(state.inverse_mass)
    return point_at(state.position, momentum, state.inverse_mass, state.log_density, state.gradient)


def leapfrog(target: LogDensityWithGradient, point: Point, step_size: float, inverse_mass: np.ndarray) -> Point:
    """Return the point after one leapfrog step: half a kick, a drift, and half a kick by the new gradient.

    Neal (2011), equations 5.18 to 5.20. A step preserves volume, and a step back in time, whose size is negative,
    reverses it. The inverse of the diagonal mass matrix has the shape (D,).
    """
    half_kicked = point.momentum + (0.5 * step_size) * point.gradient
    position = point.position + step_size * (inverse_mass * half_kicked)
    log_density, gradient = target.log_density_and_gradient(position)
    momentum = half_kicked + (0.5 * step_size) * gradient
    step = point.step + (1 if step_size > 0 else -1)
    return point_at(position, momentum, inverse_mass, log_density, gradient, step)


def point_at(
    position: np.ndarray,
    momentum: np.ndarray,
    inverse_mass: np.ndarray,
    log_density: float,
    gradient: np.ndarray,
    step: int = 0,
) -> Point:
    """Return a point with its velocity and energy."""
    velocity = inverse_mass * momentum
    energy = 0.5 * dot(momentum, velocity) - log_density
    return Point(position, momentum, velocity, log_density, gradient, inf if isnan(energy) else energy, step)


def acceptance(start: Point, point: Point) -> float:
    """Return the Metropolis acceptance probability, min(1, exp(energy at the start - energy))."""
    return exp(min(0.0, start.energy - point.energy))


def diverges(start: Point, point: Point) -> bool:
    """Return whether the energy exceeds that of the start by more than 1,000."""
    return point.energy - start.energy > MOST_ENERGY_ERROR
