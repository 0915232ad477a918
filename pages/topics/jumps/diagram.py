"""The model as a picture: a move redraws labels, many at once."""

from pages.drawing.models import Kind, mixture
from pages.drawing.plates import Diagram


def diagram(content: Kind, t: int) -> Diagram:
    """Draw points in clusters, each with parameters of its own."""
    return mixture(
        ("α", "π", "zᵢ", "xᵢ", "θₖ", "G₀"),
        (
            "Concentration: the weight of a new cluster",
            "The clusters' weights, endlessly many",
            "The cluster of point i",
            "Point i",
            "Cluster k's mean, and its spread if that is learned",
            "The prior of a cluster's parameters",
        ),
        ("given", "out", "drawn", "seen", content, "given"),
        ("N points", "∞ clusters"),
        ("label",) if t else (),
    )
