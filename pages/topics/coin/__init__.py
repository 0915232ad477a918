"""One coin: a prior, tosses, and the posterior. The smallest topic, and the pattern for others."""

from collections.abc import Iterable
from typing import ClassVar

from lessons.topics.coin import CoinSettings
from pages.code.ways import code_of_step
from pages.contract.place import Place
from pages.contract.tools import Link, Tool
from pages.drawing.plates import Diagram, Node
from pages.scenes.run_stage import RunStage
from pages.scenes.wall import Wall
from pages.topics.coin import inspector
from pages.topics.coin.film import CoinRun


def diagram(settings: CoinSettings, t: int) -> Diagram:
    """Draw the model: a probability, and tosses that depend on it."""
    nodes = {
        "prior": Node("a, b", "Heads and tails that the prior counts as if they had been seen", (0, 0), "given"),
        "theta": Node("θ", "The probability of heads", (1, 0)),
        "toss": Node("xₙ", "A toss: heads or tails", (2, 0), "seen"),
    }
    edges = (("prior", "theta"), ("theta", "toss"))
    return Diagram(nodes, edges, {"N tosses": ("toss",)}, ("theta",) * bool(t), "Learned from one more toss")


class CoinStage(RunStage[CoinSettings, CoinRun]):
    """The stage of the topic "One coin"."""

    makes = CoinRun
    diagram = diagram
    views: ClassVar = {"step": inspector.step, "code": code_of_step, "summary": inspector.summary}
    wall = Wall("run", "runs", "toss")

    def actions(self, place: Place[CoinSettings]) -> Iterable[Tool]:
        """Link the posterior so far to the topic that draws from it, in free play."""
        if place.t and not place.lesson:
            heads = self.run(place.settings, place.seed).chain[place.t].heads
            prior = place.settings.model_dump(include={"prior_heads", "prior_tails"})
            there = {**prior, "tosses": place.t, "heads": heads}
            yield Link("draws", "Draw from this posterior", there, ":material/casino:")
