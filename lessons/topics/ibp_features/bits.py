"""The mode in which a row has a feature or not, and what both modes share."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lessons.settings.calls import Origins
from lessons.settings.fields import sweeps_of
from lessons.settings.law import LATER, Law, counted
from lessons.settings.modes import Mode
from samplers import Chain
from samplers.buffet.exact_features import ExactFeatures, exact_features
from samplers.buffet.linear_gaussian import LinearGaussian
from samplers.buffet.loadings import Parts
from samplers.buffet.number_of_factors import NumberOfFactors
from samplers.buffet.wrong import WRONG_FEATURE_RULES
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.ibp_features import IBPFeaturesSettings

LISTED_ROWS, LISTED_FEATURES = 3, 8  # up to this many, all 6,435 classes of matrices are listed
CONCENTRATION_PRIOR = (1.0, 1.0)  # shape and rate
VARIANCE_PRIOR = (2.0, 0.5)  # shape and scale of an inverse-gamma distribution: the variance is 1/2 on average


class RowsMode(Mode["IBPFeaturesSettings"]):
    """A model of rows.

    Attributes
    ----------
    ruled : tuple of str
        The ids of the judge's problems whose rules can move the chain.
    """

    ruled: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def sampler_of(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> Kernel[Any, Any]:
        """Build the sampler for these rows, shape (N, D)."""

    def exact(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> ExactFeatures | None:
        """Return the posterior of the class of the matrix given rows, shape (N, D), where all classes can be listed."""
        return None

    def estimate(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> NumberOfFactors | None:
        """Return how probable each number of factors is given rows, shape (N, D), where that can be estimated."""
        return None

    def iterations(self, settings: "IBPFeaturesSettings") -> int:
        return sweeps_of(settings)

    def origins(self, settings: "IBPFeaturesSettings") -> Origins:
        return {} if settings.mine else {"drawn": settings.drawing()}

    def sampler(self, settings: "IBPFeaturesSettings") -> Kernel[Any, Any]:
        return self.sampler_of(settings, settings.data_rows())

    def law(self, settings: "IBPFeaturesSettings", outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of features, where it is known."""
        exact = self.exact(settings, settings.data_rows()) if outcome == "features" else None
        return None if exact is None else counted(LATER, exact.feature_counts)

    def of_parts(self, parts: Parts) -> Mapping[str, float]:
        """Return the outcomes that only this model has."""
        return {}

    def measure(self, settings: "IBPFeaturesSettings", chain: Chain[Any], t: int) -> Mapping[str, float]:
        sampler: Any = self.sampler(settings)
        parts = sampler.parts(chain[t])
        left = sampler.data - parts.amounts @ parts.contents
        shared = {"features": len(parts.names), "noise": parts.noise, "misfit": float(left.std())}
        return {**shared, **self.of_parts(parts)}


class Bits(RowsMode):
    """Binary features."""

    controls = ("redrawn", "start", "rule")
    ruled = ("ibp-bit",)

    def sampler_of(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> Kernel[Any, Any]:
        variances = VARIANCE_PRIOR if settings.redraws("variances") else None
        rule = WRONG_FEATURE_RULES.get(settings.rule, LinearGaussian)
        sampler: Kernel[Any, Any] = settings.by_rule(
            rule(
                data,
                settings.concentration,
                settings.noise,
                settings.spread,
                start=settings.start,
                concentration_prior=CONCENTRATION_PRIOR if settings.redraws("concentration") else None,
                noise_prior=variances,
                spread_prior=variances,
            )
        )
        return sampler

    def exact(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> ExactFeatures | None:
        if len(data) > LISTED_ROWS or settings.redrawn != "nothing":
            return None
        return exact_features(data, settings.concentration, settings.noise, settings.spread, LISTED_FEATURES)
