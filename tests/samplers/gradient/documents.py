"""Documents few enough for integrals over all parameters of naive Bayes."""

import math
from itertools import product

import numpy as np
from scipy import special

COUNTS = [[2, 0, 1], [0, 3, 1], [1, 1, 0], [3, 0, 2], [0, 0, 0]]
LABELS = [0, -1, -1, 2, -1]
PRIORS = {"class_prior": [1.0, 0.7, 2.0], "word_prior": [0.5, 1.0, 0.3]}
POSITION = [0.5, -1.0, 0.2, -0.4, 1.5, 0.3, -0.7, -2.0]
TINY = np.array([[3, 1], [1, 3], [2, 2], [0, 2]])
TINY_PRIORS = {"class_prior": [2.0, 2.5], "word_prior": [2.0, 3.0], "labels": [0, -1, -1, -1]}


def integral(model, reach=6.6, step=0.7):
    """Log of the integral of the density over all positions, and the mean of the class probabilities under it.

    By the trapezium rule, whose error for a bump as wide as σ is about e^(-2 (πσ/step)²); σ is 0.5 or more here.
    """
    axis = np.arange(-reach, reach + step, step)
    positions = np.array(list(product(axis, repeat=model.dimension)))
    densities = np.array([model.log_density(position) for position in positions])
    shares = np.array([model.class_probabilities(position) for position in positions])
    mean = np.tensordot(special.softmax(densities), shares, axes=1)
    return special.logsumexp(densities) + model.dimension * math.log(step), mean
