"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from dataclasses import replace

from lessons.stages.crp_mixture import CRPMixtureSettings
from pages.drawing.models import Site, mixture
from pages.drawing.plates import Diagram


def diagram(settings: CRPMixtureSettings, t: int, site: Site) -> Diagram:
    """Draw points at tables, each table with parameters of its own."""
    learned = settings.learning == "learned"
    blocks = ("label", "prior") if site is None else ("prior",) if isinstance(site, str) else ("label",)
    return mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new table",
            "The tables' weights, endlessly many",
            "The table of point i",
            "Point i",
            "Table k's mean, and its spread if that is learned",
            "The prior of a table's parameters",
        ),
        ("drawn" if learned else "given", "out", "drawn", "seen", "out", "given"),
        ("N points", "∞ tables"),
        blocks if t else (),
    )


def diagram_of_story(t: int) -> Diagram:
    """Draw the same while points are made: labels, dishes and points are drawn in turn, and nothing is seen yet."""
    turns = ("label", "content", "seen")
    drawn = mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new table",
            "The tables' weights, endlessly many",
            "The table of point i",
            "Point i",
            "Table k's dish: its mean",
            "What dishes are drawn from",
        ),
        ("given", "out", "drawn", "drawn", "drawn", "given"),
        ("N points", "∞ tables"),
        (turns[(t - 1) % len(turns)],) if t else (),
    )
    return replace(drawn, act="Drawn", forward=True)
