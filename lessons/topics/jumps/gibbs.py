"""The mode of Gibbs alone, and the parts that the modes of this topic share."""

from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.settings.calls import Origins
from lessons.settings.fields import sweeps_of
from lessons.settings.modes import Mode
from lessons.settings.points import PointsSettings
from samplers import Chain
from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.jumps import JumpsSettings

FEW = "two_fours"  # few enough to list every clustering
WIDE = NormalKnownVariance([0.0, 0.0], 25.0, 0.5)  # the prior there: a new cluster may lie anywhere


class GibbsAlone(Mode["JumpsSettings"]):
    """Sweeps that move one point at a time.

    Attributes
    ----------
    blocks : int
        The number of updates in a sweep beside those of the points.
    """

    blocks: ClassVar[int] = 0

    def kernel(self, settings: "JumpsSettings", data: np.ndarray) -> Kernel[Any, Any]:
        """Build the sampler of these points, shape (N, D)."""
        return settings.mixture(data)

    def listed(self, settings: "JumpsSettings", data: np.ndarray) -> ExactPosterior:
        """Return the posterior of all clusterings."""
        return exact_posterior(data, settings.prior(data), settings.concentration)

    def iterations(self, settings: "JumpsSettings") -> int:
        return sweeps_of(settings)

    def origins(self, settings: "JumpsSettings") -> Origins:
        return PointsSettings.origins(settings)

    def sampler(self, settings: "JumpsSettings") -> Kernel[Any, Any]:
        return self.kernel(settings, settings.dataset().data)

    def measure(self, settings: "JumpsSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return counts_of(chain[t], chain[t])


def counts_of(cold: Any, hot: Any) -> Mapping[str, float]:
    """Return the clusters and the points of the largest, of the chain's state and of the hottest level's."""
    return {
        "tables": len(cold.counts),
        "largest": max(cold.counts),
        "log_ratio": nan,
        "hot_tables": len(hot.counts),
        "walker": 1,
    }
