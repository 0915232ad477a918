"""The mode in which the examples are among replicates of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.settings.lineups import STEPS
from lessons.topics.generative.learning import Learning
from samplers import Chain

if TYPE_CHECKING:
    from lessons.topics.generative import GenerativeSettings


class ExampleLineup(Learning):
    """A lineup: replicates have the labels of the data."""

    counted_as = "step"

    def iterations(self, settings: "GenerativeSettings") -> int:
        return STEPS

    def measure(self, settings: "GenerativeSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        own, seed = settings.of_round(chain.seed, t)
        measured = own.measure(Chain(own.sampler(), seed), own.iterations)
        return {**measured, "tile": settings.tile(chain.seed, t)}
