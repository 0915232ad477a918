"""A run of parallel tempering on a density, whose cold level is the chain on the charts."""

from typing import Any

import numpy as np

from lessons.stages.walk_the_hill import ITERATIONS, WalkTheHillSettings
from pages.stages.ladder.run import LadderRun
from pages.stages.walk_the_hill.run import WalkRun
from samplers.tempering import LadderState, LadderStep


class WalkLadderRun(LadderRun, WalkRun):
    """The iterations of a ladder. What a `WalkRun` has is that of the cold level.

    Attributes
    ----------
    place_of : numpy.ndarray
        Where each walker is, shape (ITERATIONS + 1, levels, 2).
    height_of : numpy.ndarray
        The log density there, shape (ITERATIONS + 1, levels).
    swapped : numpy.ndarray
        Whether each swap was accepted, from the coldest pair of levels on, shape (ITERATIONS + 1, levels - 1).
    """

    def __init__(self, settings: WalkTheHillSettings, seed: int) -> None:
        shape = ITERATIONS + 1, settings.levels
        self.level_of = np.empty(shape, np.uint8)
        self.place_of = np.empty((*shape, 2), np.float32)
        self.height_of = np.empty(shape, np.float32)
        self.swapped = np.zeros((ITERATIONS + 1, settings.levels - 1), bool)
        super().__init__(settings, seed)
        self.swapping: Any = self.chain.sampler

    def _note(self, t: int, record: LadderStep[Any]) -> None:
        """Keep which swaps of iteration t were accepted."""
        self.swapped[t] = [swap.accepted for swap in reversed(record.swaps)]

    def add(self, t: int, state: LadderState[Any]) -> None:
        """Keep where the walkers are after iteration t."""
        super().add(t, state.cold)
        walkers = list(state.walkers)
        self.level_of[t, walkers] = range(len(walkers))
        self.place_of[t, walkers] = [level.position for level in state.levels]
        self.height_of[t, walkers] = [level.log_density for level in state.levels]
