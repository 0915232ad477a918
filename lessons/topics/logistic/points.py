"""The mode in which points are added, one by one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.topics.logistic.steps import RegressionMode
from samplers import Chain
from samplers.data.planes import GrowingData
from samplers.recipe import Kernel
from samplers.regression.linear import LinearModel

if TYPE_CHECKING:
    from lessons.topics.logistic import LogisticSettings


class GrowingPoints(RegressionMode):
    """One more point each step."""

    counted_as = "point"

    def steps(self, points: int) -> int:
        return points

    def kernel(self, settings: "LogisticSettings", model: LinearModel) -> Kernel[Any, Any]:
        return GrowingData(len(model.features))

    def seen(self, state: Any, points: int) -> int:
        return int(state)

    def measure(self, settings: "LogisticSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return {**super().measure(settings, chain, t), "points": chain[t]}
