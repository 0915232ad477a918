"""Densities with the parameters of a cluster in them: of points given parameters, and of parameters given a family.

Samplers that integrate the parameters out need neither; one that keeps them needs both for its log joint. Triangular
systems are given to NumPy's general solver: SciPy's own one starts threads even for two unknowns, which on busy cores
takes a thousand times as long.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from samplers.families.dirichlet import DirichletMultinomial, _log_coefficients
from samplers.families.family import Family, Multinomial, Normal
from samplers.families.known_variance import NormalKnownVariance
from samplers.families.unknown_variance import NormalInverseGamma, NormalInverseWishart
from samplers.simplex import DirichletLaw

Parameters = Normal | Multinomial


def log_likelihood(parameters: Parameters, data: np.ndarray) -> np.ndarray:
    """Return the log density of each point given the parameters of its cluster.

    Parameters
    ----------
    parameters : Normal or Multinomial
        Of one cluster.
    data : numpy.ndarray
        Points, or rows of counts, shape (n, D).

    Returns
    -------
    numpy.ndarray
        Shape (n,). The multinomial coefficient is in it, as it is in the densities of the families.
    """
    if isinstance(parameters, Multinomial):
        logs: np.ndarray = _log_coefficients(data) + special.xlogy(data, parameters.probabilities).sum(axis=1)
        return logs
    root = np.linalg.cholesky(parameters.covariance)
    white = np.linalg.solve(root, (data - parameters.mean).T)
    constant = np.log(np.diag(root)).sum() + len(root) / 2 * math.log(2 * math.pi)
    log_density: np.ndarray = -constant - (white**2).sum(axis=0) / 2
    return log_density


def log_density_of_parameters(family: Family, parameters: Parameters) -> float:
    """Return the log density of a cluster's parameters under the family.

    It is the density of the mean and the entries of the covariance on and below the diagonal; of the mean alone if the
    covariance is known; of the probabilities but the last.

    Raises
    ------
    TypeError
        If these are not parameters of that family, or if the family is not known here.
    """
    if isinstance(family, DirichletMultinomial) and isinstance(parameters, Multinomial):
        smallest = np.finfo(float).tiny  # a probability that was drawn as 0 was not 0 before it was rounded
        return DirichletLaw(family.prior).log_density(np.log(np.maximum(parameters.probabilities, smallest)))
    if isinstance(family, NormalKnownVariance) and isinstance(parameters, Normal):
        spread = family.prior_variance * np.eye(family.dimension)
        return float(log_likelihood(Normal(family.mean, spread), parameters.mean[None])[0])
    if isinstance(family, NormalInverseGamma) and isinstance(parameters, Normal):
        family = NormalInverseWishart(family.mean, family.kappa, 2 * family.shape, [[2 * family.rate]])
    if isinstance(family, NormalInverseWishart) and isinstance(parameters, Normal):
        about = Normal(family.mean, parameters.covariance / family.kappa)
        return float(log_likelihood(about, parameters.mean[None])[0]) + _log_inverse_wishart(family, parameters)
    raise TypeError(f"no density of {type(parameters).__name__} is known for {type(family).__name__}")


def _log_inverse_wishart(family: NormalInverseWishart, parameters: Normal) -> float:
    """Return the log density of the covariance (Gelman et al. 2013, Bayesian Data Analysis, appendix A)."""
    size, df = family.dimension, family.df
    root, prior_root = np.linalg.cholesky(parameters.covariance), np.linalg.cholesky(family.scale)
    white = np.linalg.solve(root, prior_root)
    log_det, prior_log_det = (2 * np.log(np.diag(factor)).sum() for factor in (root, prior_root))
    constant = df / 2 * (prior_log_det - size * math.log(2)) - special.multigammaln(df / 2, size)
    return float(constant - (df + size + 1) / 2 * log_det - (white**2).sum() / 2)
