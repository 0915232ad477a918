"""The model as a picture: what a setting integrates out is dashed, and what a step redraws is lit."""

from dataclasses import replace
from typing import NamedTuple

from lessons.topics.generative import GenerativeSettings
from pages.drawing.models import Kind, half_known, mixture
from pages.drawing.plates import Diagram

PARTS = {"naive": ("Feature j", "ⱼ"), "pairs": ("Pair j of features", "ⱼ"), "whole": ("The features", "")}


class Act(NamedTuple):
    """A kind of step, as the diagram has it."""

    name: str
    redrawn: tuple[str, ...]  # nodes
    kinds: tuple[Kind, ...]  # of the nodes: a, b; π; the label; the features; θ; G₀
    hides: bool = False  # whether labels can be hidden


TELL = Act("Drawn", ("label", "seen"), ("given", "given", "drawn", "drawn", "given", "given"))
LEARN = Act(
    "Learned, by formula, from one more example",
    ("weights", "content"),
    ("given", "drawn", "seen", "seen", "drawn", "given"),
)
REDRAW = Act("Redrawn", ("label",), ("given", "out", "drawn", "seen", "out", "given"), hides=True)
ASK = REDRAW._replace(name="Asked for")


def diagram(act: Act, settings: GenerativeSettings, t: int) -> Diagram:
    """Draw the story from which examples come: first a class, then what it looks like."""
    every = act.hides and settings.labelled >= settings.points and settings.data != "own"
    prior, weights, label, *others = act.kinds
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
        (prior, weights, "seen" if every else label, *others),
        ("N examples", "K classes"),
        (),
    )
    if act.hides and settings.labelled and not every:
        says = "The class of example l, whose label is known", f"{part} of example l"
        plates = ("N examples, labels hidden", "L examples, labels known")
        drawn = half_known(drawn, plates, ("yₗ", f"xₗ{index}"), says)
    if index:
        seen = tuple(name for name in ("seen", "shown", "content") if name in drawn.nodes)
        name = "J features" if settings.grouping == "naive" else "J pairs of features"
        drawn = replace(drawn, plates={name: seen, **drawn.plates})
    lit = act.redrawn if t and not every else ()
    return replace(drawn, redrawn=lit, act=act.name, forward=act is TELL)
