"""Conjugate priors with posterior and posterior predictive, updated one point at a time."""

from samplers.conjugate.dirichlet_multinomial import DirichletMultinomial
from samplers.conjugate.family import Cluster, Family
from samplers.conjugate.normal_known_variance import NormalKnownVariance
from samplers.conjugate.normal_unknown_variance import NormalInverseGamma, NormalInverseWishart
from samplers.conjugate.parameters import Multinomial, Normal, Parameters
from samplers.conjugate.product import Product, ProductParameters

__all__ = [
    "Cluster",
    "DirichletMultinomial",
    "Family",
    "Multinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "NormalKnownVariance",
    "Parameters",
    "Product",
    "ProductParameters",
]
