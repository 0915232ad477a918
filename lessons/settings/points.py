"""Settings that the stages of mixtures of points share."""

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np

from lessons.own.points import MOST_POINTS, ON_A_LINE_OR_PLANE, OwnPoints
from lessons.settings.calls import Call, Origins
from lessons.settings.fields import OwnDigest, StepBy, Sweep, SweptSettings, quantity
from lessons.settings.settings import SEED_HIGH
from samplers.conjugate import Family, NormalInverseGamma, NormalInverseWishart, NormalKnownVariance
from samplers.crp.mixture import CRPMixture
from samplers.crp.prediction import draw_new_points
from samplers.data.blobs import Dataset
from samplers.mixtures.finite import FiniteMixture


class PointsSettings(SweptSettings):
    """Points whose labels are swept again and again.

    A chapter is one sweep, looked at update by update, or the whole run, sweep by sweep. A stage says by the field
    ``data`` where its points come from; ``own`` are those that a learner uploads.
    """

    takes: ClassVar = ON_A_LINE_OR_PLANE

    data: Any = None
    points: int = quantity(60, (3, MOST_POINTS, 1))
    data_seed: int = quantity(1, (0, SEED_HIGH, 1), control=False)
    own: OwnDigest = ""
    step_by: StepBy = "sweep"
    sweep: Sweep = 1
    point: int = quantity(1, (1, MOST_POINTS, 1), look=True, control=False)

    @property
    def size(self) -> int:
        """The number of points; of own data that are gone, the largest possible one."""
        return MOST_POINTS if self.unknown else len(self.dataset().data)

    @property
    def in_counts(self) -> bool:
        """Whether the points are shown and taken as counts."""
        return False

    @property
    def compared(self) -> bool:
        """Whether a second chain runs beside the first, as a stage's field ``second`` says."""
        return getattr(self, "second", "none") != "none"

    @abstractmethod
    def drawing(self) -> Call:
        """Return the call that draws the points, unless they are somebody's own."""

    def dataset(self) -> Dataset:
        """Return the points, drawn or somebody's own; see `its_own` for what this raises."""
        return own_points(self.its_own()) if self.mine else self.drawing().made()

    def origins(self) -> Origins:
        """Return the call that draws the points; none for somebody's own."""
        return {} if self.mine else {"drawn": self.drawing()}

    @abstractmethod
    def sampler_of(self, data: np.ndarray, *, second: bool = False) -> Any:
        """Build the sampler of the first or the second chain for these points, shape (N, D)."""

    def replicate(self, sampler: FiniteMixture | CRPMixture, labels: np.ndarray, seed: tuple[int, int]) -> np.ndarray:
        """Draw a replicate of the data given labels of a draw, shape (N, D): the same for the same chain and sweep."""
        rng = np.random.default_rng((*seed, len(labels)))
        if isinstance(sampler, CRPMixture):
            return draw_new_points(sampler, sampler.state(labels), len(labels), rng).points
        return sampler.replicate(labels, rng)

    def sampler(self) -> Any:
        """Build the first chain's sampler."""
        return self.sampler_of(self.dataset().data)


def own_points(own: OwnPoints) -> Dataset:
    """Return points of somebody's own as those are that can be drawn."""
    return Dataset(own.data, None, tuple(column.name for column in own.columns))


def weak_prior(data: np.ndarray, *, known: bool) -> Family:
    """Return a prior that fits any data: centred at their mean, clusters' means as widely spread as the data.

    Within a cluster a tenth of the data's variance is expected. It is exact Bayes for a prior that has looked at the
    data's mean and variance, which a lesson should say.

    Parameters
    ----------
    data : numpy.ndarray
        Shape (N, D).
    known : bool
        Whether the variance within a cluster is that tenth for certain.
    """
    centre, spread = data.mean(axis=0), float(data.var(axis=0).mean()) or 1.0
    within, dimension = spread / 10, data.shape[1]
    if known:
        return NormalKnownVariance(centre, spread, within)
    if dimension == 1:
        return NormalInverseGamma(float(centre[0]), 0.1, 2.0, within)
    df = dimension + 3
    return NormalInverseWishart(centre, 0.1, df, within * (df - dimension - 1) * np.eye(dimension))


def by_hand_prior(*, known: bool) -> Family:
    """Return the prior for the few points on a line that are listed exactly."""
    return NormalKnownVariance(0.0, 4.0, 0.5) if known else NormalInverseGamma(0.0, 0.125, 2.0, 0.5)
