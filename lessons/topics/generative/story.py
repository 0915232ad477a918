"""The mode in which the story draws examples."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lessons.settings.calls import Entry, Origins
from lessons.topics.generative.learning import NO_ANSWER, NO_BITS, ExampleMode
from samplers import Chain
from samplers.generative.stories import STORIES
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.generative import GenerativeSettings


class Story(ExampleMode):
    """A step draws one example: first its class, then what it looks like."""

    controls = ("pointer", "query_1", "query_2")

    def drawn_by(self, settings: "GenerativeSettings", seed: int | None) -> int:
        return settings.data_seed if seed is None else seed

    def sampler(self, settings: "GenerativeSettings") -> Kernel[Any, Any]:
        return STORIES[settings.data].story

    def origins(self, settings: "GenerativeSettings") -> Origins:
        return {"simulated": Entry("samplers.generative.stories", "STORIES", settings.data)}

    def measure(self, settings: "GenerativeSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        return {"examples": t, **NO_ANSWER, **NO_BITS}
