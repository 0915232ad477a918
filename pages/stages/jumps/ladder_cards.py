"""The cards of a sweep of a ladder of mixtures."""

from typing import Any

from pages.drawing.cards import table
from pages.stages.ladder import cards
from pages.stages.ladder.cards import Words, of_level
from pages.stages.ladder.run import SWEPT, OpenedLadder
from pages.stages.points.scene import Scene


def ladder_cards(scene: Scene[Any], t: int) -> str:
    """Return the cards of the last swap of sweep t, or of the opened sweep up to frame t."""
    return cards.ladder_cards(scene, t, Words("a Gibbs sweep", "Sweep", _sweep, "log joint"))


def code(scene: Scene[Any], t: int) -> str:
    """Return the code of sweep t, or of the opened one, as it ran."""
    run: Any = scene.run
    return cards.code(run, scene.step(t))


def _sweep(ladder: OpenedLadder) -> str:
    """Return what the Gibbs sweep has made of each level."""
    rows = []
    for level, state in enumerate(ladder.at(SWEPT).levels):
        changed = sum(a != b for a, b in zip(ladder.before.levels[level].labels, state.labels, strict=True))
        rows.append((of_level(level), f"{changed}"))
    return table(("labels", "changed"), rows)
