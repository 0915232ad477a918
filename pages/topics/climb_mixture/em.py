"""EM: soft labels, then the best components and weights; without a prior, or to the mode of the posterior (MAP)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from pages.drawing.cards import quiet
from pages.drawing.numbers import fixed, significant
from pages.topics.climb_mixture.base import Climbs
from pages.topics.climb_mixture.diagram import diagram
from pages.topics.climb_mixture.inspector import spread
from pages.topics.climb_mixture.scene import SoftScene
from samplers.climb.halves import HalfStep


@dataclass(frozen=True)
class EMScene(SoftScene):
    """A climb of the likelihood."""

    title = "Bound of the log likelihood"
    level = "log likelihood"
    mean = "mean Σ r x / N<sub>k</sub>"
    kinds = ("weight π", "density")
    details: ClassVar = {"spread": spread}
    weighed = "N<sub>k</sub> / N"

    def share(self, k: int, counts: Sequence[float], parts: Any) -> str:
        return f"{fixed(counts[k])} / {significant(sum(counts))}"

    def beside_bound(self, record: HalfStep, after: float) -> str:
        touches = record.name == "E" and self.settings.rule == "right"
        return quiet(f"After E, the bound is the {self.level}.") if touches else ""


@dataclass(frozen=True)
class MAPScene(EMScene):
    """A climb of likelihood times prior."""

    title = "Bound of the log joint"
    level = "log joint"
    mean = "mean"
    weighed = "(N<sub>k</sub> + a − 1) / all"

    def share(self, k: int, counts: Sequence[float], parts: Any) -> str:
        prior = self.run.chain.sampler.class_prior
        return f"{fixed(counts[k] + prior[k] - 1)} / {significant(sum(counts) + (prior.sum() - len(counts)))}"


class EM(Climbs):
    """The stage of EM."""

    shows = EMScene
    diagram = partial(diagram, lacks=("base", "prior"))


class MAP(Climbs):
    """The stage of EM with the prior."""

    shows = MAPScene
    diagram = diagram
