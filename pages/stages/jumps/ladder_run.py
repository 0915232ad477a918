"""A run of parallel tempering of a mixture, whose cold level is the chain on the charts."""

from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from pages.stages.jumps.run import JumpRun
from pages.stages.ladder.run import LadderRun
from pages.stages.points.model import Model
from samplers.jumps.split_merge import evaluations
from samplers.jumps.tempering import MixtureLadder
from samplers.tempering import LadderState, LadderStep


class MixtureLadderRun(LadderRun, JumpRun):
    """The sweeps of a ladder. What a `JumpRun` has is that of the cold level; `sampler` is the mixture.

    Attributes
    ----------
    labels_of : numpy.ndarray
        The labels that each walker carries, shape (SWEEPS + 1, levels, N).
    tables_of, joints_of : numpy.ndarray
        How many clusters these are, and the log joint, shape (SWEEPS + 1, levels).
    """

    def __init__(self, sampler: MixtureLadder, model: Model, seed: int) -> None:
        self.swapping = sampler
        shape = SWEEPS + 1, len(sampler.levels)
        self.level_of = np.empty(shape, np.uint8)
        self.labels_of = np.empty((*shape, len(sampler.mixture.data)), np.int16)
        self.tables_of = np.empty(shape, np.int16)
        self.joints_of = np.empty(shape, np.float32)
        super().__init__(sampler, model, seed)

    def _note(self, t: int, record: LadderStep[Any]) -> None:
        """Keep what step t has cost, on all levels."""
        self.evaluations[t] = sum(map(evaluations, record.own))
        self.moved[t] = record.swaps[-1].accepted

    def add(self, t: int, state: LadderState[Any]) -> None:
        """Keep what the charts need of sweep t."""
        super().add(t, state.cold)
        for level, (walker, now) in enumerate(zip(state.walkers, state.levels, strict=True)):
            self.level_of[t, walker] = level
            self.labels_of[t, walker] = now.labels
            self.tables_of[t, walker] = len(now.clusters)
            self.joints_of[t, walker] = self.sampler.log_joint(now)
