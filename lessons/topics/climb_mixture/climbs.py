"""The modes in which one best value of everything is climbed to: k-means and EM; and what all modes share."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.settings.modes import Mode
from lessons.topics.climb_mixture.means import in_use
from samplers import Chain
from samplers.climb.em import EM, KMeans
from samplers.climb.halves import Climb
from samplers.climb.wrong import WRONG_CLIMBS, CountedAgain
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.exact_labellings import ExactLabels, exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture

if TYPE_CHECKING:
    from lessons.topics.climb_mixture import ClimbMixtureSettings

HALF_STEPS, ON_A_WALL = 200, 60  # of a run, and of each run on a wall


class ClimbMode(Mode["ClimbMixtureSettings"]):
    """A mode of this topic.

    Attributes
    ----------
    soft : bool
        Whether components share a point, so that their family matters.
    with_prior : bool
        Whether pseudo-counts of the components are added.
    lists : callable
        Lists all labellings with their exact posterior.
    """

    soft: ClassVar[bool] = True
    with_prior: ClassVar[bool] = False
    lists: ClassVar[Callable[..., ExactLabels]] = staticmethod(exact_finite_mixture)

    @abstractmethod
    def climb(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> Climb:
        """Build the climb on points; a mistake belongs to one method, and changes no other."""

    def gibbs(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> FiniteMixture | CRPMixture:
        """Build the Gibbs sampler of the same posterior."""
        return FiniteMixture(
            data, settings.prior(data), settings.number, settings.acting("class_prior"), start="k-means++"
        )

    def components(self, settings: "ClimbMixtureSettings") -> int:
        """Return the number of components."""
        return settings.number

    def weight(self, settings: "ClimbMixtureSettings") -> float:
        """Return the number in the prior of the components' weights."""
        weight: float = settings.acting("class_prior")
        return weight

    def firsts(self, settings: "ClimbMixtureSettings") -> range:
        """Return the components that the first point may have at the start: names do not matter, so one is enough."""
        return range(1)

    def iterations(self, settings: "ClimbMixtureSettings") -> int:
        return ON_A_WALL if settings.many else HALF_STEPS

    def sampler(self, settings: "ClimbMixtureSettings") -> Climb:
        return self.climb(settings, settings.dataset().data)

    def measure(self, settings: "ClimbMixtureSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        """Return the bound, what it is compared with, and what the components look like."""
        state, climb = chain[t], chain.sampler
        assert isinstance(climb, Climb)
        components = state.parts.components
        return {
            "bound": state.bound,
            "level": climb.level(state),
            "used": in_use(state),
            "first": float(state.responsibilities[settings.chosen(len(climb.data)) - 1, 0]),
            "lowest": min(float(component.mean[0]) for component in components),
            "tightest": min(float(component.deviations.min()) for component in components),
            "stuck": int(state.stuck),
            **dict.fromkeys(("evidence", "gap", "exact_sd"), nan),
            "q_sd": 0.0,
        }


class NearestMeans(ClimbMode):
    """k-means: the nearest mean gets the whole point."""

    soft = False

    def climb(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> Climb:
        return KMeans(data, settings.prior(data), settings.number, settings.start)


class SoftLabels(ClimbMode):
    """EM, without a prior."""

    controls = ("rule",)

    def climb(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> Climb:
        wrong: Any = WRONG_CLIMBS.get(settings.rule)
        rule = EM if wrong is None or wrong is CountedAgain else wrong
        weight = max(1.0, settings.acting("class_prior"))
        climb: Climb = rule(data, settings.prior(data), settings.number, weight, self.with_prior, settings.start)
        return climb


class WithThePrior(SoftLabels):
    """EM to the mode of the posterior."""

    with_prior = True
