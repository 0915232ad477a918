"""The modes in which runs share their darts: from every start, or from one start with one dart elsewhere."""

from typing import TYPE_CHECKING, Any, ClassVar

from lessons.settings.law import NOW, Law, counted
from lessons.topics.why_sample.visits import VisitMode
from samplers.crp.perfect import EveryStart
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.why_sample import WhySampleSettings

TOGETHER = 60  # updates of all starts with one stream of darts
LISTED = 4  # points up to which the law of the meeting is known: with 5, it takes minutes


class Every(VisitMode):
    """Runs from every start with one stream of darts."""

    controls: ClassVar[tuple[str, ...]] = ("rule", "runs")

    def iterations(self, settings: "WhySampleSettings") -> int:
        return TOGETHER

    def sampler(self, settings: "WhySampleSettings") -> Kernel[Any, Any]:
        return EveryStart(settings.mixture(), 0, settings.put)

    def place(self, settings: "WhySampleSettings", state: Any) -> int:
        return int(state.where[settings.first])

    def left(self, settings: "WhySampleSettings", state: Any) -> int:
        return len({*state.where})

    def law(self, settings: "WhySampleSettings", outcome: str, t: int) -> Law | None:
        """Return also how many clusterings are left after t updates."""
        if outcome != "left" or settings.points > LISTED:
            return super().law(settings, outcome, t)
        left = settings.meeting().left
        return counted(NOW, left[min(t, len(left) - 1)])


class Two(Every):
    """Two runs from one start, of which the second has one dart elsewhere."""

    controls = ("rule", "changed", "put", "start")

    def sampler(self, settings: "WhySampleSettings") -> Kernel[Any, Any]:
        return EveryStart(settings.mixture(), settings.changed, settings.put)

    def left(self, settings: "WhySampleSettings", state: Any) -> int:
        return len({state.where[settings.first], state.elsewhere[settings.first]})

    def law(self, settings: "WhySampleSettings", outcome: str, t: int) -> Law | None:
        return VisitMode.law(self, settings, outcome, t)
