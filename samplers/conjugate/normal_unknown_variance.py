"""Normal points with unknown mean and variance: normal-inverse-gamma, and normal-inverse-Wishart."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import log, log1p
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above
from samplers.conjugate.family import SlottedCluster, Sums, as_table, as_vector, filled
from samplers.conjugate.normal_known_variance import NormalFamily, Pair, as_pairs
from samplers.conjugate.parameters import Normal
from samplers.log_density import NoMode

CONSTANT = 1e-9  # standard deviation of what does not vary, in parts of its mean: rounding leaves no less
FARTHEST = 1e5  # from the prior mean, in prior standard deviations; beyond it sums of squares lose what they measure


@dataclass(frozen=True, eq=False, init=False)
class NormalInverseWishart(NormalFamily):
    """Points x ~ Normal(m, S), m given S ~ Normal(mean, S / kappa), and S ~ InverseWishart(df, scale).

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

    kappa: float
    df: float
    scale: np.ndarray

    def __init__(self, mean: ArrayLike, kappa: float, df: float, scale: ArrayLike) -> None:
        object.__setattr__(self, "mean", as_vector("mean", mean))
        object.__setattr__(self, "kappa", finite_above("kappa", kappa, 0))
        object.__setattr__(self, "df", finite_above("df", df, self.dimension - 1))
        object.__setattr__(self, "scale", _as_covariance("scale", scale, self.dimension))

    def rows(self, data: ArrayLike) -> np.ndarray:
        """Return points in rows, shape (n, D).

        Raises
        ------
        ValueError
            If the data do not have the shape (n, D), or (n,) in 1-D, are not finite, or lie more than 100,000
            standard deviations from the prior mean: the sums of squares could not be trusted.
        """
        rows = super().rows(data)
        far = np.flatnonzero((np.abs(rows - self.mean) > FARTHEST * np.sqrt(np.diag(self.scale))).any(axis=1))
        if far.size:
            raise ValueError(
                f"data must lie within {FARTHEST:g} standard deviations of the prior mean, "
                f"got {rows[far[0]].tolist()} in row {far[0]}; standardise them or widen the prior"
            )
        return rows

    def cluster(self, data: ArrayLike = (), *, capacity: int = 0) -> "UnknownVarianceCluster | WideCluster":
        """Return a cluster of these points, shape (n, D), with tables up to the capacity."""
        observations = self.observations(data)
        if self.dimension > 2:
            return filled(WideCluster(self), observations)
        return filled(UnknownVarianceCluster(self, max(capacity, len(observations))), observations)

    def given(self, sums: Sums) -> Self:
        """Return the posterior given many points at once (Murphy 2007, section 9)."""
        count, total, scatter = sums
        if not count:
            return self
        kappa = self.kappa + count
        away = total / count - self.mean
        return self._with(
            mean=self.mean + count / kappa * away,
            kappa=kappa,
            df=self.df + count,
            scale=self.scale + scatter + self.kappa * count / kappa * np.outer(away, away),
        )

    def to_the_power(self, times: float) -> Self:
        """Return the family whose density is this one's to a power: it is (df + D + 2) that the exponent multiplies."""
        more = self.dimension + 2
        return self._with(kappa=times * self.kappa, df=times * (self.df + more) - more, scale=times * self.scale)

    def marginal(self, columns: Sequence[int]) -> Self:
        """Return the family of some of the coordinates: a block of an inverse Wishart matrix is one itself."""
        kept = list(columns)
        left_out = self.dimension - len(kept)
        return self._with(mean=self.mean[kept], df=self.df - left_out, scale=self.scale[np.ix_(kept, kept)])

    def mode(self) -> Normal:
        """Return the most probable normal, of mean and covariance ``scale / (df + D + 2)``; errors as in `Family`."""
        points = self.df + self.dimension + 2
        spread = np.sqrt(self.scale.diagonal() / points) if points > 0 else np.zeros(self.dimension)
        flat = np.flatnonzero(spread <= CONSTANT * np.abs(self.mean))
        if flat.size or np.linalg.eigvalsh(self.scale / points / np.outer(spread, spread)).min() <= CONSTANT:
            which = f" of coordinate {flat[0] + 1}" if self.dimension > 1 and flat.size else ""
            raise NoMode(
                f"without a prior the maximum-likelihood variance{which} is 0, or any: the points vary too little"
            )
        return Normal(self.mean, self.scale / points)

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
        try:
            factor = np.linalg.cholesky(covariance / self.kappa)
        except np.linalg.LinAlgError:  # of few degrees of freedom, it is singular but for rounding errors
            factor = root.T / np.sqrt(self.kappa)
        return Normal(self.mean + factor @ rng.standard_normal(size), covariance)

    def typical(self) -> Normal:
        """Return the normal at the expected mean, with the inverse of the expected precision, ``scale / df``."""
        return Normal(self.mean, self.scale / self.df)

    def log_density(self, data: ArrayLike) -> np.ndarray:
        """Return the log density of single points, a multivariate Student t, shape (n,)."""
        rows = super().rows(data)
        shrink, power, constant = _predictive_terms(self)
        root = np.linalg.cholesky(self.scale)
        # SciPy's triangular solver wakes all threads, and NumPy's is slow with many right-hand sides
        white = np.linalg.inv(root) @ (rows - self.mean).T
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

    def student_t(self) -> tuple[np.ndarray, np.ndarray, float]:
        """Return location, scale matrix and degrees of freedom of a single point."""
        df = self.df - self.dimension + 1
        return self.mean, self.scale * (self.kappa + 1) / (df * self.kappa), df

    def expected_log_density(self, rows: np.ndarray) -> np.ndarray:
        """Return the expected log density of points over mean and covariance (Bishop 2006, section 10.2.1)."""
        less = 0.5 * (self.dimension / self.kappa + self.dimension * math.log(self.df / 2) - self._digammas())
        return self.typical().log_density(rows) - less

    def _digammas(self) -> float:
        return float(special.digamma((self.df - np.arange(self.dimension)) / 2).sum())

    def divergence(self, other: Self) -> float:
        """Return KL(this‖other): of the covariances, as Wishart precisions, and then of the means given these."""
        size, away = self.dimension, self.mean - other.mean
        ratio = np.linalg.solve(self.scale, other.scale)
        of_covariance = (
            0.5 * (self.df * (np.trace(ratio) - size) - other.df * np.linalg.slogdet(ratio)[1])
            + special.multigammaln(other.df / 2, size)
            - special.multigammaln(self.df / 2, size)
            + 0.5 * (self.df - other.df) * self._digammas()
        )
        parts = other.kappa / self.kappa
        squares = other.kappa * self.df * float(away @ np.linalg.solve(self.scale, away))
        return float(of_covariance + 0.5 * (size * (parts - 1 - math.log(parts)) + squares))

    def with_certain_centre(self, points: float) -> Self:
        """Return the family with a prior mean that is worth a number of points."""
        return self._with(kappa=points)

    def summary(self) -> dict[str, Any]:
        """Return the prior mean, and how many points mean and covariance are worth."""
        return {"mean": self.mean, "points": self.kappa, "df": self.df}


class UnknownVarianceCluster(SlottedCluster):
    """Points of a `NormalInverseWishart` cluster, in plain floats: five times faster than arrays of that size.

    One point moves mean and scale of the posterior by a rank-one step, and another takes it back (Murphy 2007, section
    9, for one point at a time), so that what is held does not depend on how far from 0 the points lie. On a line the
    second coordinate of every point is 0 and so is its mean; the second diagonal entry of the scale stays at 1 and
    leaves the determinant as it is.
    """

    __slots__ = (
        "_across",
        "_bend",
        "_constant",
        "_family",
        "_half_log_det",
        "_power",
        "_rows",
        "_upright",
        "_x",
        "_xx",
        "_xy",
        "_y",
        "_yy",
        "count",
    )

    def __init__(self, family: NormalInverseWishart, capacity: int) -> None:
        self._family = family
        self._rows = _terms_by_count(family, capacity)
        ((self._x, self._y),) = as_pairs(family.mean[None])
        scale = np.eye(2)
        scale[: family.dimension, : family.dimension] = family.scale
        self._xx, self._xy, self._yy = scale[0, 0].item(), scale[0, 1].item(), scale[1, 1].item()
        self._settle(0)

    def add(self, x: Pair) -> None:
        """Add a point."""
        kappa, shrink, _, _, _ = self._rows[self.count]
        right = x[0] - self._x
        up = x[1] - self._y
        self._xx += shrink * right * right
        self._xy += shrink * right * up
        self._yy += shrink * up * up
        self._x += right / (kappa + 1.0)
        self._y += up / (kappa + 1.0)
        self._settle(self.count + 1)

    def remove(self, x: Pair) -> None:
        """Remove a point that was added before."""
        kappa, shrink, _, _, _ = self._rows[self.count - 1]
        right = x[0] - self._x
        up = x[1] - self._y
        self._xx -= right * right / shrink
        self._xy -= right * up / shrink
        self._yy -= up * up / shrink
        self._x -= right / kappa
        self._y -= up / kappa
        self._settle(self.count - 1)

    def _settle(self, count: int) -> None:
        """Set the count and what the predictive needs, which is asked for far more often than it changes."""
        if count >= len(self._rows):
            self._rows = _terms_by_count(self._family, 2 * count)
        self.count = count
        _, shrink, self._power, constant, _ = self._rows[count]
        xx, xy, yy = self._xx, self._xy, self._yy
        determinant = xx * yy - xy * xy
        stretch = shrink / determinant
        self._across = stretch * yy
        self._bend = -2.0 * stretch * xy
        self._upright = stretch * xx
        self._half_log_det = half_log_det = 0.5 * log(determinant)
        self._constant = constant - half_log_det

    def log_predictive(self, x: Pair) -> float:
        """Return the log density of one more point: a Student t."""
        right = x[0] - self._x
        up = x[1] - self._y
        return self._constant - self._power * log1p(
            right * (self._across * right + self._bend * up) + self._upright * up * up
        )

    def log_marginal(self) -> float:
        """Return the log density of all the points, with mean and covariance integrated out."""
        return self._rows[self.count][4] - (self._family.df + self.count) * self._half_log_det

    def posterior(self) -> NormalInverseWishart:
        """Return the posterior of mean and covariance."""
        family, size = self._family, self._family.dimension
        mean = np.array([self._x, self._y])[:size]
        scale = np.array([[self._xx, self._xy], [self._xy, self._yy]])[:size, :size]
        return family._with(mean=mean, kappa=family.kappa + self.count, df=family.df + self.count, scale=scale)


class WideCluster(SlottedCluster):
    """Points of a `NormalInverseWishart` cluster in three coordinates or more, in arrays."""

    __slots__ = ("_family", "_now", "count")

    def __init__(self, family: NormalInverseWishart) -> None:
        self._family = self._now = family
        self.count = 0

    def add(self, x: np.ndarray) -> None:
        """Add a point."""
        self._shift(x, 1)

    def remove(self, x: np.ndarray) -> None:
        """Remove a point that was added before."""
        self._shift(x, -1)

    def _shift(self, x: np.ndarray, sign: int) -> None:
        self._now = self._now.given(Sums(sign, sign * x, np.zeros_like(self._now.scale)))
        self.count += sign

    def log_predictive(self, x: np.ndarray) -> float:
        """Return the log density of one more point: a multivariate Student t."""
        return float(self._now.log_density(x[None])[0])

    def log_marginal(self) -> float:
        """Return the log density of all the points, with mean and covariance integrated out."""
        half_log_det = 0.5 * np.linalg.slogdet(self._now.scale)[1]
        return float(_terms_by_count(self._family, self.count)[-1][4] - self._now.df * half_log_det)

    def posterior(self) -> NormalInverseWishart:
        """Return the posterior of mean and covariance."""
        return self._now


def _predictive_terms(prior: NormalInverseWishart, count: int | np.ndarray = 0) -> tuple[Any, Any, Any]:
    """Return the terms of the predictive after `count` points, a Student t, that no coordinate of a point enters.

    They are ``kappa / (kappa + 1)``, the exponent, and the log normaliser without the scale's determinant. With k for
    kappa, d for the degrees of freedom and P for the scale, all of the posterior, the predictive in D dimensions is
    (Murphy 2007, section 9) ::

        gamma((d + 1) / 2) / gamma((d + 1 - D) / 2) * (k / (k + 1) / pi) ** (D / 2)
            * det(P) ** (-1 / 2) * (1 + k / (k + 1) * away @ inv(P) @ away) ** (-(d + 1) / 2)
    """
    kappa, half_size = prior.kappa + count, prior.dimension / 2
    shrink, power = kappa / (kappa + 1), (prior.df + count + 1) / 2
    constant = special.gammaln(power) - special.gammaln(power - half_size) + half_size * np.log(shrink / math.pi)
    return shrink, power, constant


def _terms_by_count(prior: NormalInverseWishart, capacity: int) -> list[tuple[float, ...]]:
    """Return the terms that depend on the count alone, one row for each count from 0 to the capacity.

    A row holds the posterior's kappa, the three `_predictive_terms`, and the log marginal without the posterior's
    determinant.
    """
    size = prior.dimension
    counts = np.arange(capacity + 1)
    kappa, df = prior.kappa + counts, prior.df + counts
    marginal = (
        special.multigammaln(df / 2, size)
        - special.multigammaln(prior.df / 2, size)
        + size / 2 * (np.log(prior.kappa / kappa) - counts * math.log(math.pi))
        + prior.df / 2 * np.linalg.slogdet(prior.scale)[1]
    )
    return as_table(kappa, *_predictive_terms(prior, counts), marginal)


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
