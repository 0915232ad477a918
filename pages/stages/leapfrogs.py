"""One iteration of HMC or NUTS, opened: its points in the order in which they were made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pages.player.kept import weight
from samplers.gradient.hmc import Trajectory


@dataclass(frozen=True, eq=False)
class LeapfrogPath:
    """One iteration, from 1, opened: what it did."""

    iteration: int
    trajectory: Trajectory

    @cached_property
    def nbytes(self) -> int:
        """About how many bytes it takes."""
        return weight(self.trajectory, set())

    @cached_property
    def order(self) -> np.ndarray:
        """Places of the points in the order in which they were made: doubling by doubling, outwards."""
        return self.trajectory.order

    @property
    def total(self) -> int:
        """The last frame, on which a point is chosen."""
        return len(self.trajectory.points)

    def place(self, t: int) -> int:
        """Return the place of the point that frame t speaks of; at the end, of the chosen one."""
        return self.trajectory.chosen if t >= self.total else int(self.order[t])
