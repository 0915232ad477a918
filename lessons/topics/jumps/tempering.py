"""The mode in which there is a ladder of temperatures."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.settings.fields import OF_A_SWAP, UPDATES
from lessons.topics.jumps.gibbs import GibbsAlone, counts_of
from samplers import Chain
from samplers.jumps.tempering import MixtureLadder
from samplers.jumps.wrong import WRONG_SWAPS
from samplers.tempering import geometric

if TYPE_CHECKING:
    from lessons.topics.jumps import JumpsSettings


class Tempering(GibbsAlone):
    """Parallel tempering: each level makes a Gibbs sweep, and then neighbours may swap."""

    controls = ("levels", "hottest", "swap_rule", "second")

    def iterations(self, settings: "JumpsSettings") -> int:
        if settings.opened is not None:
            return 1 + OF_A_SWAP * (settings.levels - 1)
        sweeps = super().iterations(settings)
        most = UPDATES // (settings.wall * settings.size * settings.levels)
        return min(sweeps, max(5, most)) if settings.many else sweeps

    def kernel(self, settings: "JumpsSettings", data: np.ndarray) -> MixtureLadder:
        ladder = WRONG_SWAPS.get(settings.swap_rule, MixtureLadder)
        return ladder(settings.mixture(data), geometric(settings.levels, settings.hottest))

    def measure(self, settings: "JumpsSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Count clusters, of the hottest level as well, and look at the walkers."""
        before, now = chain[max(t - 1, 0)], chain[t]
        return {
            **counts_of(now.levels[0], now.levels[-1]),
            "moved": sum(one != other for one, other in zip(before.walkers, now.walkers, strict=True)),
            "walker": now.walkers[0] + 1,
        }
