"""Densities whose draws are known."""

import math

import numpy as np
from scipy import special


class Normal:
    """A Normal distribution with any covariance."""

    def __init__(self, covariance, mean=0.0):
        self.precision = np.linalg.inv(covariance)
        self.mean = mean
        self.dimension = len(covariance)

    def log_density_and_gradient(self, position):
        away = position - self.mean
        return -0.5 * float(away @ self.precision @ away), -self.precision @ away


class LogOddsOfBeta:
    """The log odds of a Beta(a, b) variate, with the log-Jacobian: far from Normal, and its quantiles are known."""

    dimension = 1

    def __init__(self, a, b):
        self.a, self.b = a, b

    def log_density_and_gradient(self, position):
        odds = position[0]
        log_density = self.a * odds - (self.a + self.b) * np.logaddexp(0.0, odds)
        share = 0.5 * (1 + math.tanh(odds / 2))
        return float(log_density), np.array([self.a - (self.a + self.b) * share])

    def rank(self, position):
        return special.betainc(self.a, self.b, 0.5 * (1 + math.tanh(position[0] / 2)))

    def draw(self, rng):
        first, second = rng.standard_gamma(self.a), rng.standard_gamma(self.b)
        return np.array([math.log(first / second)])


def ranks_after(make, target, iterations, replicates=1_000, seed=0):
    """Where a few iterations from exact draws of the target lead, as quantiles of the target: uniform if it is kept."""
    rng = np.random.default_rng(seed)
    ranks = []
    for _ in range(replicates):
        sampler = make(target.draw(rng))
        state = sampler.init(rng)
        for _ in range(iterations):
            state, _ = sampler.step(state, rng)
        ranks.append(target.rank(state.position))
    return ranks
