"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from dataclasses import replace

from lessons.topics.marginalise import MarginaliseSettings
from pages.drawing.models import MIXTURE, half_known, mixture, of_words
from pages.drawing.plates import Diagram, Node


def of_means(settings: MarginaliseSettings, t: int) -> Diagram:
    """Draw two components on a line, whose labels are summed out."""
    nodes = {
        "weights": Node("½", "Both components are equally common", (0, 0), "given"),
        "label": Node("zₙ", "The component of point n", (1, 0), "out"),
        "seen": Node("yₙ", "Point n", (2, 0), "seen"),
        "content": Node("μₖ", "The mean of component k", (3, 0)),
        "base": Node("σ", "The prior's spread of the means", (4, 0), "given"),
    }
    plates = {"N points": ("label", "seen"), "2 components": ("content",)}
    return _together(Diagram(nodes, MIXTURE[1:], plates, ("content",) * bool(t)))


def of_documents(settings: MarginaliseSettings, t: int) -> Diagram:
    """Draw documents whose labels are summed out, so that gradients can move all that is left."""
    known = settings.variant in ("supervised", "prediction")
    some = settings.variant == "full Bayes" and settings.known_labels > 0
    drawn = mixture(
        ("α", "θ", "zₘ", "wₘₙ", "φₖ", "β"),
        (
            "Pseudo-count of each class",
            "How common each class is",
            "The class of document m; those without a label teach nothing"
            if settings.variant == "prediction"
            else "The class of document m",
            "Word n of document m",
            "Class k's probability of each word",
            "Pseudo-count of each word in each class",
        ),
        ("given", "drawn", "seen" if known else "out", "seen", "drawn", "given"),
        ("M documents", "K classes"),
        ("weights", "content") if t else (),
    )
    if some:
        says = "The class of document l, whose label is data", "Word n of document l"
        drawn = half_known(drawn, ("M documents, no label", "L documents, labelled"), ("zₗ", "wₗₙ"), says)
    return _together(of_words(drawn, "Nₘ words"))


def _together(drawn: Diagram) -> Diagram:
    return replace(drawn, act="Moved together", gone="Summed out", together=True)
