"""One iteration of HMC or NUTS, opened: its points in the order in which they were made, and the code that ran."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from lessons.kept import weight
from pages.code.listing import listing
from pages.code.mistakes import Mistakes
from pages.code.watch import watch
from pages.code.ways import LEAPFROG
from samplers.gradient.hmc import Point, Trajectory, leapfrog


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

    def step(self, t: int) -> tuple[Point, float]:
        """Return the point at which leapfrog step t began, and the step's size, below 0 back in time."""
        points, place = self.trajectory.points, self.place(t)
        way = 1 if points[place].step > 0 else -1
        return points[place - way], way * self.trajectory.step_size


def code_of_leapfrog(path: LeapfrogPath, target: Any, t: int, mistakes: Mistakes | None = None) -> str:
    """Return the code of leapfrog step t on a log density, as it ran; of none at the start."""
    if not t:
        return listing(LEAPFROG, mistakes=mistakes)
    (before, size), masses = path.step(t), path.trajectory.inverse_mass
    return listing(LEAPFROG, watch(LEAPFROG, lambda: leapfrog(target, before, size, masses))[1], mistakes)
