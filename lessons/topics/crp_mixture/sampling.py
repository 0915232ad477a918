"""The modes in which points get their tables: one chain or two, or one beside a finite mixture."""

from typing import TYPE_CHECKING, Any, ClassVar

from lessons.settings.calls import Origins
from lessons.settings.fields import sweeps_of
from lessons.settings.law import LATER, Law, counted
from lessons.settings.points import PointsSettings
from lessons.topics.crp_mixture.story import TablesMode
from samplers.crp.exact_partitions import exact_posterior
from samplers.crp.mixture import CRPMixture
from samplers.partitions import MOST_POINTS
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.crp_mixture import CRPMixtureSettings

OF_SAMPLING = (
    *("direction", "data", "points", "made_alpha", "family", "concentration", "learning", "start", "rule"),
    *("second", "second_concentration", "second_start", "replica", "makers", "runs", "seed"),
)


class Sampling(TablesMode):
    """A Gibbs sampler, backwards from points to tables."""

    controls: ClassVar[tuple[str, ...]] = (*OF_SAMPLING, "prediction")
    opens = True
    ruled = ("crp-mixture",)

    def iterations(self, settings: "CRPMixtureSettings") -> int:
        return sweeps_of(settings)

    def origins(self, settings: "CRPMixtureSettings") -> Origins:
        return PointsSettings.origins(settings)

    def sampler(self, settings: "CRPMixtureSettings") -> Kernel[Any, Any]:
        sampler: Kernel[Any, Any] = settings.sampler_of(settings.dataset().data)
        return sampler

    def law(self, settings: "CRPMixtureSettings", outcome: str, t: int) -> Law | None:
        """Return the posterior of the number of tables, where every seating can be listed."""
        sampler = self.sampler(settings)
        if outcome != "tables" or not isinstance(sampler, CRPMixture) or len(sampler.data) > MOST_POINTS:
            return None
        return counted(LATER, exact_posterior(sampler.data, sampler.family, **settings.weight).table_counts)


class BesideFinite(Sampling):
    """The sampler beside that of a mixture with a fixed number of clusters."""

    controls = (*OF_SAMPLING, "second_finite")
