"""The mode in which a class accepts or rejects the proposals of thirty chains, in two halves with a rule each."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.settings.passing import Passing
from lessons.topics.why_sample.visits import VisitMode
from samplers import Chain
from samplers.partitions import named
from samplers.recipe import Kernel
from samplers.relay import Relay, distance

if TYPE_CHECKING:
    from lessons.topics.why_sample import WhySampleSettings

ROUNDS, HALF = 100, 15  # of a class, and the chains of each half


class People(VisitMode):
    """A class: an iteration is a round, in which each chain is passed on once; the shares are those of half A."""

    counted_as = "round"
    controls = ("half_b",)

    def iterations(self, settings: "WhySampleSettings") -> int:
        return ROUNDS

    def sampler(self, settings: "WhySampleSettings") -> Kernel[Any, Any]:
        return Relay(settings.exact().probabilities, ("right", settings.half_b), HALF)

    def passing(self, settings: "WhySampleSettings") -> Passing:
        """Return the clusterings, with their posterior."""
        exact = settings.exact()
        names = tuple(named(partition) for partition in exact.partitions)
        return Passing(names, tuple(exact.probabilities.tolist()), ("right", settings.half_b))

    def place(self, settings: "WhySampleSettings", state: Any) -> int:
        return int(state.where[settings.first])

    def left(self, settings: "WhySampleSettings", state: Any) -> int:
        return len({*state.where})

    def shares(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> np.ndarray:
        found: np.ndarray = self.heaps(settings, chain, t)[0]
        return found

    def heaps(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> np.ndarray:
        """Return the share of each clustering among the visits of each half, shape (2, clusterings)."""
        states = len(settings.exact().partitions)
        visits = np.array([chain[now].where for now in range(1, t + 1)], int).reshape(t, 2, HALF)
        return np.array([np.bincount(visits[:, half].ravel(), minlength=states) for half in (0, 1)]) / max(1, t * HALF)

    def measure(self, settings: "WhySampleSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        other = distance(self.heaps(settings, chain, t)[1], settings.exact().probabilities)
        return {**super().measure(settings, chain, t), "distance_b": other}
