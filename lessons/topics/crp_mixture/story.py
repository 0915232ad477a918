"""The mode in which the generative process runs forwards, and what all modes measure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from lessons.settings.modes import Mode
from samplers import Chain
from samplers.crp.forwards import TURNS
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.crp_mixture import CRPMixtureSettings


class TablesMode(Mode["CRPMixtureSettings"]):
    """A mode of this topic.

    Attributes
    ----------
    opens : bool
        Whether a sweep can be opened.
    ruled : tuple of str
        The ids of the judge's problems whose rules can move the chain.
    """

    opens: ClassVar[bool] = False
    ruled: ClassVar[tuple[str, ...]] = ()

    def measure(self, settings: "CRPMixtureSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        counts = chain[t].counts
        return {"tables": len(counts), "largest": max(counts, default=0), "alone": counts.count(1)}


class Story(TablesMode):
    """Points that the story makes, three draws for each."""

    controls = ("direction", "made_alpha", "points", "seed")
    counted_as = "draw"

    def iterations(self, settings: "CRPMixtureSettings") -> int:
        return TURNS * settings.points

    def sampler(self, settings: "CRPMixtureSettings") -> Kernel[Any, Any]:
        return settings.story
