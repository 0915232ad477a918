"""The mode with one run, or a crowd of runs from one start; and what all modes share."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from lessons.settings.law import LATER, Law, counted
from lessons.settings.modes import Mode
from lessons.settings.passing import Passing
from samplers import Chain
from samplers.crp.one_at_a_time import OneAtATime, spread, update_matrices
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.why_sample import WhySampleSettings

UPDATES = 2_000  # of a run
_PATHS = WeakKeyDictionary[Chain[Any], tuple[int, ...]]()


class VisitMode(Mode["WhySampleSettings"]):
    """A mode of this topic: clusterings are visited, one each iteration."""

    @abstractmethod
    def place(self, settings: "WhySampleSettings", state: Any) -> int:
        """Return the number of the clustering in a state, from 0: of the run from the start, or of the draw."""

    def left(self, settings: "WhySampleSettings", state: Any) -> int:
        """Return in how many clusterings the runs of a state are."""
        return 1

    def shares(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> np.ndarray:
        """Return the share of each clustering among the visits so far."""
        path, states = self.path(settings, chain, t), len(settings.exact().partitions)
        return np.bincount(path[1:], minlength=states) / max(1, t)

    def passing(self, settings: "WhySampleSettings") -> Passing | None:
        """Return the target that a class can pass from hand to hand; None if there is none."""
        return None

    def path(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> tuple[int, ...]:
        """Return where a run, or its draws, were in iterations 0 to t; each is looked at once."""
        path = _PATHS.get(chain, ())
        if len(path) <= t:
            later = (self.place(settings, chain[now]) for now in range(len(path), t + 1))
            path = _PATHS[chain] = (*path, *later)
        return path[: t + 1]

    def law(self, settings: "WhySampleSettings", outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of groups."""
        return counted(LATER, settings.exact().table_counts) if outcome == "groups" else None

    def measure(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Count groups, visited clusterings and clusterings with a run; and return the most probable one, from 1.

        The total variation is the distance of the shares from the exact posterior; 1 before the first visit.
        """
        exact, path, shares = settings.exact(), self.path(settings, chain, t), self.shares(settings, chain, t)
        return {
            "groups": max(exact.partitions[path[t]]) + 1,
            "visited": len(set(path[1:])),
            "likeliest": int(exact.probabilities.argmax()) + 1,
            "distance": float(np.abs(shares - exact.probabilities).sum()) / 2 if shares.any() else 1.0,
            "left": self.left(settings, chain[t]),
            "distance_b": 0.0,
        }


class One(VisitMode):
    """One run, an update of a point each iteration; or, in its place, a crowd of runs."""

    controls = ("rule", "arrows", "shown", "start")

    def iterations(self, settings: "WhySampleSettings") -> int:
        return UPDATES

    def sampler(self, settings: "WhySampleSettings") -> Kernel[Any, Any]:
        return OneAtATime(settings.mixture())

    def place(self, settings: "WhySampleSettings", state: Any) -> int:
        return settings.exact().partitions.index(state.partition)

    def shares(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> np.ndarray:
        if settings.shown == "run":
            return super().shares(settings, chain, t)
        return spread(update_matrices(settings.mixture()), self.path(settings, chain, 0)[0], t)[t]
