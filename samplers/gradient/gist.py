"""GIST: HMC whose path length is one more label, drawn by weights that depend on where it begins.

Bou-Rabee, Carpenter & Marsden (2024), *GIST: Gibbs self-tuning for locally adaptive Hamiltonian Monte Carlo*, section 2
(algorithm 1: a tuning parameter is refreshed like a momentum, and the end is accepted by the ratio of the joint
densities) and section 4 (the number of steps until the path turns back). A path that turns back after M steps has its
length L drawn from ⌈ψ M⌉, ..., M, each as probable. Followed back from its end, the path turns after M' steps, and the
same length had the weight 1 / (number of lengths there), or 0: the way back would never be taken, and the end is
rejected. Any rule for M that depends on the start and its momentum alone leaves the target unchanged.
"""

from dataclasses import dataclass
from math import ceil, exp
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.gradient.hmc import HamiltonianSampler, HMCState, Point, Trajectory, diverges, leapfrog
from samplers.log_density import LogDensityWithGradient
from samplers.portable import dot

MOST_STEPS = 31  # of a path, and of the way back
"""The longest path: a U-turn is not looked for beyond it."""


class Lengths(NamedTuple):
    """The lengths that a path may have, each as probable: from the least to the most."""

    least: int
    most: int

    def weight(self, length: int) -> float:
        """Return the probability of a length, 0 of one that it cannot have."""
        return 1 / (self.most - self.least + 1) if self.least <= length <= self.most else 0.0


@dataclass(frozen=True, eq=False, kw_only=True)
class GistPath(Trajectory):
    """The record of an iteration of GIST: also how its length was drawn, and what the way back would be."""

    lengths: Lengths  # from the start
    back: Lengths  # from the end, with the momentum turned round
    length: int  # that was drawn
    dart: float  # by which: in [0, 1)
    ratio: float  # the acceptance ratio, before it is cut off at 1

    @property
    def turned_back(self) -> bool:
        """Whether the way back has this length at all."""
        return self.back.weight(self.length) > 0


class GIST(HamiltonianSampler[HMCState]):
    """HMC with a path length that is drawn anew in each iteration, from lengths up to the U-turn.

    Parameters
    ----------
    target, inverse_mass, start
        As for `HamiltonianSampler`.
    step_size : float
        The size of a leapfrog step, above 0.
    shortest : float, optional
        ψ, from 0 to 1: the shortest length, as a share of the steps until the path turns back.

    Raises
    ------
    ValueError
        If a setting is out of range.
    """

    def __init__(
        self,
        target: LogDensityWithGradient,
        step_size: float,
        shortest: float = 0.0,
        inverse_mass: ArrayLike | None = None,
        *,
        start: ArrayLike | None = None,
    ) -> None:
        super().__init__(target, inverse_mass, start)
        self.step_size = finite_above("step_size", step_size, 0)
        if not 0 <= shortest <= 1:
            raise ValueError(f"shortest must be from 0 to 1, got {shortest!r}")
        self.shortest = shortest

    def _first_state(
        self, position: np.ndarray, log_density: float, gradient: np.ndarray, rng: np.random.Generator
    ) -> HMCState:
        return HMCState(position, log_density, gradient, self.step_size, self.inverse_mass)

    def _trajectory(self, start: Point, state: HMCState, rng: np.random.Generator) -> Trajectory:
        return self.path(start, state, rng.random(), rng.random())

    def path(self, start: Point, state: HMCState, dart: float, uniform: float) -> GistPath:
        """Return the path from a start with its momentum: a dart draws its length, a second one its acceptance."""
        there = self.follow([start], state, 1)
        lengths = self.lengths_of(there)
        length = lengths.least + int(dart * (lengths.most - lengths.least + 1))
        end = there[length]
        again = self.follow(there[length::-1], state, -1)
        back = self.lengths_of(again)
        ratio = self.ratio(start, end, lengths.weight(length), back.weight(length))
        beyond = [point for point in again if point.step < 0]
        points, first = (*beyond[::-1], *there), len(beyond)
        turned = self.turns(there[0], there[-1], 1)
        last = len(points) - 1
        return GistPath(
            points=points,
            start=first,
            chosen=first + length * (uniform < ratio),
            doublings=(2,) * first + (0,) + (1,) * lengths.most,
            offered=tuple(lengths.least <= point.step <= lengths.most for point in points),
            accept_statistic=min(1.0, ratio),
            uniform=uniform,
            turn=(first, last) if turned else None,
            divergent=last if diverges(start, there[-1]) else None,
            depth=0,
            step_size=state.step_size,
            inverse_mass=state.inverse_mass,
            lengths=lengths,
            back=back,
            length=length,
            dart=dart,
            ratio=ratio,
        )

    def lengths_of(self, path: list[Point]) -> Lengths:
        """Return the lengths from which that of a path is drawn, which has been followed until it turns."""
        most = len(path) - 1
        return Lengths(max(1, ceil(self.shortest * most)), most)

    def follow(self, points: list[Point], state: HMCState, way: int) -> list[Point]:
        """Return a path from its first point until it turns back, diverges or is too long, some points of it known."""
        origin = points[0]
        for number, point in enumerate(points[1:], 1):
            if self.ends(origin, point, way):
                return points[: number + 1]
        made = [*points]
        while len(made) <= MOST_STEPS:
            made.append(leapfrog(self.target, made[-1], way * state.step_size, state.inverse_mass))
            if self.ends(origin, made[-1], way):
                break
        return made

    def ends(self, origin: Point, point: Point, way: int) -> bool:
        """Return whether a path from the origin ends at a point."""
        return diverges(origin, point) or self.turns(origin, point, way)

    @staticmethod
    def turns(origin: Point, point: Point, way: int) -> bool:
        """Return whether a point moves back towards the origin."""
        return way * dot(point.position - origin.position, point.velocity) < 0

    def ratio(self, start: Point, end: Point, weight: float, back: float) -> float:
        """Return the joint density at the end, with the weight of the way back, over that at the start."""
        return exp(min(700.0, start.energy - end.energy)) * back / weight
