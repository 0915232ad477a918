"""The mode in which a row has an amount of each factor, often exactly 0."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.ibp_features.bits import LISTED_ROWS, RowsMode
from samplers.buffet.loadings import Parts
from samplers.buffet.number_of_factors import NumberOfFactors, number_of_factors
from samplers.buffet.spike_slab import SpikeAndSlab
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.ibp_features import IBPFeaturesSettings


class SparseFactors(RowsMode):
    """Sparse factors."""

    def sampler_of(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> Kernel[Any, Any]:
        return SpikeAndSlab(data, settings.concentration, settings.noise, settings.spread)

    def estimate(self, settings: "IBPFeaturesSettings", data: np.ndarray) -> NumberOfFactors | None:
        if len(data) > LISTED_ROWS:
            return None
        return number_of_factors(data, settings.concentration, settings.noise, settings.spread)

    def of_parts(self, parts: Parts) -> Mapping[str, float]:
        return {"zeros": int((parts.amounts == 0).sum())}
