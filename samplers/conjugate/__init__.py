"""Conjugate priors with posterior and posterior predictive, updated one point at a time."""

from samplers.conjugate.dirichlet_multinomial import DirichletMultinomial
from samplers.conjugate.family import Cluster, Family
from samplers.conjugate.gamma_poisson import GammaPoisson
from samplers.conjugate.normal_inverse_gamma import NormalInverseGamma
from samplers.conjugate.normal_known_variance import NormalKnownVariance
from samplers.conjugate.normal_unknown_variance import NormalInverseWishart
from samplers.conjugate.parameters import Multinomial, Normal, Parameters, Poisson
from samplers.conjugate.product import Product, ProductParameters

__all__ = [
    "Cluster",
    "DirichletMultinomial",
    "Family",
    "GammaPoisson",
    "Multinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "NormalKnownVariance",
    "Parameters",
    "Poisson",
    "Product",
    "ProductParameters",
]
