"""The mode in which a chain walks over the weights."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.logistic.steps import RegressionMode
from samplers.log_density import NoMode
from samplers.recipe import Kernel
from samplers.regression.laplace import laplace_approximation
from samplers.regression.linear import LinearModel
from samplers.regression.metropolis import RandomWalkMetropolis

if TYPE_CHECKING:
    from lessons.topics.logistic import LogisticSettings


class Walk(RegressionMode):
    """Steps of a Metropolis chain whose proposals have about the posterior's width in each direction."""

    def steps(self, points: int) -> int:
        return 2_000

    def kernel(self, settings: "LogisticSettings", model: LinearModel) -> Kernel[Any, Any]:
        try:
            variances = laplace_approximation(model).covariance.diagonal()
        except NoMode:
            variances = np.ones(model.dimension)
        scale = 2.4 / np.sqrt(model.dimension) * np.sqrt(variances)
        return RandomWalkMetropolis(model, scale, np.zeros(model.dimension))
