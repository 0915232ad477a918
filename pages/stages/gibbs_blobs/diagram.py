"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from __future__ import annotations

from lessons.stages.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.models import Kind, Site, mixture, redrawn_at
from pages.drawing.plates import Diagram
from samplers.mixtures.finite import PARAMETERS
from samplers.mixtures.labels import WEIGHTS


def diagram(settings: GibbsBlobsSettings, t: int, site: Site) -> Diagram:
    """Draw a mixture of K components, or of as many as a CRP opens."""
    crp = settings.model == "CRP"
    block: Kind = "drawn" if settings.blocks == "uncollapsed" and not crp else "out"
    own = {WEIGHTS: ("weights",), PARAMETERS: ("content",)}
    return mixture(
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
