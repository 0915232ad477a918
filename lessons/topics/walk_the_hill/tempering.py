"""The mode in which there is a ladder of temperatures."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.settings.fields import OF_A_SWAP
from lessons.topics.walk_the_hill.walks import OF_A_WALK, WalkMode
from samplers import Chain
from samplers.recipe import Kernel
from samplers.regression.tempering import MetropolisLadder
from samplers.regression.wrong import WRONG_SWAPS
from samplers.tempering import geometric

if TYPE_CHECKING:
    from lessons.topics.walk_the_hill import WalkTheHillSettings


class Tempering(WalkMode):
    """Parallel tempering: each level makes a Metropolis step in an iteration, and then neighbours may swap."""

    moves = "swaps"
    controls = (*OF_A_WALK, "scale", "levels", "hottest", "swap_rule")

    def steps(self, settings: "WalkTheHillSettings") -> int:
        return 1 + OF_A_SWAP * (settings.levels - 1)

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        ladder = WRONG_SWAPS.get(settings.swap_rule, MetropolisLadder)
        levels = geometric(settings.levels, settings.hottest)
        return ladder(settings.density, levels, settings.scale, np.array(settings.start))

    def measure(self, settings: "WalkTheHillSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return {**super().measure(settings, chain, t), "walker": chain[t].walkers[0] + 1}
