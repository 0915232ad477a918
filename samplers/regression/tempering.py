"""Parallel tempering of a log density: a ladder of random walks, from the density itself to a flat one.

Geyer (1991, Markov chain Monte Carlo maximum likelihood); Earl & Deem (2005, Parallel tempering: theory, applications,
and new perspectives), section 2.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from samplers.checks import finite_above
from samplers.log_density import FunctionLogDensity, LogDensity, PositionState, variables_of
from samplers.recipe import Kernel
from samplers.regression.metropolis import Proposal, RandomWalkMetropolis
from samplers.tempering import ParallelTempering


class TemperedWalk(Kernel[PositionState, Proposal]):
    """Random-walk Metropolis on a density to a power, for a level of a ladder.

    A state has the log density itself, without the power, so that levels can exchange their states. The log density of
    a proposal, in the record, has the power.

    Parameters
    ----------
    target, scale, start
        As for `RandomWalkMetropolis`.
    exponent : float
        β, above 0.

    Raises
    ------
    ValueError
        If the exponent, the scale or the start is out of range.
    """

    of_a_posterior = True

    def __init__(self, target: LogDensity, exponent: float, scale: ArrayLike, start: ArrayLike) -> None:
        self.target, self.exponent = target, finite_above("exponent", exponent, 0)
        tempered = FunctionLogDensity(target.dimension, lambda position: exponent * float(target.log_density(position)))
        self.walk = RandomWalkMetropolis(tempered, np.asarray(scale), np.asarray(start))
        self.scale, self.start = self.walk.scale, self.walk.start

    def init(self, rng: np.random.Generator) -> PositionState:
        """Return the start, without drawing anything."""
        return self._at(self.start)

    def variables(self, state: PositionState) -> dict[str, Any]:
        """Return the parameters at the chain's position, and the log density there."""
        return variables_of(self.target, state)

    def step(self, state: PositionState, rng: np.random.Generator) -> tuple[PositionState, Proposal]:
        """Return the next state, and the proposal."""
        here = PositionState(state.position, self.exponent * state.log_density)
        after, proposal = self.walk.step(here, rng)
        return self._at(after.position) if proposal.accepted else state, proposal

    def _at(self, position: np.ndarray) -> PositionState:
        return PositionState(position, float(self.target.log_density(position)))


class MetropolisLadder(ParallelTempering[PositionState]):
    """Parallel tempering of a log density: each level makes a Metropolis step, and then neighbours may swap.

    All levels begin at the same place. A Normal hill to the power β is 1/√β times as wide, so proposals are, too.

    Parameters
    ----------
    target, start
        As for `RandomWalkMetropolis`.
    exponents : sequence of float
        β of each level: 1, and then smaller and smaller ones, above 0; at least two.
    scale : array_like
        The standard deviation of a proposal at the cold level, above 0: one number, or shape (D,).

    Raises
    ------
    ValueError
        If the exponents are out of order or out of range, or the scale or the start is out of range.

    Examples
    --------
    >>> from samplers.chain import Chain
    >>> from samplers.log_density import FunctionLogDensity
    >>> hills = FunctionLogDensity(1, lambda x: float(np.logaddexp(-((x[0] - 5) ** 2), -((x[0] + 5) ** 2))))
    >>> chain = Chain(MetropolisLadder(hills, [1.0, 0.2, 0.04], 1.5, [5.0]), seed=1)
    >>> sorted({bool(chain[t].cold.position[0] > 0) for t in range(200)})
    [False, True]
    """

    def __init__(self, target: LogDensity, exponents: Sequence[float], scale: ArrayLike, start: ArrayLike) -> None:
        steps = [np.asarray(scale) / sqrt(finite_above("exponents", exponent, 0)) for exponent in exponents]
        walks = [TemperedWalk(target, *level, start) for level in zip(exponents, steps, strict=True)]
        super().__init__(walks, exponents)
        self.target, self.scale, self.start = target, walks[0].scale, walks[0].start

    def log_density(self, state: PositionState) -> float:
        """Return the log density of the target at a state."""
        return state.log_density
