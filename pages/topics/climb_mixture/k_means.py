"""k-means: the nearest mean gets the whole point, and components have neither weights nor spread."""

from dataclasses import dataclass
from functools import partial
from math import sqrt

from pages.drawing.numbers import fixed
from pages.topics.climb_mixture.base import Climbs
from pages.topics.climb_mixture.diagram import diagram
from pages.topics.climb_mixture.scene import ClimbScene


@dataclass(frozen=True)
class KMeansScene(ClimbScene):
    """A climb by k-means."""

    title = "Minus half the sum of squares"
    mean = "mean Σ r x / N<sub>k</sub>"
    borders = True

    def term(self, weight: float, fit: float) -> str:
        return f"distance {fixed(sqrt(max(0.0, -2 * fit)))}"

    def rule(self) -> str:
        return "The nearest mean gets the whole point."


class KMeans(Climbs):
    """The stage of k-means."""

    shows = KMeansScene
    diagram = partial(diagram, lacks=("base", "prior", "weights"))
