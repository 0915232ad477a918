"""The mode of points on a line, each of one of two components."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.marginalise.mixture import Mixture
from samplers.conjugate import NormalKnownVariance
from samplers.gradient.gaussian_marginal import GaussianMarginal
from samplers.gradient.naive_bayes_marginal import MarginalModel
from samplers.mixtures.exact_labellings import ExactLabels, exact_finite_mixture
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.labels import HIDDEN

if TYPE_CHECKING:
    from lessons.topics.marginalise import MarginaliseSettings

COMPONENTS = 2
PINNED = 1e9  # pseudo-count of each component that holds Gibbs's weights at one half, as they are held here
MEAN_PRIOR, SCALE = (0.0, 3.0), 1.0
COMPONENT = NormalKnownVariance(MEAN_PRIOR[0], MEAN_PRIOR[1] ** 2, SCALE**2)


class TwoMeans(Mixture):
    """Two Gaussians with unknown means and equal weights."""

    controls = ("spacing", "points", "means")
    named = "means"

    def classes(self, settings: "MarginaliseSettings") -> int:
        return COMPONENTS

    def labels(self, settings: "MarginaliseSettings") -> np.ndarray:
        return np.full(settings.points, HIDDEN)

    def target(self, settings: "MarginaliseSettings") -> MarginalModel:
        ordered = settings.means == "ordered"
        return GaussianMarginal(settings.on_a_line, COMPONENTS, mean_prior=MEAN_PRIOR, scale=SCALE, ordered=ordered)

    def gibbs(self, settings: "MarginaliseSettings") -> FiniteMixture:
        collapsed = settings.gibbs == "collapsed"
        return FiniteMixture(settings.on_a_line, COMPONENT, COMPONENTS, PINNED, collapsed=collapsed)

    def listed(self, settings: "MarginaliseSettings") -> ExactLabels:
        return exact_finite_mixture(settings.on_a_line, COMPONENT, COMPONENTS, PINNED)

    def gamma(
        self, settings: "MarginaliseSettings", target: Any, position: np.ndarray, item: int
    ) -> tuple[np.ndarray, np.ndarray]:
        gamma, weights = target.log_joint_by_class(position)[item], np.log([0.5, 0.5])
        return np.array([weights, gamma - weights]), gamma
