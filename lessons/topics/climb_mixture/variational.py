"""The modes in which a distribution of everything is climbed to: variational Bayes."""

from collections.abc import Mapping
from math import nan, sqrt
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.topics.climb_mixture.climbs import ClimbMode
from lessons.topics.climb_mixture.means import moments, of_posterior, of_q
from samplers import Chain
from samplers.climb.halves import Climb
from samplers.climb.variational import TruncatedStick, VariationalBayes
from samplers.climb.wrong import WRONG_CLIMBS, CountedAgain
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.exact_labellings import exact_truncated_stick

if TYPE_CHECKING:
    from lessons.topics.climb_mixture import ClimbMixtureSettings


class Variational(ClimbMode):
    """Variational Bayes for a number of components."""

    controls: ClassVar[tuple[str, ...]] = ("rule",)
    with_prior = True

    def climb(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> Climb:
        wrong = WRONG_CLIMBS.get(settings.rule)
        rule = CountedAgain if wrong is CountedAgain else VariationalBayes
        return rule(data, settings.prior(data), settings.number, settings.acting("class_prior"), settings.start)

    def measure(self, settings: "ClimbMixtureSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        state, climb = chain[t], chain.sampler
        assert isinstance(climb, Climb)
        exact, point = settings.exact(climb.data), settings.chosen(len(climb.data)) - 1
        evidence = exact.log_evidence if exact else nan
        return {
            **super().measure(settings, chain, t),
            "evidence": evidence,
            "gap": evidence - state.bound,
            "q_sd": sqrt(moments(*of_q(state, point))[1]),
            "exact_sd": sqrt(moments(*of_posterior(exact, climb, point))[1]) if exact else nan,
        }


class Stick(Variational):
    """Variational Bayes for the pieces of a truncated stick, which have an order."""

    controls = ("concentration",)
    with_prior = False
    lists = staticmethod(exact_truncated_stick)

    def climb(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> Climb:
        number = self.components(settings)
        return TruncatedStick(data, settings.prior(data), number, settings.concentration, settings.start)

    def gibbs(self, settings: "ClimbMixtureSettings", data: np.ndarray) -> CRPMixture:
        """Build the Gibbs sampler of a stick that is not truncated."""
        return CRPMixture(data, settings.prior(data), settings.concentration)

    def components(self, settings: "ClimbMixtureSettings") -> int:
        return max(2, settings.number)

    def weight(self, settings: "ClimbMixtureSettings") -> float:
        return settings.concentration

    def firsts(self, settings: "ClimbMixtureSettings") -> range:
        return range(settings.number)
