"""Data that arrive one by one: a kernel without chance, for what a posterior makes of each observation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from samplers.recipe import Kernel


@dataclass(frozen=True)
class GrowingData(Kernel[int, None]):
    """One more observation a step. A state is how many have arrived, and there is nothing to record.

    Parameters
    ----------
    most : int
        How many there are: then it stays.
    """

    most: int

    def init(self, rng: np.random.Generator) -> int:
        """Return 0."""
        return 0

    def step(self, state: int, rng: np.random.Generator) -> tuple[int, None]:
        """Return one more, as long as there is one."""
        return min(state + 1, self.most), None
