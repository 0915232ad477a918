"""The mode in which a sweep begins with a move that splits a cluster or merges two."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.jumps.gibbs import GibbsAlone
from samplers import Chain
from samplers.jumps.split_merge import SplitMerge
from samplers.jumps.wrong import WRONG_MOVES

if TYPE_CHECKING:
    from lessons.topics.jumps import JumpsSettings

AFTER = 3  # frames of a move beyond one for each point and each scan


class SplitsAndMerges(GibbsAlone):
    """A split–merge move and then a Gibbs sweep; looked at closely, it is the move, of some frames at most."""

    controls = ("scans", "rule", "second")

    def iterations(self, settings: "JumpsSettings") -> int:
        if settings.opened is None:
            return super().iterations(settings)
        return settings.size + settings.scans + AFTER

    def kernel(self, settings: "JumpsSettings", data: np.ndarray) -> SplitMerge:
        return WRONG_MOVES.get(settings.rule, SplitMerge)(settings.mixture(data), scans=settings.scans)

    def measure(self, settings: "JumpsSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Count clusters, and look at the sweep's move."""
        move = chain.record(t) if t else None
        of_move = {"accepted": int(move.accepted), "log_ratio": move.log_ratio} if move else {}
        return {**super().measure(settings, chain, t), **of_move}
