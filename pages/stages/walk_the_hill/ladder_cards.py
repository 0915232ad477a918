"""The cards of an iteration of a ladder on a density."""

from typing import Any

from pages.drawing.cards import table
from pages.stages.ladder import cards
from pages.stages.ladder.cards import Words, of_level
from pages.stages.ladder.run import OpenedLadder
from pages.stages.walk_the_hill.film import Scene


def step(scene: Scene, t: int) -> str:
    """Return the cards of the last swap of iteration t, or of the opened one up to frame t."""
    return cards.ladder_cards(scene, t, Words("a Metropolis step", "Steps", _steps, "log density"))


def code(scene: Scene, t: int) -> str:
    """Return the code of iteration t, or of the opened one, as it ran."""
    run: Any = scene.run
    return cards.code(run, scene.step(t))


def _steps(ladder: OpenedLadder) -> str:
    """Return what the Metropolis step has made of each level."""
    rows = []
    for level, proposal in enumerate(ladder.step.own):
        rows.append((of_level(level), "moves" if proposal.accepted else "stays"))
    return table(("proposal", ""), rows)
