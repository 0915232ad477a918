"""A coin that is tossed, and independent draws from the posterior of its probability of heads: the smallest samplers.

Each step draws one uniform number and records it, so that a step can be shown as a dart on a bar from 0 to 1.
"""

from dataclasses import dataclass
from math import nan
from typing import ClassVar, NamedTuple

import numpy as np

from samplers.checks import finite_from
from samplers.conjugate.beta import Beta
from samplers.recipe import Kernel


class Counts(NamedTuple):
    """Heads and tails so far."""

    heads: int
    tails: int


@dataclass(frozen=True)
class Tosses(Kernel[Counts, float]):
    """A coin that is tossed once a step; the record is the number in [0, 1) that was drawn.

    Parameters
    ----------
    bias : float
        Its probability of heads, from 0 and below 1.

    Raises
    ------
    ValueError
        If it is out of range.
    """

    bias: float

    def __post_init__(self) -> None:
        finite_from("bias", self.bias, 0, 1)

    def init(self, rng: np.random.Generator) -> Counts:
        """Return no tosses."""
        return Counts(0, 0)

    def step(self, state: Counts, rng: np.random.Generator) -> tuple[Counts, float]:
        """Return the counts after one more toss: heads if the number that is drawn is below the bias."""
        uniform = rng.random()
        heads = uniform < self.bias
        return Counts(state.heads + heads, state.tails + (not heads)), uniform


@dataclass(frozen=True)
class IndependentDraws(Kernel[float, float]):
    """Draws of a Beta that do not depend on one another, by the inverse of the cumulative distribution function.

    A state is a θ, and the record the number in [0, 1) that was drawn: u, where θ = F⁻¹(u).
    """

    of_a_posterior: ClassVar[bool] = True
    target: Beta
    parameter: ClassVar[str] = "theta"

    def init(self, rng: np.random.Generator) -> float:
        """Return NaN, as nothing has been drawn."""
        return nan

    def step(self, state: float, rng: np.random.Generator) -> tuple[float, float]:
        """Return the next draw, which forgets the last one."""
        uniform = rng.random()
        return self.target.quantile(uniform), uniform
