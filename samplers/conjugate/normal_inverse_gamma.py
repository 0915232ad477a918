"""One number with an unknown mean and variance."""

import math
from typing import Any

import numpy as np

from samplers.checks import finite_above
from samplers.conjugate.normal_unknown_variance import NormalInverseWishart
from samplers.conjugate.parameters import Normal


class NormalInverseGamma(NormalInverseWishart):
    """Points x ~ Normal(m, v) on a line, with m given v ~ Normal(mean, v / kappa) and v ~ InverseGamma(shape, rate).

    It is the normal-inverse-Wishart distribution in one dimension, with ``df = 2 shape`` and ``scale = 2 rate``.
    Murphy (2007, Conjugate Bayesian analysis of the Gaussian distribution), section 6.

    Parameters
    ----------
    mean : float
        Prior mean of a cluster's mean.
    kappa : float
        How many points that prior mean is worth, above 0.
    shape, rate : float
        Of the distribution of the cluster's variance, above 0; the expected variance is ``rate / (shape - 1)`` when the
        shape is above 1.

    Raises
    ------
    ValueError
        If a number is not finite or not in its range.
    """

    def __init__(self, mean: float | np.ndarray, kappa: float, shape: float, rate: float) -> None:
        shape, rate = finite_above("shape", shape, 0), finite_above("rate", rate, 0)
        centre: Any = mean.item() if isinstance(mean, np.ndarray) and mean.size == 1 else mean
        super().__init__(finite_above("mean", centre, -math.inf), kappa, 2 * shape, [[2 * rate]])

    @property
    def shape(self) -> float:
        """Of the distribution of the cluster's variance."""
        return self.df / 2

    @property
    def rate(self) -> float:
        """Of the same."""
        return float(self.scale[0, 0]) / 2

    def draw(self, rng: np.random.Generator) -> Normal:
        """Draw a cluster's mean and variance."""
        variance = self.scale[0, 0] / 2 / rng.standard_gamma(self.df / 2)
        return Normal(rng.normal(self.mean[0], math.sqrt(variance / self.kappa), 1), np.array([[variance]]))
