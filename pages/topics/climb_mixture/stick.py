"""Variational Bayes for a stick that is broken into pieces, the weights, of which the last is what is left."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pages.drawing.numbers import fixed
from pages.topics.climb_mixture.base import Climbs
from pages.topics.climb_mixture.diagram import diagram
from pages.topics.climb_mixture.variational import ACTS, VariationalScene


@dataclass(frozen=True)
class StickScene(VariationalScene):
    """A climb whose weights are pieces of a stick."""

    weighed = "piece : what is left"

    def share(self, k: int, counts: Sequence[float], parts: Any) -> str:
        pieces = parts.of_weights.dirichlet.pseudo_counts
        return f"{fixed(float(pieces[k, 0]))} : {fixed(float(pieces[k, 1]))}" if k < len(pieces) else "the rest"


class Stick(Climbs):
    """The stage of a truncated stick."""

    shows = StickScene
    diagram = partial(diagram, acts=ACTS, prior=("α", "Concentration: a larger α breaks smaller pieces off the stick"))
