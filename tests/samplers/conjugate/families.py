"""A family of each kind, their product, and data for them."""

import numpy as np
import pytest

from samplers.conjugate import (
    DirichletMultinomial,
    GammaPoisson,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalKnownVariance,
    Product,
)
from samplers.conjugate.family import Sums

SCALE = np.array([[2.0, 0.7], [0.7, 1.5]])
SPACE = np.array([[2.0, 0.7, 0.2], [0.7, 1.5, -0.3], [0.2, -0.3, 1.0]])
FAMILIES = {
    "known variance": NormalKnownVariance(0.3, 4.0, 0.5),
    "known variance, plane": NormalKnownVariance([0.3, -1.0], 4.0, 0.5),
    "normal-inverse-gamma": NormalInverseGamma(0.3, 0.4, 1.7, 0.9),
    "normal-inverse-Wishart, line": NormalInverseWishart(0.3, 0.4, 3.4, [[1.8]]),
    "normal-inverse-Wishart, plane": NormalInverseWishart([0.3, -1.0], 0.4, 3.5, SCALE),
    "normal-inverse-Wishart, space": NormalInverseWishart([0.3, -1.0, 0.0], 0.4, 4.5, SPACE),
    "Dirichlet-multinomial": DirichletMultinomial([0.5, 1.0, 2.5]),
    "Gamma-Poisson": GammaPoisson(1.4, 0.6),
}
TOGETHER = ("known variance", "normal-inverse-Wishart, plane", "Dirichlet-multinomial", "Gamma-Poisson")
PRODUCT = Product([FAMILIES[name] for name in TOGETHER])


def over(families):
    return pytest.mark.parametrize("family", families.values(), ids=families.keys())


every_family, every_single_family = over(FAMILIES | {"product": PRODUCT}), over(FAMILIES)


def points(family, n, seed=0):
    if isinstance(family, Product):  # rows 1 and 2 have holes
        data = np.hstack([points(each, n, seed) for each in family.families]).astype(float)
        data[1:2, 0] = data[2:3, 1:2] = np.nan
        return data
    rng = np.random.default_rng(seed)
    if isinstance(family, DirichletMultinomial | GammaPoisson):
        return rng.poisson(2.0, (n, family.dimension))
    return 1.0 + 2.0 * rng.standard_normal((n, family.dimension))


def sums_of(data):
    mean = data.mean(axis=0)
    return Sums(len(data), data.sum(axis=0), (data - mean).T @ (data - mean))
