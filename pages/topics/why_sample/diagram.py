"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.topics.why_sample import WhySampleSettings
from pages.drawing.models import mixture
from pages.drawing.plates import Diagram


def diagram(settings: WhySampleSettings, t: int) -> Diagram:
    """Draw points in groups, of which each has a centre of its own that is not drawn."""
    return mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new group",
            "The groups' weights, endlessly many",
            "The group of point i",
            "Point i",
            "Group k's centre",
            "The prior of a group's centre",
        ),
        ("given", "out", "drawn", "seen", "out", "given"),
        ("N points", "∞ groups"),
        ("label",) * bool(t),
    )
