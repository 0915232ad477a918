"""Settings of the stage on which all clusterings of a few points are listed, and visited."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar, Literal
from weakref import WeakKeyDictionary

import numpy as np

from lessons.settings.fields import choice, one_or_many, quantity
from lessons.settings.law import LATER, NOW, Law, counted
from lessons.settings.passing import Passing
from lessons.settings.points import by_hand_prior
from lessons.settings.settings import StageSettings
from samplers import Chain
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.crp.one_at_a_time import OneAtATime, spread, update_matrices
from samplers.crp.perfect import EveryStart, FirstMeeting, Meeting, PerfectDraws, meeting
from samplers.crp.wrong import WRONG_RULES
from samplers.partitions import named
from samplers.recipe import Kernel
from samplers.relay import Relay, distance

UPDATES = 2_000  # of a run
TOGETHER = 60  # updates of all starts with one stream of darts
DRAWS = 1_000  # of all starts from the past
ROUNDS, HALF = 100, 15  # of a class, and the chains of each half
LISTED = 4  # points up to which the law of the meeting is known: with 5, it takes minutes
_PATHS = WeakKeyDictionary[Chain[Any], tuple[int, ...]]()
PLACES = (-1.0, 0.0, None, 2.5, -2.0)  # of the points on the line; where the third lies is a setting


class WhySampleSettings(StageSettings):
    """A few points on a line, all their clusterings, and a Gibbs sampler that visits these, one update a step.

    With `starts`, runs begin at every clustering and share their darts: forwards, with one dart put elsewhere, or from
    the past, when a step is a perfect draw. Or thirty chains begin at draws from the posterior, and a class accepts or
    rejects their proposals, in two halves with a rule each.
    """

    unit = "updates"
    lawful = ("left", "groups")
    charts = ("clusterings", "bars", "distance", "paths", "left", "hand")
    marks = ("clustering-N", "point-N", "here", "proposal", "bar", "dart")
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

    needs: ClassVar[Mapping[str, Any]] = {
        "changed": lambda self: self.starts == "two",
        "put": lambda self: self.starts == "two",
        "until": lambda self: self.starts == "past",
        "half_b": lambda self: self.starts == "class",
        "rule": lambda self: self.starts != "class",
        "arrows": lambda self: self.starts == "one",
        "shown": lambda self: self.starts == "one",
        "start": lambda self: self.starts in ("one", "two"),
        "runs": lambda self: self.starts == "every",
    }

    @property
    def passing(self) -> Passing | None:
        """The target that a class can pass from hand to hand: clusterings, by their posterior."""
        if self.starts != "class":
            return None
        exact = self.exact()
        names = tuple(named(partition) for partition in exact.partitions)
        return Passing(names, tuple(exact.probabilities.tolist()), ("right", self.half_b))

    @property
    def mode(self) -> str:
        """Where runs start."""
        return self.starts

    @property
    def iterations(self) -> int:
        """Updates, draws, or rounds in which each chain is passed on once."""
        return {"one": UPDATES, "past": DRAWS, "class": ROUNDS}.get(self.starts, TOGETHER)

    @property
    def counted_as(self) -> str:
        """An update, a draw, or a round."""
        return {"past": "draw", "class": "round"}.get(self.starts, "update")

    @property
    def data(self) -> np.ndarray:
        """The points, shape (N,)."""
        return np.array([self.third if place is None else place for place in PLACES[: self.points]])

    def mixture(self, *, right: bool = False) -> CRPMixture:
        """Build the sampler of whole sweeps: by the rule that is set, or by the right one."""
        rule = CRPMixture if right or self.starts == "class" else WRONG_RULES.get(self.rule, CRPMixture)
        return rule(self.data, by_hand_prior(known=True), self.concentration, start=self.start)

    def sampler(self) -> Kernel[Any, Any]:
        """Build the sampler of single updates, of all starts at once, of draws from all starts, or of a class."""
        if self.starts == "class":
            return Relay(self.exact().probabilities, ("right", self.half_b), HALF)
        mixture = self.mixture()
        if self.starts == "past":
            return PerfectDraws(mixture) if self.until == "now" else FirstMeeting(mixture)
        if self.starts == "one":
            return OneAtATime(mixture)
        return EveryStart(mixture, self.changed * (self.starts == "two"), self.put)

    @property
    def first(self) -> int:
        """The number of the clustering at which a run starts, from 0: all together, or each alone."""
        return 0 if self.start == "together" else -1

    def exact(self) -> ExactPosterior:
        """Return the posterior of every clustering."""
        return _exact(tuple(self.data), self.concentration)

    def law(self, outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of groups, or how many clusterings are left after t updates."""
        if outcome == "groups":
            return counted(LATER, self.exact().table_counts)
        if outcome != "left" or self.starts != "every" or self.points > LISTED:
            return None
        left = self.meeting().left
        return counted(NOW, left[min(t, len(left) - 1)])

    def meeting(self) -> Meeting:
        """Return the law of where and when all starts meet; of at most `LISTED` points."""
        return _meeting(self.model_copy(update=dict.fromkeys(("starts", "runs"), "one")))

    def measure(self, chain: Chain[Any], t: int) -> dict[str, float]:
        """Count groups, visited clusterings, clusterings with a run, and sweeps; and return the most probable one.

        Clusterings are numbered from 1. The total variation is the distance of the shares of visits, or of the
        crowd or of half A, from the exact posterior; 1 before the first visit.
        """
        exact, state, path = self.exact(), chain[t], self.path(chain, t)
        if self.starts == "class":
            shares = self.heaps(chain, t)[0]
        elif self.starts == "one" and self.shown == "crowd":
            shares = spread(update_matrices(self.mixture()), path[0], t)[t]
        else:
            shares = np.bincount(path[1:], minlength=len(exact.partitions)) / max(1, t)
        return {
            "groups": max(exact.partitions[path[t]]) + 1,
            "visited": len(set(path[1:])),
            "likeliest": int(exact.probabilities.argmax()) + 1,
            "distance": float(np.abs(shares - exact.probabilities).sum()) / 2 if shares.any() else 1.0,
            "left": self.left(state),
            "sweeps": state.sweeps if self.starts == "past" else 0,
            "distance_b": distance(self.heaps(chain, t)[1], exact.probabilities) if self.starts == "class" else 0.0,
        }

    def heaps(self, chain: Chain[Any], t: int) -> np.ndarray:
        """Return the share of each clustering among the visits of each half of a class, shape (2, clusterings)."""
        states = len(self.exact().partitions)
        visits = np.array([chain[now].where for now in range(1, t + 1)], int).reshape(t, 2, HALF)
        return np.array([np.bincount(visits[:, half].ravel(), minlength=states) for half in (0, 1)]) / max(1, t * HALF)

    def path(self, chain: Chain[Any], t: int) -> tuple[int, ...]:
        """Return where a run, or its draws, were in iterations 0 to t; each is looked at once."""
        path = _PATHS.get(chain, ())
        if len(path) <= t:
            path = _PATHS[chain] = (*path, *(self.place(chain[now]) for now in range(len(path), t + 1)))
        return path[: t + 1]

    def place(self, state: Any) -> int:
        """Return the number of the clustering in a state, from 0: of the run from the start, or of the draw."""
        if self.starts == "one":
            return self.exact().partitions.index(state.partition)
        return int(state.partition if self.starts == "past" else state.where[self.first])

    def left(self, state: Any) -> int:
        """Return in how many clusterings the runs of a state are."""
        if self.starts == "two":
            return len({state.where[self.first], state.elsewhere[self.first]})
        return len({*state.where}) if self.starts in ("every", "class") else 1


@lru_cache(64)
def _exact(points: tuple[float, ...], concentration: float) -> ExactPosterior:
    """Return the posterior of every clustering; asked for at each iteration of a run."""
    return exact_posterior(np.array(points), by_hand_prior(known=True), concentration)


@cache
def _meeting(settings: WhySampleSettings) -> Meeting:
    return meeting(settings.mixture())
