"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from dataclasses import replace

from lessons.topics.generative import GenerativeSettings
from pages.drawing.models import Kind, half_known, mixture
from pages.drawing.plates import Diagram

PARTS = {"naive": ("Feature j", "ⱼ"), "pairs": ("Pair j of features", "ⱼ"), "whole": ("The features", "")}


def diagram(settings: GenerativeSettings, t: int) -> Diagram:
    """Draw the story from which examples come: first a class, then what it looks like."""
    story, hidden = settings.method == "story", settings.method == "labels" or settings.asks
    out: Kind = "given" if story else "out"
    redrawn = ("label", "seen") if story else ("label",) if hidden else ("weights", "content")
    every = hidden and settings.labelled >= settings.points and settings.data != "own"
    kinds: tuple[Kind, ...] = ("given", out, "seen" if every else "drawn", "drawn" if story else "seen", out, "given")
    if not (story or hidden):
        kinds = ("given", "drawn", "seen", "seen", "drawn", "given")
    part, index = PARTS[settings.grouping]
    drawn = mixture(
        ("a, b", "π", "yₙ", f"xₙ{index}", f"θₖ{index}", "G₀"),
        (
            "Pseudo-counts of the classes",
            "How common each class is",
            "The class of example n",
            f"{part} of example n",
            "How class k looks" + f" in {part.lower()}" * bool(index),
            "The prior of how a class looks",
        ),
        kinds,
        ("N examples", "K classes"),
        (),
    )
    if hidden and settings.labelled and not every:
        says = "The class of example l, whose label is known", f"{part} of example l"
        plates = ("N examples, labels hidden", "L examples, labels known")
        drawn = half_known(drawn, plates, ("yₗ", f"xₗ{index}"), says)
    if index:
        seen = tuple(name for name in ("seen", "shown", "content") if name in drawn.nodes)
        name = "J features" if settings.grouping == "naive" else "J pairs of features"
        drawn = replace(drawn, plates={name: seen, **drawn.plates})
    act = (
        "Drawn"
        if story
        else "Asked for"
        if settings.asks
        else "Redrawn"
        if hidden
        else "Learned, by formula, from one more example"
    )
    return replace(drawn, redrawn=redrawn if t and not every else (), act=act, forward=story)
