"""Hamiltonian Monte Carlo: a momentum is drawn, and the gradient of a log density steers where it leads.

Neal (2011, MCMC using Hamiltonian dynamics, in the Handbook of Markov Chain Monte Carlo), section 5.3; the names are
those of the Stan reference manual, chapter "MCMC sampling". The record of a step is a `Trajectory`, and the next state
is read from it.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import exp, inf, isfinite, isnan
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above, whole_from
from samplers.gradient.portable import dot
from samplers.log_density import LogDensityWithGradient, PositionState, variables_of
from samplers.recipe import Kernel

MOST_ENERGY_ERROR = 1000.0  # beyond it the path has nothing to do with the true one any more: a divergence, as in Stan
MOST_STARTS = 100
START_RADIUS = 2.0


class Point(NamedTuple):
    """A place on a trajectory. Its energy is the kinetic energy less the log density."""

    position: np.ndarray  # (D,)
    momentum: np.ndarray  # (D,)
    velocity: np.ndarray  # inverse mass times momentum, (D,)
    log_density: float
    gradient: np.ndarray  # of the log density, (D,)
    energy: float  # inf where the log density is no number
    step: int  # how many leapfrog steps from the start; negative backwards in time


class Coin(NamedTuple):
    """A coin that decides between two trees: the new one's point is taken if the uniform is below the probability."""

    probability: float
    uniform: float


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The record of one iteration.

    Attributes
    ----------
    points : tuple of Point
        All that were computed, in order of time.
    start, chosen : int
        Which of them it started from, with the momentum that was drawn, and which one is the new state.
    doublings : tuple of int
        For each point the doubling that it was made in: 0 for the start, then 1, 2, …; without a tree, all 1.
    offered : tuple of bool
        Whether a point could have been chosen. Those of a doubling that was thrown away could not.
    accept_statistic : float
        Mean over all points but the start of min(1, exp(energy at the start - energy)); without a tree, that of the
        last point alone, which is the probability of accepting it.
    uniform : float or None
        Without a tree, the number in [0, 1) that was compared with that probability; None where none was drawn.
    turn : tuple of int or None
        First and last point of the stretch whose ends were found to approach each other, which ended the trajectory.
    divergent : int or None
        The point at which the energy was off by more than 1,000.
    depth : int
        How many doublings were kept; 0 without a tree.
    step_size : float
        Of the leapfrog steps.
    inverse_mass : numpy.ndarray
        Inverse of the diagonal mass matrix, shape (D,).
    coins : tuple of Coin
        One for each doubling that was kept: whether the point came from its new half. None without a tree.
    """

    points: tuple[Point, ...]
    start: int
    chosen: int
    doublings: tuple[int, ...]
    offered: tuple[bool, ...]
    accept_statistic: float
    uniform: float | None
    turn: tuple[int, int] | None
    divergent: int | None
    depth: int
    step_size: float
    inverse_mass: np.ndarray
    coins: tuple[Coin, ...] = ()

    def statistics(self) -> dict[str, Any]:
        """Return what there is to say of the whole of it, by the names that ArviZ has."""
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
        """The momentum that was drawn, shape (D,)."""
        return self.points[self.start].momentum

    @property
    def leapfrogs(self) -> int:
        """How many leapfrog steps were made: one gradient each."""
        return len(self.points) - 1

    @property
    def order(self) -> np.ndarray:
        """Places of the points in the order in which they were made: doubling by doubling, outwards."""
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
    def log_densities(self) -> np.ndarray:
        """Log densities of the points, shape (points,)."""
        return np.array([point.log_density for point in self.points])

    @property
    def energies(self) -> np.ndarray:
        """Energies of the points, shape (points,)."""
        return np.array([point.energy for point in self.points])


@dataclass(frozen=True, eq=False)
class HMCState(PositionState):
    """Where a chain is, and how it goes on.

    Attributes
    ----------
    gradient : numpy.ndarray
        Of the log density at the position, shape (D,).
    step_size : float
        That the next iteration will take.
    inverse_mass : numpy.ndarray
        That the next iteration will use: the diagonal's inverse, shape (D,).
    iteration : int
        How many there have been.
    """

    gradient: np.ndarray
    step_size: float
    inverse_mass: np.ndarray
    iteration: int = 0


H = TypeVar("H", bound=HMCState)


class HamiltonianSampler(Kernel[H, Trajectory]):
    """Base of HMC and NUTS: the start, and how an iteration leads to the next state.

    Parameters
    ----------
    target : LogDensityWithGradient
        The log density.
    inverse_mass : array_like, optional
        Of the diagonal mass matrix, above 0, shape (D,); all 1 if left out. Best are the variances of the target.
    start : array_like, optional
        First position, shape (D,). If left out each of its numbers is drawn uniformly from -2 to 2, as in Stan.
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

    def replayed(self, step: int, frame: int) -> list[str]:
        """Return the lines that lead to a point of a step's trajectory."""
        if not step:
            return super().replayed(step, frame)
        return [
            f"state = chain[{step}]  # after iteration {step}, which is opened",
            f"path = chain.record({step})",
            f"place = path.order[{frame}] if {frame} < len(path.points) else path.chosen",
            "point = path.points[place]  # the one that is on the screen",
            'print("position =", point.position, "momentum =", point.momentum, "energy =", point.energy)',
        ]

    def init(self, rng: np.random.Generator) -> H:
        """Return a first state.

        Raises
        ------
        ValueError
            If log density or gradient are not finite at the start, or at none of 100 that were drawn.
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
        """Return the parameters where the chain is, and the log density there."""
        return variables_of(self.target, state)

    def step(self, state: H, rng: np.random.Generator) -> tuple[H, Trajectory]:
        """Return the state after one more iteration, and its path; the state that was given stays as it is."""
        with np.errstate(all="ignore"):  # a path that diverges may run off to infinity, which is then reported
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
        """Follow the momentum that was drawn, and choose a point."""

    def _adapted(self, state: H, accept_statistic: float, rng: np.random.Generator) -> H:
        """Return the state with its adapted parts: a hook, which here changes nothing."""
        return state


class HMC(HamiltonianSampler[HMCState]):
    """HMC with a fixed number of leapfrog steps, whose last point is accepted or rejected.

    Parameters
    ----------
    target : LogDensityWithGradient
        The log density.
    step_size : float
        Of a leapfrog step, above 0.
    leapfrog_steps : int
        How many an iteration makes, from 1. A path that diverges ends early, and is rejected.
    inverse_mass, start : array_like, optional
        As for `HamiltonianSampler`.

    Raises
    ------
    TypeError
        If leapfrog_steps is no integer.
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
        last = len(points) - 1
        divergent = diverges(start, points[last])
        probability = 0.0 if divergent else acceptance(start, points[last])
        uniform = rng.random()
        chosen = last if uniform < probability else 0
        return Trajectory(
            points=tuple(points),
            start=0,
            chosen=chosen,
            doublings=(0,) + (1,) * last,
            offered=(True,) + (False,) * (last - 1) + (not divergent,),
            accept_statistic=probability,
            uniform=uniform,
            turn=None,
            divergent=last if divergent else None,
            depth=0,
            step_size=state.step_size,
            inverse_mass=state.inverse_mass,
        )


def draw_start(state: HMCState, rng: np.random.Generator) -> Point:
    """Return the state's point with a momentum drawn from Normal(0, mass)."""
    momentum = rng.standard_normal(len(state.position)) / np.sqrt(state.inverse_mass)
    return point_at(state.position, momentum, state.inverse_mass, state.log_density, state.gradient)


def leapfrog(target: LogDensityWithGradient, point: Point, step_size: float, inverse_mass: np.ndarray) -> Point:
    """Return the point one leapfrog step on: half a kick, a drift, and half a kick by the gradient found there.

    Neal (2011), equations 5.18 to 5.20. It keeps volume, and a step back leads to where it came from.

    Parameters
    ----------
    target : LogDensityWithGradient
        The log density.
    point : Point
        Where to start.
    step_size : float
        Negative for a step back in time.
    inverse_mass : numpy.ndarray
        Of the diagonal mass matrix, shape (D,).
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
    """Return min(1, exp(energy at the start - energy)): by how much the point is as good as the start."""
    return exp(min(0.0, start.energy - point.energy))


def diverges(start: Point, point: Point) -> bool:
    """Return whether the energy is off by more than 1,000."""
    return point.energy - start.energy > MOST_ENERGY_ERROR
