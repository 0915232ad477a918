"""A few points for a family of each kind, few enough to list every partition."""

from samplers.conjugate import DirichletMultinomial, NormalInverseGamma, NormalInverseWishart, NormalKnownVariance

LINE = [-2.0, -1.4, 0.1, 0.6, 2.5]
PLANE = [[0.0, 1.0], [0.3, 0.4], [1.5, 2.0], [3.0, 1.0], [2.6, 0.2]]
COUNTS = [[3, 1, 0], [2, 2, 0], [0, 0, 3], [1, 0, 4], [0, 2, 1]]
MODELS = {
    "known variance": (NormalKnownVariance(0.0, 4.0, 0.5), LINE),
    "known variance, plane": (NormalKnownVariance([0.0, 1.0], 2.0, 0.7), PLANE),
    "normal-inverse-gamma": (NormalInverseGamma(0.2, 0.3, 2.0, 0.6), LINE),
    "normal-inverse-Wishart": (NormalInverseWishart([0.0, 0.0], 0.3, 3.5, [[1.0, 0.4], [0.4, 1.0]]), PLANE),
    "Dirichlet-multinomial": (DirichletMultinomial([0.5, 1.0, 0.3]), COUNTS),
}
