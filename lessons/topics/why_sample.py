"""Settings of the stage on which all clusterings of a few points are listed, and visited."""

from typing import Any, ClassVar, Literal

import numpy as np

from lessons.settings.fields import choice, quantity
from lessons.settings.law import LATER, Law, counted
from lessons.settings.points import by_hand_prior
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.crp.one_at_a_time import OneAtATime, spread, update_matrices
from samplers.crp.wrong import WRONG_RULES

UPDATES = 2_000  # of a run
PLACES = (-1.0, 0.0, None, 2.5, -2.0)  # of the points on the line; where the third lies is a setting


class WhySampleSettings(StageSettings):
    """A few points on a line, all their clusterings, and a Gibbs sampler that visits these, one update a step."""

    unit = "updates"
    lawful = ("groups",)
    charts = ("clusterings", "bars", "distance")
    marks = ("clustering-N", "point-N")
    picks: ClassVar = {"clusterings": ("number", "name"), "bars": ("number", "name")}

    points: int = quantity(3, (3, 5, 1))
    third: float = quantity(1.5, (-4, 4, 0.1), dial=True)
    concentration: float = quantity(1.0, (0.1, 5, 0.1), dial=True)
    arrows: Literal["update", "all", "flows"] = choice("update", look=True)
    shown: Literal["run", "crowd"] = choice("run", look=True)
    start: Literal["together", "apart"] = choice("together")
    rule: Literal[
        "right",
        "point not removed",
        "counts include the point",
        "data include the point",
        "emptied table offered too",
        "counts forgotten",
        "new table too sure",
    ] = choice("right")

    @property
    def iterations(self) -> int:
        """Updates."""
        return UPDATES

    @property
    def data(self) -> np.ndarray:
        """The points, shape (N,)."""
        return np.array([self.third if place is None else place for place in PLACES[: self.points]])

    def mixture(self, *, right: bool = False) -> CRPMixture:
        """Build the sampler of whole sweeps: by the rule that is set, or by the right one."""
        rule = CRPMixture if right else WRONG_RULES.get(self.rule, CRPMixture)
        return rule(self.data, by_hand_prior(known=True), self.concentration, start=self.start)

    def sampler(self) -> OneAtATime:
        """Build the sampler of single updates."""
        return OneAtATime(self.mixture())

    def exact(self) -> ExactPosterior:
        """Return the posterior of every clustering."""
        return exact_posterior(self.data, by_hand_prior(known=True), self.concentration)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of groups."""
        return counted(LATER, self.exact().table_counts) if outcome == "groups" else None

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count groups and visited clusterings; return the most probable one, and the total variation of the discs.

        Clusterings are numbered from 1. The total variation is the distance of the shares of visits, or of the
        crowd, from the exact posterior; 1 before the first visit.
        """
        visits, exact = [chain[now].partition for now in range(t + 1)], self.exact()
        if self.shown == "crowd":
            start = exact.partitions.index(visits[0])
            shares = spread(update_matrices(self.mixture()), start, t)[t]
        else:
            shares = np.array([visits[1:].count(each) for each in exact.partitions]) / max(1, t)
        return {
            "groups": max(visits[t]) + 1,
            "visited": len(set(visits[1:])),
            "likeliest": int(exact.probabilities.argmax()) + 1,
            "distance": float(np.abs(shares - exact.probabilities).sum()) / 2 if shares.any() else 1.0,
        }
