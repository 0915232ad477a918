"""The model as a picture: what a half-step sets is lit."""

from lessons.topics.climb_mixture import STICK, ClimbMixtureSettings
from pages.drawing.models import mixture, without
from pages.drawing.plates import Diagram

ACTS = {"VB": "Its distribution q is set for", STICK: "Its distribution q is set for"}


def diagram(settings: ClimbMixtureSettings, t: int) -> Diagram:
    """Draw the mixture; without a prior, weights and components depend on nothing."""
    method, stick = settings.method, settings.method == STICK
    moved = () if not t else ("label",) if t % 2 else ("weights", "content")
    drawn = mixture(
        ("α" if stick else "a", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: a larger α breaks smaller pieces off the stick" if stick else "Pseudo-count of a component",
            "The components' weights",
            "The component of point i: a soft label",
            "Point i",
            "Component k's mean" if settings.known else "Component k's mean and spread",
            "The prior of a component's parameters",
        ),
        ("given", "drawn", "drawn", "seen", "drawn", "given"),
        ("N points", "K components"),
        moved,
    )
    if method in ("k-means", "EM"):
        drawn = without(without(drawn, "base"), "prior")
    found = without(drawn, "weights") if method == "k-means" else drawn
    redrawn = tuple(name for name in found.redrawn if name in found.nodes)
    return Diagram(found.nodes, found.edges, found.plates, redrawn, ACTS.get(method, "The best is set for"))
