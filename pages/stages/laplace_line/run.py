"""Every step of one optimiser run on a one-dimensional target."""

from enum import IntEnum

import numpy as np

from lessons.stages.laplace_line import STEPS, WINDOWS, LaplaceLineSettings, normal_at
from samplers import Chain
from samplers.log_density import PositionState
from samplers.regression.line_targets import Distances
from samplers.regression.optimise import OptimiserStep

STILL = 1e-6  # standard deviations: a step that is shorter is none


class Outcome(IntEnum):
    """The outcome of the next step, for the captions."""

    UP = 0
    DOWN = 1
    MODE = 2
    MINIMUM = 3
    BOTTOM = 4  # to the lowest point of a parabola that opens upwards
    AWAY = 5  # from beyond the chart, and farther
    OUT = 6  # out of the support
    LOST = 7  # too far for numbers
    LEVEL = 8  # to a place as high as this one, but for rounding


class OptimiserRun:
    """Every step of one optimiser run on a one-dimensional target.

    Parameters
    ----------
    settings : LaplaceLineSettings
        What the learner chose.

    Attributes
    ----------
    states : list of PositionState
        After 0 to 30 steps.
    steps : list of OptimiserStep
        Where each would go next.
    """

    def __init__(self, settings: LaplaceLineSettings) -> None:
        self.settings = settings
        self.target = settings.line_target
        chain = Chain(settings.sampler(), seed=0)
        self.states: list[PositionState] = [chain[t] for t in range(STEPS + 1)]
        self.steps: list[OptimiserStep] = [chain.record(t + 1) for t in range(STEPS + 1)]

    def at(self, t: int) -> float:
        """Return the position after t steps."""
        return float(self.states[t].position[0])

    def slopes(self, t: int) -> tuple[float, float]:
        """Return slope and curvature of the log density there."""
        step = self.steps[t]
        return -float(step.gradient[0]), -float(step.hessian[0, 0])

    def leads_to(self, t: int) -> float:
        """Return where the next step leads, taken or not; NaN if it has no length."""
        step = self.steps[t]
        flat = step.diverged and not step.step.any()
        return np.nan if flat else float(step.proposed[0])

    def bend(self, t: int) -> float:
        """Return the curvature of the parabola whose vertex is the next position: with η = 1 and Newton Taylor's."""
        return -float(self.steps[t].quadratic.curvature[0, 0])

    def normal(self, t: int) -> tuple[float, float] | None:
        """Return mean and variance of the Normal that the Taylor parabola makes; None if it has no top."""
        return normal_at(self.target, self.at(t))

    def distances(self, t: int) -> Distances | None:
        """Return how far density and Normal are apart; None without a Normal whose mean is on the chart."""
        return self.settings.distances_at(self.at(t))

    def verdict(self, t: int) -> Outcome:
        """Return the outcome of the next step."""
        step, (_, curvature) = self.steps[t], self.slopes(t)
        low, high = WINDOWS[self.settings.target]
        if step.diverged:
            first, last = self.target.support
            return Outcome.LOST if first < self.leads_to(t) < last or not step.step.any() else Outcome.OUT
        if abs(float(step.step[0])) * abs(curvature) ** 0.5 < STILL and curvature:
            return Outcome.MODE if curvature < 0 else Outcome.MINIMUM
        falls = step.trend < 0
        if falls and not low <= self.at(t) <= high:
            return Outcome.AWAY
        if curvature > 0 and self.settings.method == "newton":
            return Outcome.BOTTOM
        return Outcome.DOWN if falls else Outcome.UP if step.trend else Outcome.LEVEL
