"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.topics.ibp_buffet import IBPBuffetSettings
from pages.drawing.plates import Diagram, Node


def diagram(settings: IBPBuffetSettings, t: int) -> Diagram:
    """Draw the buffet, or the finite model: how popular each dish is need not be drawn."""
    number = settings.number_of_columns
    alpha = "how many dishes a customer takes on average" if number is None else "each πₖ is Beta(α/K, 1)"
    nodes = {
        "alpha": Node("α", f"Concentration: {alpha}", (0, 0), "given"),
        "popular": Node("πₖ", f"How popular {'dish' if number is None else 'column'} k is", (1, 0), "out"),
        "bit": Node("zₙₖ", f"Whether customer n takes {'dish' if number is None else 'column'} k", (2, 0)),
    }
    edges = (("alpha", "popular"), ("popular", "bit"))
    dishes = "∞ dishes" if number is None else f"K = {number} columns"
    plates = {dishes: ("popular", "bit"), "N customers": ("bit",)}
    return Diagram(nodes, edges, plates, ("bit",) * bool(t), "Drawn", forward=True)
