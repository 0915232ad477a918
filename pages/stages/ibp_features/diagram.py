"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from __future__ import annotations

from lessons.stages.ibp_features import IBPFeaturesSettings
from pages.drawing.models import Kind, Site, redrawn_at
from pages.drawing.plates import Diagram, Node
from samplers.buffet.linear_gaussian import CONCENTRATION, VARIANCES


def diagram(settings: IBPFeaturesSettings, t: int, site: Site) -> Diagram:
    """Draw rows that are sums of features."""
    variances: Kind = "drawn" if settings.redrawn in ("variances", "all") else "given"
    alpha: Kind = "drawn" if settings.redrawn in ("concentration", "all") else "given"
    nodes = {
        "alpha": Node("α", "Concentration: how many features a row is expected to have", (0, 0), alpha),
        "popular": Node("πₖ", "How common feature k is", (1, 0), "out"),
        "bit": Node("zₙₖ", "Whether row n has feature k", (2, 0)),
        "seen": Node("xₙ", "Row n: the sum of its features, and noise", (3, 0), "seen"),
        "content": Node("aₖ", "Loadings: what feature k adds to each number", (1, 1), "out"),
        "spread": Node("σₐ", "Standard deviation of the loadings", (0, 1), variances),
        "noise": Node("σₓ", "Standard deviation of the noise", (4, 0), variances),
    }
    edges = (("alpha", "popular"), ("popular", "bit"), ("bit", "seen"), ("content", "seen"), ("spread", "content"))
    own = {VARIANCES: ("spread", "noise"), CONCENTRATION: ("alpha",)}
    redrawn = redrawn_at(site, own, ("bit", "spread", "noise", "alpha")) if t else ()
    lit = tuple(name for name in redrawn if nodes[name].kind == "drawn")
    plates = {"∞ features": ("popular", "bit", "content"), "N rows": ("bit", "seen")}
    return Diagram(nodes, (*edges, ("noise", "seen")), plates, lit)
