"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from lessons.topics.logistic import LogisticSettings
from pages.drawing.plates import Diagram, Node

SAID = {
    "normal": ("w", "The weights: intercept and slope", "tₙ", "The number t of point n"),
    "softmax": ("wₖ", "The weights of class k", "yₙ", "The class of point n"),
    "logistic": ("w", "The weights: which side of the plane is which, and how sure", "yₙ", "The label of point n"),
}  # of weights and label, by the likelihood


def diagram(act: str, settings: LogisticSettings, t: int) -> Diagram:
    """Draw weights, which a step's act is about, and labels that depend on them and on the points."""
    line, classes = settings.likelihood == "normal", settings.likelihood == "softmax"
    flat, said = settings.flat, SAID[settings.likelihood]
    nodes = {
        "weights": Node(*said[:2], (1, 0)),
        "label": Node(*said[2:], (2, 0), "seen"),
        "point": Node("xₙ", "The features of point n; the model does not say where they come from", (3, 0), "given"),
    }
    if line:
        nodes["noise"] = Node("β", "Precision of the noise: 1/β is its variance", (2, 1), "given")
    if not flat:
        nodes = {"prior": Node("λ", "Precision of the Normal prior", (0, 0), "given")} | nodes
    edges = (("prior", "weights"),) * (not flat) + (("weights", "label"), ("point", "label"))
    edges += (("noise", "label"),) * line
    plates: dict[str, tuple[str, ...]] = {"N points": ("label", "point")}
    if classes:
        plates["3 classes"] = ("weights",)
    return Diagram(nodes, edges, plates, ("weights",) * bool(t), act)
