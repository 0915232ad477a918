"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from dataclasses import replace

from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.models import Kind, Site, mixture, redrawn_at
from pages.drawing.plates import Diagram, Node
from samplers.mixtures.finite import PARAMETERS
from samplers.mixtures.labels import WEIGHTS


def diagram(settings: GibbsBlobsSettings, t: int, site: Site) -> Diagram:
    """Draw a mixture of K components, of as many as a CRP opens, or of a number that has a prior."""
    crp, unknown = settings.model == "CRP", settings.model == "MFM"
    block: Kind = "drawn" if settings.blocks == "uncollapsed" and settings.model == "finite" else "out"
    own = {WEIGHTS: ("weights",), PARAMETERS: ("content",)}
    drawn = mixture(
        ("α" if crp else "a", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new component" if crp else "Pseudo-count of each component",
            "The components' weights",
            "The component of point i",
            "Point i",
            "Component k's probabilities of directions"
            if settings.components == "multinomial"
            else "Component k's mean and spread",
            "The prior of a component's parameters",
        ),
        ("given", block, "drawn", "seen", block, "given"),
        ("N points", "∞ components" if crp else "K components"),
        redrawn_at(site, own, ("label", "weights", "content")) if t else (),
    )
    if not unknown:
        return drawn
    number = Node("K", "How many components there are: each number from 1 to 8 is equally probable", (1, 1), "out")
    return replace(drawn, nodes={**drawn.nodes, "number": number}, edges=(*drawn.edges, ("number", "weights")))
