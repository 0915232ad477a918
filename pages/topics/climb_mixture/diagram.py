"""The model as a picture: what a half-step sets is lit."""

from collections.abc import Collection

from lessons.topics.climb_mixture import ClimbMixtureSettings
from pages.drawing.models import mixture, without
from pages.drawing.plates import Diagram

PSEUDO_COUNT = "a", "Pseudo-count of a component"


def diagram(
    settings: ClimbMixtureSettings,
    t: int,
    acts: str = "The best is set for",
    prior: tuple[str, str] = PSEUDO_COUNT,
    lacks: Collection[str] = (),
) -> Diagram:
    """Draw the mixture: with what the prior of its weights is called, and without what a method lacks."""
    found = mixture(
        (prior[0], "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            prior[1],
            "The components' weights",
            "The component of point i: a soft label",
            "Point i",
            "Component k's mean" if settings.known else "Component k's mean and spread",
            "The prior of a component's parameters",
        ),
        ("given", "drawn", "drawn", "seen", "drawn", "given"),
        ("N points", "K components"),
        () if not t else ("label",) if t % 2 else ("weights", "content"),
    )
    for name in lacks:
        found = without(found, name)
    redrawn = tuple(name for name in found.redrawn if name in found.nodes)
    return Diagram(found.nodes, found.edges, found.plates, redrawn, acts)
