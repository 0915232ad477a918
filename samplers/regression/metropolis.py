"""Random-walk Metropolis: a chain over weights that asks for nothing but their log density."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, isnan
from typing import NamedTuple

import numpy as np

from samplers.recipe import Kernel


@dataclass(frozen=True, eq=False)
class MetropolisState:
    """Where the chain is. It never changes.

    Attributes
    ----------
    position : numpy.ndarray
        Shape (D,).
    log_density : float
        There.
    """

    position: np.ndarray
    log_density: float


class Proposal(NamedTuple):
    """The record of one step.

    Attributes
    ----------
    position : numpy.ndarray
        What is proposed, shape (D,).
    log_density : float
        There; -inf outside the support.
    probability : float
        Of acceptance: the ratio of the densities, or 1 if it is larger.
    uniform : float
        The number in [0, 1) that was drawn: the proposal is accepted if it is below the probability.
    accepted : bool
        Whether it was.
    """

    position: np.ndarray
    log_density: float
    probability: float
    uniform: float
    accepted: bool


@dataclass(frozen=True, eq=False)
class RandomWalkMetropolis(Kernel[MetropolisState, Proposal]):
    """Proposals N(position, scale²), each accepted or not.

    Metropolis et al. (1953, Equation of state calculations by fast computing machines, Journal of Chemical Physics 21).

    Parameters
    ----------
    log_density : callable
        From a position, shape (D,), to its log density up to a constant, such as ``model.log_joint``.
    scale : array_like
        Standard deviation of a proposal, above 0: one number, or shape (D,). About 2.4/√D times the target's own is
        best where that is near Normal (Roberts & Rosenthal 2001, Optimal scaling for various Metropolis-Hastings
        algorithms, Statistical Science 16).
    start : array_like
        First position, shape (D,), where the log density is finite.

    Raises
    ------
    ValueError
        If the scale or the start is out of range.

    Examples
    --------
    >>> chain = RandomWalkMetropolis(lambda x: -x @ x / 2, scale=2.0, start=[0.0])
    >>> state, rng = chain.init(), np.random.default_rng(0)
    >>> for _ in range(4):
    ...     state, proposal = chain.step(state, rng)
    >>> state.position.round(3)
    array([0.461])
    """

    log_density: Callable[[np.ndarray], float | np.ndarray]
    scale: float | np.ndarray
    start: np.ndarray

    def __post_init__(self) -> None:
        """Check the settings."""
        start, scale = np.array(self.start, float), np.array(self.scale, float)
        if start.ndim != 1 or not np.isfinite(start).all():
            raise ValueError(f"start must be finite numbers of shape (D,), got {self.start!r}")
        if scale.shape not in ((), start.shape) or not (np.isfinite(scale) & (scale > 0)).all():
            raise ValueError(f"scale must be a finite number > 0, or {start.size} of them, got {self.scale!r}")
        if not np.isfinite(self.log_density(start)):
            raise ValueError(f"start must lie where the log density is finite, got {start}")
        start.flags.writeable = scale.flags.writeable = False
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "scale", scale)

    def init(self, rng: np.random.Generator | None = None) -> MetropolisState:
        """Return the start. There is no chance in it."""
        return MetropolisState(self.start, float(self.log_density(self.start)))

    def step(self, state: MetropolisState, rng: np.random.Generator) -> tuple[MetropolisState, Proposal]:
        """Return the next state, and what was proposed.

        Every step takes D Normal numbers and one uniform one from the generator, whatever comes of them.
        """
        position = state.position + self.scale * rng.standard_normal(state.position.size)
        uniform = rng.random()
        log_density = float(self.log_density(position))
        if isnan(log_density):
            raise ValueError(f"the log density is not a number at {position}")
        probability = exp(min(0.0, log_density - state.log_density))
        accepted = uniform < probability
        proposal = Proposal(position, log_density, probability, uniform, accepted)
        return MetropolisState(position, log_density) if accepted else state, proposal


def run(chain: RandomWalkMetropolis, steps: int, rng: np.random.Generator) -> np.ndarray:
    """Return the positions after each of so many steps from the start, shape (steps, D)."""
    state, positions = chain.init(rng), np.empty((steps, chain.start.size))
    for step in range(steps):
        state, _ = chain.step(state, rng)
        positions[step] = state.position
    return positions
