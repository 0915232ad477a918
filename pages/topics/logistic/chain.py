"""A Metropolis chain over the weights."""

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from pages.code.ways import code_of_step
from pages.contract.columns import Columns
from pages.drawing.cards import numbered, quiet
from pages.topics.logistic.base import Logistic
from pages.topics.logistic.code import mistakes
from pages.topics.logistic.diagram import diagram
from pages.topics.logistic.film import LogisticScene, arrows
from pages.topics.logistic.inspector import log, place_of
from pages.topics.logistic.run import LogisticRun


class ChainRun(LogisticRun):
    """Steps of a chain."""

    def add(self, t: int, state: Any) -> None:
        super().add(t, state)
        if t:
            self.arrow[t] = self.chain.record(t).position[self.shown]


@dataclass(frozen=True)
class ChainScene(LogisticScene):
    """Steps of a chain."""

    makes = ChainRun
    strides = (("1", 1), ("10", 10), ("100", 100))
    around: ClassVar = [("dot", "chain")]
    trace = LogisticScene.trace._replace(unit="Metropolis steps", grows=True)
    chain = True

    def steps(self, t: int) -> np.ndarray | None:
        self.run.reach(t)
        return self.run.positions[1 : t + 1]

    def columns(self, start: int, stop: int, widths: tuple[float, float]) -> Columns:
        return arrows(self, start, stop, widths, back=1)


def step(scene: LogisticScene, t: int) -> str:
    """Return the last step of the chain, opened."""
    if not t:
        return quiet("The chain begins at 0. Press <b>Step</b>.")
    before, proposal = scene.run.state(t - 1), scene.run.record(t)
    ratio = proposal.log_density - before.log_density
    verdict = "The chain goes there." if proposal.accepted else "The chain stays, and this place counts once more."
    return numbered(
        ("Here", place_of("weights", before)),
        ("Propose", place_of("step", proposal)),
        (
            "Compare",
            f"<p>min(1, exp({log(ratio)})) = {proposal.probability:.3f}</p>"
            f"<p>A dart falls at {proposal.uniform:.3f}.</p>",
        ),
        ("Go or stay", f"<p>{verdict}</p>"),
    )


class Chains(Logistic):
    """The stage of a chain."""

    diagram = partial(diagram, "A step is proposed for")
    shows = ChainScene
    views: ClassVar = Logistic.views | {
        "step": step,
        "code": lambda scene, t: code_of_step(scene.run, t, mistakes(scene)),
    }
