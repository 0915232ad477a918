"""Random-walk Metropolis: a chain that needs nothing but a log density."""

from dataclasses import dataclass
from math import exp, isnan
from typing import Any, ClassVar, NamedTuple

import numpy as np

from samplers.checks import for_each
from samplers.log_density import LogDensity, PositionState, as_start, variables_of
from samplers.recipe import Kernel


class Proposal(NamedTuple):
    """The record of one step."""

    position: np.ndarray  # the proposed position, shape (D,)
    log_density: float  # the log density there; -inf outside the support
    probability: float  # the probability of acceptance: the ratio of the densities, at most 1
    # the number in [0, 1) that was drawn: the proposal is accepted if the number is below the probability
    uniform: float
    accepted: bool  # whether the proposal was accepted


@dataclass(frozen=True, eq=False)
class RandomWalkMetropolis(Kernel[PositionState, Proposal]):
    """Random-walk Metropolis, with proposals N(position, scale²), each accepted or rejected.

    Metropolis et al. (1953, Equation of state calculations by fast computing machines, Journal of Chemical Physics 21).

    Parameters
    ----------
    target : LogDensity
        The log density to sample from.
    scale : array_like
        The standard deviation of a proposal, above 0: one number, or shape (D,). For a target near Normal, about
        2.4/√D times its standard deviation is best (Roberts & Rosenthal 2001, Optimal scaling for various
        Metropolis-Hastings algorithms, Statistical Science 16).
    start : array_like
        The first position, shape (D,), where the log density must be finite.

    Raises
    ------
    ValueError
        If the scale or the start is out of range.

    Examples
    --------
    >>> from samplers.log_density import FunctionLogDensity
    >>> normal = FunctionLogDensity(1, lambda position: -position @ position / 2)
    >>> chain = RandomWalkMetropolis(normal, scale=2.0, start=[0.0])
    >>> state, rng = chain.init(), np.random.default_rng(0)
    >>> for _ in range(4):
    ...     state, proposal = chain.step(state, rng)
    >>> state.position.round(3)
    array([0.461])
    """

    of_a_posterior: ClassVar[bool] = True
    target: LogDensity
    scale: float | np.ndarray
    start: np.ndarray

    def __post_init__(self) -> None:
        start = as_start(self.target, self.start)
        object.__setattr__(self, "start", start)
        object.__setattr__(self, "scale", for_each("scale", self.scale, start.size))

    def init(self, rng: np.random.Generator | None = None) -> PositionState:
        """Return the start, without drawing anything."""
        return PositionState(self.start, float(self.target.log_density(self.start)))

    def variables(self, state: PositionState) -> dict[str, Any]:
        """Return the parameters at the chain's position, and the log density there."""
        return variables_of(self.target, state)

    def step(self, state: PositionState, rng: np.random.Generator) -> tuple[PositionState, Proposal]:
        """Return the next state, and the proposal.

        Every step draws D Normal numbers and one uniform number from the generator, whether it accepts or not.
        """
        position = state.position + self.scale * rng.standard_normal(state.position.size)
        uniform = rng.random()
        log_density = float(self.target.log_density(position))
        if isnan(log_density):
            raise ValueError(f"the log density is not a number at {position}")
        probability = exp(min(0.0, log_density - state.log_density))
        accepted = uniform < probability
        proposal = Proposal(position, log_density, probability, uniform, accepted)
        return PositionState(position, log_density) if accepted else state, proposal


def run(chain: RandomWalkMetropolis, steps: int, rng: np.random.Generator) -> np.ndarray:
    """Return the positions after each step from the start, shape (steps, D)."""
    state, positions = chain.init(rng), np.empty((steps, chain.start.size))
    for step in range(steps):
        state, _ = chain.step(state, rng)
        positions[step] = state.position
    return positions
