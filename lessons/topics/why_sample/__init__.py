"""Settings of the stage on which all clusterings of a few points are listed, and visited."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import ClassVar, Literal

import numpy as np

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.modes import ModeSettings
from lessons.settings.passing import Passing
from lessons.settings.points import by_hand_prior
from lessons.topics.why_sample.past import Past
from lessons.topics.why_sample.people import People
from lessons.topics.why_sample.starts import Every, Two
from lessons.topics.why_sample.visits import One, VisitMode
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.crp.perfect import Meeting, meeting
from samplers.crp.wrong import WRONG_RULES

PLACES = (-1.0, 0.0, None, 2.5, -2.0)  # of the points on the line; where the third lies is a setting


class WhySampleSettings(ModeSettings):
    """A few points on a line, all their clusterings, and a Gibbs sampler that visits these, one update a step.

    With `starts`, runs begin at every clustering and share their darts: forwards, with one dart put elsewhere, or from
    the past, when a step is a perfect draw. Or thirty chains begin at draws from the posterior, and a class accepts or
    rejects their proposals, in two halves with a rule each.
    """

    unit = "updates"
    lawful = ("left", "groups")
    charts = ("clusterings", "bars", "distance", "paths", "left", "hand")
    marks = ("clustering-N", "point-N", "here", "proposal", "bar", "dart")
    modes: ClassVar[Mapping[str, VisitMode]] = {
        "one": One(),
        "every": Every(),
        "two": Two(),
        "past": Past(),
        "class": People(),
    }
    picks: ClassVar = {"clusterings": ("number", "name"), "bars": ("number", "name")}

    points: int = quantity(3, (3, 5, 1))
    third: float = quantity(1.5, (-4, 4, 0.1), dial=True)
    concentration: float = quantity(1.0, (0.1, 5, 0.1), dial=True)
    starts: Literal["one", "every", "two", "past", "class"] = choice("one")
    half_b: Literal["upwards", "preference", "right"] = choice("upwards")
    changed: int = quantity(2, (1, 12, 1), dial=True)
    put: float = quantity(0.9, (0, 0.99, 0.01), dial=True)
    until: Literal["now", "meeting"] = choice("now")
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
    runs: Literal["one", "left"] = one_or_many()

    @property
    def passing(self) -> Passing | None:
        """The target that a class can pass from hand to hand: clusterings, by their posterior."""
        return self.now.passing(self)

    @property
    def mode(self) -> str:
        """Where runs start."""
        return self.starts

    @property
    def now(self) -> VisitMode:
        return self.modes[self.mode]

    @property
    def data(self) -> np.ndarray:
        """The points, shape (N,)."""
        return np.array([self.third if place is None else place for place in PLACES[: self.points]])

    def mixture(self, *, right: bool = False) -> CRPMixture:
        """Build the sampler of whole sweeps: by the rule that is set, or by the right one."""
        rule = CRPMixture if right or not self.matters("rule") else WRONG_RULES.get(self.rule, CRPMixture)
        return rule(self.data, by_hand_prior(known=True), self.concentration, start=self.start)

    @property
    def first(self) -> int:
        """The number of the clustering at which a run starts, from 0: all together, or each alone."""
        return 0 if self.start == "together" else -1

    def exact(self) -> ExactPosterior:
        """Return the posterior of every clustering."""
        return _exact(tuple(self.data), self.concentration)

    def meeting(self) -> Meeting:
        """Return the law of where and when all starts meet; of at most `LISTED` points."""
        return _meeting(self.model_copy(update=dict.fromkeys(("starts", "runs"), "one")))


@lru_cache(64)
def _exact(points: tuple[float, ...], concentration: float) -> ExactPosterior:
    """Return the posterior of every clustering; asked for at each iteration of a run."""
    return exact_posterior(np.array(points), by_hand_prior(known=True), concentration)


@cache
def _meeting(settings: WhySampleSettings) -> Meeting:
    return meeting(settings.mixture())
