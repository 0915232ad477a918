"""The mode in which images of bars are among replicates of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.settings.lineups import STEPS
from lessons.topics.gibbs_topics.allocation import Allocation
from samplers import Chain

if TYPE_CHECKING:
    from lessons.topics.gibbs_topics import GibbsTopicsSettings


class ImageLineup(Allocation):
    """A lineup: replicates have the numbers of words of the data; what is measured is of its round before sweep 1."""

    def iterations(self, settings: "GibbsTopicsSettings") -> int:
        return STEPS

    def measure(self, settings: "GibbsTopicsSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        own, seed = settings.of_round(chain.seed, t)
        first = super().measure(settings, Chain(own.sampler(), seed), 0)
        return {**first, "tile": settings.tile(chain.seed, t)}
