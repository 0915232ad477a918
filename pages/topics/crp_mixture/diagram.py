"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from collections.abc import Sequence
from dataclasses import replace

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.drawing.models import Kind, Site, mixture
from pages.drawing.plates import Diagram


def diagram(settings: CRPMixtureSettings, t: int, site: Site) -> Diagram:
    """Draw points at tables, each table with parameters of its own."""
    blocks = ("label", "prior") if site is None else ("prior",) if isinstance(site, str) else ("label",)
    says = "Table k's mean, and its spread if that is learned", "The prior of a table's parameters"
    learned: Kind = "drawn" if settings.learning == "learned" else "given"
    return _tables(says, (learned, "out", "drawn", "seen", "out", "given"), blocks if t else ())


def diagram_of_story(t: int) -> Diagram:
    """Draw the same while points are made: labels, dishes and points are drawn in turn, and nothing is seen yet."""
    turns = ("label", "content", "seen")
    says = "Table k's dish: its mean", "What dishes are drawn from"
    kinds = ("given", "out", "drawn", "drawn", "drawn", "given")
    drawn = _tables(says, kinds, (turns[(t - 1) % len(turns)],) if t else ())
    return replace(drawn, act="Drawn", forward=True)


def _tables(says: tuple[str, ...], kinds: Sequence[Kind], redrawn: Sequence[str]) -> Diagram:
    weights = "Concentration: the weight of a new table", "The tables' weights, endlessly many"
    says = (*weights, "The table of point i", "Point i", *says)
    return mixture(("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"), says, kinds, ("N points", "∞ tables"), redrawn)
