"""The evidence of a mixture on more points than can be listed: annealed importance sampling, one point at a time.

The evidence is a product of predictions: p(x_1) p(x_2 | x_1) p(x_3 | x_1, x_2) and so on. Many runs go through the
points. Each run predicts the next point from the labels that it has given to those before, is weighed by the density of
that prediction, draws the point's label, and redraws all labels in a few Gibbs sweeps. The mean of the runs' weights is
p(data | K) without bias (Neal 2001, Annealed importance sampling; the path through the points is that of Chopin 2002, A
sequential particle filter method for static models, here without its resampling).
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from samplers.checks import finite_above, whole_from
from samplers.conjugate import NormalKnownVariance
from samplers.conjugate.dirichlet import Dirichlet


@dataclass(frozen=True, eq=False)
class Evidence:
    """An estimate of the evidence from weighted runs."""

    so_far: np.ndarray  # the logarithm of each run's weight after 0, 1, ... points, shape (points + 1, runs)

    @property
    def log_importance(self) -> np.ndarray:
        """The logarithm of each run's weight, shape (runs,); the mean of the weights estimates the evidence."""
        return np.asarray(self.so_far[-1])

    @property
    def log_evidence(self) -> float:
        """The estimate of log p(data | K)."""
        return float(special.logsumexp(self.log_importance) - math.log(len(self.log_importance)))

    @property
    def error(self) -> float:
        """The standard error of `log_evidence`, from the spread of the runs' weights."""
        weights = np.exp(self.log_importance - self.log_importance.max())
        return float(weights.std(ddof=1) / weights.mean() / math.sqrt(len(weights)))


class Annealed:
    """Runs through the points of a mixture of K components with known variance.

    Parameters
    ----------
    data, components
        As for `samplers.mixtures.finite.FiniteMixture`.
    family : NormalKnownVariance
        The prior of a component's mean, and the variance of points about it.
    class_prior : float
        Pseudo-count a of each component, above 0: the weights have a Dirichlet(a, ..., a) prior.
    sweeps : int, optional
        How many sweeps after each point; the more, the smaller the error.

    Raises
    ------
    ValueError
        If a setting is out of range, or if the data are not what the family takes.
    """

    def __init__(
        self, data: ArrayLike, family: NormalKnownVariance, components: int, class_prior: float, *, sweeps: int = 2
    ) -> None:
        self.data = family.rows(data)
        if not len(self.data):
            raise ValueError("data must hold at least one point")
        self.family = family
        self.components = whole_from("components", components, 1)
        self.class_prior = finite_above("class_prior", class_prior, 0)
        self.sweeps = whole_from("sweeps", sweeps, 0)

    def evidence(self, rng: np.random.Generator, runs: int = 64) -> Evidence:
        """Go through the points with many runs, from 2; the error falls as one over the square root of their number."""
        order = rng.permutation(len(self.data))
        rows = self.data[order]
        taken = np.zeros((whole_from("runs", runs, 2), 0, self.components))  # 1 for the point's component, 0 elsewhere
        so_far = np.zeros((len(rows) + 1, runs))
        for seen in range(len(rows)):
            terms = self._log_prior(taken) + self._log_predictive(taken, rows[:seen], rows[seen])
            so_far[seen + 1] = so_far[seen] + special.logsumexp(terms, axis=1)
            taken = np.concatenate([taken, _picked(terms[:, None], rng)], axis=1)
            for _ in range(self.sweeps):
                taken = self.sweep(taken, rows[: seen + 1], rng)
        return Evidence(so_far)

    def sweep(self, taken: np.ndarray, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Redraw weights and means given the labels, then all labels given these: uncollapsed Gibbs in every run.

        Parameters
        ----------
        taken : numpy.ndarray
            The labels: 1 for the component of a point in a run and 0 elsewhere, shape (runs, points, K).
        rows : numpy.ndarray
            The points, shape (points, D).
        """
        log_weights = Dirichlet(self.class_prior + taken.sum(axis=1)).draw(rng)
        centre, variance = self._posterior(taken, rows)
        means = centre + rng.standard_normal(centre.shape) * np.sqrt(variance)[:, :, None]
        squares = (means**2).sum(axis=2)[:, None] - 2 * rows @ means.swapaxes(1, 2)
        return _picked(log_weights[:, None] - squares / (2 * self.family.variance), rng)

    def _log_prior(self, taken: np.ndarray) -> np.ndarray:
        """Return the log probability of each component for one more point, weights integrated out; (runs, K)."""
        found: np.ndarray = np.log(self.class_prior + taken.sum(axis=1))
        return found - math.log(self.components * self.class_prior + taken.shape[1])

    def _log_predictive(self, taken: np.ndarray, rows: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Return the log density of one more point in each component, means integrated out; (runs, K)."""
        centre, spread = self._posterior(taken, rows)
        variance = spread + self.family.variance
        distance = ((point - centre) ** 2).sum(axis=2)
        return -0.5 * (distance / variance + point.size * np.log(2 * math.pi * variance))

    def _posterior(self, taken: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return mean (runs, K, D) and variance (runs, K) of the components' means given the labels."""
        family = self.family
        precision = 1 / family.prior_variance + taken.sum(axis=1) / family.variance
        total = family.mean / family.prior_variance + taken.swapaxes(1, 2) @ rows / family.variance
        return total / precision[:, :, None], 1 / precision


def _picked(log_weights: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw an option by log weights, shape (..., options): 1 for it and 0 elsewhere, of the same shape."""
    ends = np.exp(log_weights - log_weights.max(axis=-1, keepdims=True)).cumsum(axis=-1)
    darts = rng.random((*ends.shape[:-1], 1)) * ends[..., -1:]
    picked = (ends <= darts).sum(axis=-1, keepdims=True)
    return (picked == np.arange(ends.shape[-1])).astype(float)
