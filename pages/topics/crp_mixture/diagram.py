"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from collections.abc import Sequence
from dataclasses import replace

from lessons.topics.crp_mixture import CRPMixtureSettings
from pages.drawing.models import Kind, Site, mixture, redrawn_at
from pages.drawing.plates import Diagram
from samplers.crp.mixture import CONCENTRATION

ALPHA: dict[str, Kind] = {"fixed": "given", "learned": "drawn"}


def diagram(settings: CRPMixtureSettings, t: int, site: Site) -> Diagram:
    """Draw points at tables, each table with parameters of its own."""
    blocks = redrawn_at(site, {CONCENTRATION: ("prior",)}, ("label", "prior")) if t else ()
    says = "Table k's mean, and its spread if that is learned", "The prior of a table's parameters"
    return _tables(says, (ALPHA[settings.learning], "out", "drawn", "seen", "out", "given"), blocks)


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
