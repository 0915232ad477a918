"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.topics.ibp_features import IBPFeaturesSettings
from pages.drawing.models import Kind, Site, redrawn_at
from pages.drawing.plates import Diagram, Node
from samplers.buffet.linear_gaussian import CONCENTRATION, VARIANCES, Bit
from samplers.buffet.spike_slab import FACTORS


def of_bits(settings: IBPFeaturesSettings, t: int, site: Site) -> Diagram:
    """Draw rows that are sums of features."""
    alpha, variances = (_kind(settings, what) for what in ("concentration", "variances"))
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


def _kind(settings: IBPFeaturesSettings, what: str) -> Kind:
    return "drawn" if settings.redraws(what) else "given"


def of_factors(settings: IBPFeaturesSettings, t: int, site: Site) -> Diagram:
    """Draw rows whose loadings are 0 or Normal; a bit and its weight are drawn together."""
    loading = "Loading of row n on factor k: exactly 0, or a Normal weight; a bit times a weight, zₙₖ wₙₖ"
    nodes = {
        "alpha": Node("α", "Concentration: how many factors a row is expected to load on", (0, 0), "given"),
        "popular": Node("πₖ", "How common it is to load on factor k", (1, 0), "out"),
        "loading": Node("gₙₖ", loading, (2, 0)),
        "seen": Node("yₙ", "Row n: the sum of its loadings times the factors, and noise", (3, 0), "seen"),
        "factor": Node("xₖ", "Factor k: Normal numbers of standard deviation 1", (2, 1)),
        "spread": Node("σₐ", "Standard deviation of a loading that is not 0: the slab", (0, 1), "given"),
        "noise": Node("σₓ", "Standard deviation of the noise", (4, 0), "given"),
    }
    edges = (
        ("alpha", "popular"),
        ("popular", "loading"),
        ("spread", "loading"),
        ("loading", "seen"),
        ("factor", "seen"),
        ("noise", "seen"),
    )
    lit = ("factor",) if site == FACTORS else ("loading",) if isinstance(site, Bit) else ("loading", "factor")
    plates = {"∞ factors": ("popular", "loading", "factor"), "N rows": ("loading", "seen")}
    return Diagram(nodes, edges, plates, lit if t else ())
