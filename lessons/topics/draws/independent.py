"""The mode with independent draws, and what both modes share."""

from abc import abstractmethod
from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar

from lessons.settings.modes import Mode
from samplers import Chain
from samplers.conjugate.coin import IndependentDraws
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.draws import DrawsSettings


class DrawMode(Mode["DrawsSettings"]):
    """A mode of this topic.

    Attributes
    ----------
    ruled : tuple of str
        The ids of the judge's problems whose rules can move the chain.
    """

    ruled: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def theta(self, state: Any) -> float:
        """Return θ in a state."""

    def iterations(self, settings: "DrawsSettings") -> int:
        return 1_000

    def worth(self, draws: list[float]) -> float:
        """Return the effective sample size of draws, of which there are some; 0 if it is not known."""
        return 0

    def measure(self, settings: "DrawsSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return the mean of the draws, NaN before the first, the posterior's spread, and the effective sample size."""
        draws, spread = [self.theta(chain[now]) for now in range(1, t + 1)], settings.posterior.deviation
        if not draws:
            return {"mean": nan, "spread": spread}
        return {"mean": sum(draws) / t, "spread": spread, "worth": self.worth(draws)}


class Independent(DrawMode):
    """A step is a draw, from nothing but the posterior."""

    counted_as = "draw"

    def sampler(self, settings: "DrawsSettings") -> Kernel[Any, Any]:
        return IndependentDraws(settings.posterior)

    def theta(self, state: Any) -> float:
        return float(state)
