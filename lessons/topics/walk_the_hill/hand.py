"""The mode in which a learner throws the puck by hand."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.topics.walk_the_hill.walks import ALONE, ON_A_DENSITY, HillMode
from samplers import Chain
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.walk_the_hill import WalkTheHillSettings


class ByHand(HillMode):
    """One throw, leapfrog step by leapfrog step. `accept` is the probability that its end would be accepted."""

    moves = "rolls"
    controls = (*ON_A_DENSITY, "leapfrog_steps", "step_size", "push_x", "push_y")
    counted_as = "leapfrog step"

    def points(self, settings: "WalkTheHillSettings") -> int:
        return settings.leapfrog_steps + 1

    def iterations(self, settings: "WalkTheHillSettings") -> int:
        return settings.leapfrog_steps

    def sampler(self, settings: "WalkTheHillSettings") -> Kernel[Any, Any]:
        return settings.throw()

    def measure(self, settings: "WalkTheHillSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        path = settings.throw().trajectory([chain[now] for now in range(t + 1)])
        x, y = path.points[-1].position.tolist()
        return {
            **ALONE,
            "x": x,
            "y": y,
            "leapfrogs": t,
            "divergent": int(path.divergent is not None),
            "moved": t,
            "accept": round(100 * path.accept_statistic),
        }
