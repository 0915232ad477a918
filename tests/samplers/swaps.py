"""A swap of two levels, as a matrix."""

import math
from itertools import product
from typing import Any

import numpy as np

from samplers.tempering import ParallelTempering


def swap_matrix(kernel: ParallelTempering[Any], log_joint: np.ndarray, exponents: tuple[float, float]) -> np.ndarray:
    """The transition matrix of a swap over all pairs of states, by its probability of acceptance."""
    many = len(log_joint)
    matrix = np.zeros((many**2,) * 2)
    for a, b in product(range(many), repeat=2):
        terms = kernel.terms(exponents, log_joint[a], log_joint[b])
        chance = math.exp(min(0.0, sum(terms.values())))
        matrix[a * many + b, b * many + a] += chance
        matrix[a * many + b, a * many + b] += 1 - chance
    return matrix
