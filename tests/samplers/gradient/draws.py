"""Independent draws from the densities on a plane, by what each is made of."""

from functools import singledispatch
from math import pi, sqrt

import numpy as np
from scipy import special

from samplers.gradient.plane_targets import Banana, CorrelatedNormal, Funnel, Ring, TwoHills
from samplers.gradient.posterior_planes import TwoMeansPosterior, WordPosterior


@singledispatch
def draws_of(target, rng, size):
    """Independent draws, shape (size, 2)."""
    raise TypeError(f"no draws are known for {target}")


@draws_of.register
def _(target: CorrelatedNormal, rng, size):
    x, other = rng.standard_normal((2, size))
    y = target.correlation * x + sqrt(1 - target.correlation**2) * other
    return np.column_stack([x, y]) * target.deviations


@draws_of.register
def _(target: Banana, rng, size):
    across, off = rng.standard_normal((2, size))
    x = target.width * across
    return np.column_stack([x, target.bend * x**2 + target.height * off])


@draws_of.register
def _(target: Ring, rng, size):
    spread = 2 * target.radius * target.breadth  # standard deviation of the squared distance, before it is cut off
    low = special.ndtr(-(target.radius**2) / spread)
    off = special.ndtri(low + (1 - low) * rng.random(size))
    distance, angle = np.sqrt(target.radius**2 + spread * off), 2 * pi * rng.random(size)
    return np.column_stack([distance * np.cos(angle), distance * np.sin(angle)])


@draws_of.register
def _(target: TwoHills, rng, size):
    of = (rng.random(size) >= target.weights[0]).astype(int)
    return np.array(target.centres)[of] + target.deviation * rng.standard_normal((size, 2))


@draws_of.register
def _(target: Funnel, rng, size):
    x, y = rng.standard_normal((2, size))
    y = target.height * y
    return np.column_stack([x * np.exp(y / 2), y])


@draws_of.register
def _(target: TwoMeansPosterior, rng, size):
    return np.column_stack([rng.normal(*factors.T) for factors in _factors(target, rng, size)])


@draws_of.register
def _(target: WordPosterior, rng, size):
    """Log odds of Betas, by way of two Gammas."""
    gammas = (rng.standard_gamma(factors).T for factors in _factors(target, rng, size))
    return np.column_stack([np.log(a) - np.log(b) for a, b in gammas])


def _factors(target, rng, size):
    """The factors of x and those of y, given labels that are drawn: shape (size, 2) each."""
    weights = np.array(list(target.mixture.values()))
    of = np.array(list(target.mixture))[rng.choice(len(weights), size, p=weights / weights.sum())]
    return of[:, 0], of[:, 1]
