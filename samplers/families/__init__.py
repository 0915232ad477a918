"""Conjugate families: what the points of one cluster say about its parameters, and what they foretell."""

from samplers.families.dirichlet import DirichletMultinomial
from samplers.families.family import Cluster, Family, Multinomial, Normal
from samplers.families.known_variance import NormalKnownVariance
from samplers.families.unknown_variance import NormalInverseGamma, NormalInverseWishart

__all__ = [
    "Cluster",
    "DirichletMultinomial",
    "Family",
    "Multinomial",
    "Normal",
    "NormalInverseGamma",
    "NormalInverseWishart",
    "NormalKnownVariance",
]
