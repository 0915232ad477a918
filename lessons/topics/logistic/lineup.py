"""The mode in which the data are among replicates of them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.settings.lineups import STEPS
from lessons.topics.logistic.steps import RegressionMode
from samplers import Chain
from samplers.recipe import Kernel
from samplers.regression.linear import LinearModel

if TYPE_CHECKING:
    from lessons.topics.logistic import LogisticSettings


class LabelLineup(RegressionMode):
    """A lineup: replicates have the points of the data; all that is measured is of its round before the first step."""

    def steps(self, points: int) -> int:
        return STEPS

    def kernel(self, settings: "LogisticSettings", model: LinearModel) -> Kernel[Any, Any]:
        return settings.alone.now.kernel(settings, model)

    def measure(self, settings: "LogisticSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        own, seed = settings.of_round(chain.seed, t)
        return {**own.measure(Chain(own.sampler(), seed), 0), "tile": settings.tile(chain.seed, t)}
