"""Normal points with unknown mean and variance: normal-inverse-gamma, and normal-inverse-Wishart."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.conjugate.family import as_rows, as_vector, filled
from samplers.conjugate.normal_clusters import NormalWishartPrior, PlaneCluster, SpaceCluster, predictive_terms
from samplers.conjugate.normal_known_variance import Pair, as_pairs
from samplers.conjugate.parameters import Normal

FARTHEST = 1e5  # from the prior mean, in prior standard deviations; beyond it sums of squares lose what they measure


@dataclass(frozen=True, eq=False, init=False)
class NormalInverseWishart(NormalWishartPrior):
    """Points x ~ Normal(m, S) in D dimensions, m given S ~ Normal(mean, S / kappa), and S ~ InverseWishart(df, scale).

    Murphy (2007, Conjugate Bayesian analysis of the Gaussian distribution), section 9; Gelman et al. (2013, Bayesian
    Data Analysis), section 3.6.

    Parameters
    ----------
    mean : array_like
        Prior mean of a cluster's mean, shape (D,).
    kappa : float
        How many points that prior mean is worth, above 0.
    df : float
        Degrees of freedom of the covariance's distribution, above D - 1.
    scale : array_like
        Its scale matrix, shape (D, D), symmetric and positive definite; the expected covariance is
        ``scale / (df - D - 1)`` when df is above D + 1.

    Raises
    ------
    ValueError
        If a number is not finite or not in its range, or if the scale is not such a matrix.
    """

    of_counts: ClassVar[bool] = False

    def __init__(self, mean: ArrayLike, kappa: float, df: float, scale: ArrayLike) -> None:
        object.__setattr__(self, "mean", as_vector("mean", mean))
        object.__setattr__(self, "kappa", finite_above("kappa", kappa, 0))
        object.__setattr__(self, "df", finite_above("df", df, self.dimension - 1))
        object.__setattr__(self, "scale", _as_covariance("scale", scale, self.dimension))

    def observations(self, data: ArrayLike) -> list[Pair] | list[np.ndarray]:
        """Return the points as pairs of floats (the second is 0 in 1-D), or as rows when D > 2.

        Raises
        ------
        ValueError
            If the data do not have the shape (n, D), or (n,) in 1-D, are not finite, or lie more than 100,000
            standard deviations from the prior mean: the sums of squares could not be trusted.
        """
        rows = as_rows(data, self.dimension)
        far = np.flatnonzero((np.abs(rows - self.mean) > FARTHEST * np.sqrt(np.diag(self.scale))).any(axis=1))
        if far.size:
            raise ValueError(
                f"data must lie within {FARTHEST:g} standard deviations of the prior mean, "
                f"got {rows[far[0]].tolist()} in row {far[0]}; standardise them or widen the prior"
            )
        return as_pairs(rows) if self.dimension <= 2 else list(rows)

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> PlaneCluster | SpaceCluster:
        """Return a cluster of these points, shape (n, D), with tables up to the capacity."""
        observations = self.observations(data)
        kind = PlaneCluster if self.dimension <= 2 else SpaceCluster
        return filled(kind(self, self._updated, max(capacity, len(observations))), observations)

    def draw(self, rng: np.random.Generator) -> Normal:
        """Draw a cluster's mean and covariance.

        The covariance is the inverse of a Wishart matrix, made by Bartlett's decomposition (Anderson 2003, An
        Introduction to Multivariate Statistical Analysis, section 7.2).
        """
        size = self.dimension
        bartlett = np.tril(rng.standard_normal((size, size)), -1)
        np.fill_diagonal(bartlett, np.sqrt(rng.chisquare(self.df - np.arange(size))))
        root = np.linalg.solve(bartlett, np.linalg.cholesky(self.scale).T)
        covariance = root.T @ root
        mean = self.mean + np.linalg.cholesky(covariance / self.kappa) @ rng.standard_normal(size)
        return Normal(mean, covariance)

    def typical(self) -> Normal:
        """Return the normal at the expected mean, with the inverse of the expected precision, ``scale / df``."""
        return Normal(self.mean, self.scale / self.df)

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log density of single points, a multivariate Student t, shape (n,)."""
        rows = as_rows(data, self.dimension)
        shrink, power, constant = predictive_terms(self)
        root = np.linalg.cholesky(self.scale)
        white = np.linalg.solve(root, (rows - self.mean).T)  # SciPy's triangular solver wakes all threads: slow
        constant -= np.log(np.diag(root)).sum()
        return constant - power * np.log1p(shrink * (white**2).sum(axis=0))

    def log_density_of(self, parameters: Normal) -> float:
        """Return the log density of a cluster's mean and covariance.

        That of the covariance is in Gelman et al. (2013, Bayesian Data Analysis), appendix A.
        """
        size, df = self.dimension, self.df
        about = Normal(self.mean, parameters.covariance / self.kappa)
        root, prior_root = np.linalg.cholesky(parameters.covariance), np.linalg.cholesky(self.scale)
        white = np.linalg.solve(root, prior_root)
        log_det, prior_log_det = (2 * np.log(np.diag(factor)).sum() for factor in (root, prior_root))
        constant = df / 2 * (prior_log_det - size * math.log(2)) - special.multigammaln(df / 2, size)
        of_covariance = float(constant - (df + size + 1) / 2 * log_det - (white**2).sum() / 2)
        return float(about.log_density(parameters.mean[None])[0]) + of_covariance

    def student_t(self, axis: int = 0) -> tuple[float, float, float]:
        """Return location, scale and degrees of freedom of one coordinate of a single point."""
        df = self.df - self.dimension + 1
        square = self.scale[axis, axis] * (self.kappa + 1) / (df * self.kappa)
        return float(self.mean[axis]), float(square) ** 0.5, df

    def with_certain_centre(self, points: float) -> NormalInverseWishart:
        """Return the family with a prior mean that is worth so many points."""
        return replace(self, kappa=points)

    def summary(self) -> dict[str, Any]:
        """Return the prior mean, and how many points mean and covariance are worth."""
        return {"mean": self.mean, "points": self.kappa, "df": self.df}

    def _updated(self, count: int, mean: np.ndarray, scale: np.ndarray) -> NormalInverseWishart:
        return NormalInverseWishart(mean, self.kappa + count, self.df + count, scale)


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

    def __init__(self, mean: float, kappa: float, shape: float, rate: float) -> None:
        shape, rate = finite_above("shape", shape, 0), finite_above("rate", rate, 0)
        super().__init__(finite_above("mean", mean, -math.inf), kappa, 2 * shape, [[2 * rate]])

    def draw(self, rng: np.random.Generator) -> Normal:
        """Draw a cluster's mean and variance."""
        variance = self.scale[0, 0] / 2 / rng.standard_gamma(self.df / 2)
        return Normal(rng.normal(self.mean[0], math.sqrt(variance / self.kappa), 1), np.array([[variance]]))

    def with_certain_centre(self, points: float) -> NormalInverseGamma:
        """Return the family with a prior mean that is worth so many points."""
        return NormalInverseGamma(self.mean[0], points, self.df / 2, self.scale[0, 0] / 2)

    def _updated(self, count: int, mean: np.ndarray, scale: np.ndarray) -> NormalInverseGamma:
        return NormalInverseGamma(mean[0], self.kappa + count, (self.df + count) / 2, scale[0, 0] / 2)


def _as_covariance(name: str, value: ArrayLike, size: int) -> np.ndarray:
    try:
        matrix = np.array(value, float)
        np.linalg.cholesky(matrix)
        good = matrix.shape == (size, size) and np.allclose(matrix, matrix.T, rtol=0, atol=1e-10 * np.abs(matrix).max())
    except (TypeError, ValueError, np.linalg.LinAlgError):
        good = False
    if not good or not np.isfinite(matrix).all():
        raise ValueError(f"{name} must be a symmetric positive definite {size} x {size} matrix, got {value!r}")
    matrix.flags.writeable = False
    return matrix
