"""The modes in which each cluster has a mean, which a sweep redraws."""

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from lessons.topics.jumps.gibbs import FEW, WIDE, GibbsAlone
from samplers.conjugate import NormalKnownVariance
from samplers.crp.exact_partitions import ExactPosterior, exact_posterior
from samplers.jumps import laplace_means
from samplers.jumps.auxiliary import AuxiliaryTables
from samplers.jumps.kept_means import KeptMeans, NormalMeans
from samplers.jumps.laplace_means import LaplaceMeans
from samplers.jumps.tables import TablesWithMeans
from samplers.jumps.wrong import WRONG_AUXILIARY, WRONG_KEPT

if TYPE_CHECKING:
    from lessons.topics.jumps import JumpsSettings

WITHIN = 0.25  # variance within a cluster, as a share of the data's
KEPT: dict[str, type[KeptMeans]] = {"posterior": KeptMeans, "prior": WRONG_KEPT["mean from the prior"]}
AUXILIARY: dict[str, type[AuxiliaryTables]] = {
    "kept": AuxiliaryTables,
    "fresh": WRONG_AUXILIARY["fresh for a lone point"],
}


class Means(GibbsAlone):
    """Means are kept, not integrated out."""

    controls: ClassVar[tuple[str, ...]] = ("first",)
    blocks = 2

    def prior(self, settings: "JumpsSettings", data: np.ndarray) -> NormalKnownVariance:
        """Return the prior of a cluster's mean: conjugate, with a known variance of the points."""
        if settings.data == FEW:
            return WIDE
        spread = float(data.var(axis=0).mean()) or 1.0
        return NormalKnownVariance(data.mean(axis=0), spread, WITHIN * spread)

    def kernel(self, settings: "JumpsSettings", data: np.ndarray) -> TablesWithMeans:
        means, prior = KEPT[settings.first], NormalMeans(self.prior(settings, data))
        return means(data, prior, settings.concentration, start=settings.start)

    def listed(self, settings: "JumpsSettings", data: np.ndarray) -> ExactPosterior:
        return exact_posterior(data, self.prior(settings, data), settings.concentration)


class Auxiliary(Means):
    """The prior is not conjugate, so that auxiliary clusters are offered to each point."""

    controls = ("ghosts", "lone")

    def laplace(self, settings: "JumpsSettings", data: np.ndarray) -> LaplaceMeans:
        """Return the prior of a cluster's mean, as wide as the one that is conjugate."""
        same = self.prior(settings, data)
        return LaplaceMeans(same.mean, (same.prior_variance / 2) ** 0.5, same.variance)

    def kernel(self, settings: "JumpsSettings", data: np.ndarray) -> TablesWithMeans:
        kind, prior = AUXILIARY[settings.lone], self.laplace(settings, data)
        return kind(data, prior, settings.concentration, settings.ghosts, start=settings.start)

    def listed(self, settings: "JumpsSettings", data: np.ndarray) -> ExactPosterior:
        return laplace_means.exact_posterior(data, self.laplace(settings, data), settings.concentration)
