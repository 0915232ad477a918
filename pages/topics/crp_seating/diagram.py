"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.topics.crp_seating import CRPSeatingSettings
from pages.drawing.plates import Diagram, Node


def diagram(settings: CRPSeatingSettings, t: int) -> Diagram:
    """Draw the restaurant: a stick that the seating rule need not break, and that is broken where it is the recipe."""
    stick, discount = settings.door == "stick", settings.discount > 0
    nodes = {
        "alpha": Node("α", "Concentration: the weight of a new table", (0, 0), "given"),
        "weights": Node(
            "π", "The tables' weights, endlessly many: a broken stick", (1, 0), "drawn" if stick else "out"
        ),
        "label": Node("zₙ", "The table of customer n", (2, 0)),
    }
    edges: tuple[tuple[str, str], ...] = (("alpha", "weights"), ("weights", "label"))
    if discount:
        nodes["discount"] = Node("d", "Discount: what each table loses to the new one", (1, 1), "given")
        edges = (*edges, ("discount", "weights"))
    redrawn = ("weights", "label") if stick else ("label",)
    return Diagram(nodes, edges, {"N customers": ("label",)}, redrawn if t else (), "Drawn", forward=True)
