"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.stages.draws import DrawsSettings
from pages.drawing.plates import Diagram, Node


def diagram(settings: DrawsSettings, t: int) -> Diagram:
    """Draw a probability, and tosses that depend on it."""
    nodes = {
        "prior": Node("a, b", "Heads and tails that the prior counts as if they had been seen", (0, 0), "given"),
        "theta": Node("θ", "The probability of heads", (1, 0)),
        "toss": Node("xₙ", "A toss: heads or tails", (2, 0), "seen"),
    }
    acts = {"draws": "Drawn", "chain": "A step is proposed for"}
    edges = (("prior", "theta"), ("theta", "toss"))
    return Diagram(nodes, edges, {"N tosses": ("toss",)}, ("theta",) * bool(t), acts[settings.method])
