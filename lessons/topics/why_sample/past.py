"""The mode in which an iteration is a perfect draw, as all starts in the past have become one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.topics.why_sample.visits import VisitMode
from samplers import Chain
from samplers.crp.perfect import FirstMeeting, PerfectDraws
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.why_sample import WhySampleSettings

DRAWS = 1_000  # of all starts from the past


class Past(VisitMode):
    """Draws of all starts from the past; or, as a mistake, of where they first meet."""

    counted_as = "draw"
    controls = ("rule", "until")

    def iterations(self, settings: "WhySampleSettings") -> int:
        return DRAWS

    def sampler(self, settings: "WhySampleSettings") -> Kernel[Any, Any]:
        return (PerfectDraws if settings.until == "now" else FirstMeeting)(settings.mixture())

    def place(self, settings: "WhySampleSettings", state: Any) -> int:
        return int(state.partition)

    def measure(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return {**super().measure(settings, chain, t), "sweeps": chain[t].sweeps}
