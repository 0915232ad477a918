"""Posteriors of two numbers with the labels summed out: of two means, and of one word's probability in both classes.

They are those of `samplers.gradient.gaussian_marginal` and `samplers.gradient.naive_bayes_marginal` on so few data that
every labelling can be listed. Given the labels each is a product of two known densities. So the posterior is a mixture
of such products, of which margins and moments are known. `POSTERIOR_PLANES` has them by name.
"""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import exp, inf, isfinite, lgamma, log, log1p, sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import special

from samplers.gradient.plane_targets import LOG_TWO_PI, PlaneTarget, normal_density
from samplers.portable import total, weights_of

SPREAD = 3.0  # standard deviation of the prior of a mean
TEN_POINTS = tuple(
    1.5 * (1 if i % 2 else -1) + noise for i, noise in enumerate(np.random.default_rng(1).standard_normal(10).tolist())
)
SIX_MESSAGES = (  # how often each has free, now, prize, tonight, cash, home, lunch, win, call and mum
    (0, 1, 0, 0, 1, 0, 0, 1, 0, 0),
    (1, 0, 2, 0, 1, 0, 0, 0, 0, 0),
    (1, 1, 1, 0, 0, 0, 0, 1, 0, 0),
    (0, 0, 0, 1, 0, 1, 0, 0, 0, 1),
    (0, 0, 0, 1, 0, 1, 1, 0, 0, 0),
    (1, 1, 0, 1, 0, 0, 1, 0, 1, 0),
)
PRIZE = 2  # its place among these words


class Factor(NamedTuple):
    """The two numbers of a density of one variable: of a Normal its mean and deviation, of a Beta its exponents."""

    first: float
    second: float


class LabelledPlane(PlaneTarget):
    """A posterior with its labels summed out: given the labels of a few items, x and y are independent."""

    items: ClassVar[int]
    to_the_right = (1.0, -1.0)
    right_share = 0.5  # the hills are one hill under two names

    @abstractmethod
    def given(self, labels: Sequence[int]) -> tuple[tuple[Factor, Factor], float]:
        """Return the densities of x and of y given labels of 0 and 1, and the log joint of the data and the labels."""

    @abstractmethod
    def factor_density(self, factors: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the densities of factors, shape (factors, 2), at values: shape (factors, values)."""

    @abstractmethod
    def factor_moments(self, factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the means and the variances of factors, shape (factors, 2): (factors,) each."""

    @cached_property
    def _mixed(self) -> tuple[dict[tuple[Factor, Factor], float], float]:
        """The probability of each pair of factors, and the log of the evidence; labellings with one pair are added."""
        logs: dict[tuple[Factor, Factor], list[float]] = {}
        for labels in product((0, 1), repeat=self.items):
            pair, log_joint = self.given(labels)
            logs.setdefault(pair, []).append(log_joint)
        top = max(max(found) for found in logs.values())
        weights = {pair: total(exp(one - top) for one in found) for pair, found in logs.items()}
        whole = total(weights.values())
        return {pair: weight / whole for pair, weight in weights.items()}, top + log(whole)

    @property
    def mixture(self) -> dict[tuple[Factor, Factor], float]:
        """The probability of each pair of densities of x and y."""
        return self._mixed[0]

    @property
    def log_evidence(self) -> float:
        """Log p(data), labels and parameters summed and integrated out."""
        return self._mixed[1]

    @property
    def moments(self) -> tuple[tuple[float, float], tuple[float, float]]:
        weights, pairs = np.array(list(self.mixture.values())), np.array(list(self.mixture))
        means, deviations = [], []
        for axis in (0, 1):
            mean, variance = self.factor_moments(pairs[:, axis])
            means.append(float(weights @ mean))
            deviations.append(sqrt(weights @ (variance + mean**2) - means[-1] ** 2))
        return (means[0], means[1]), (deviations[0], deviations[1])

    def log_densities(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the log density on a grid as `numpy.meshgrid` gives it: columns share x, rows share y."""
        weights, pairs = np.array(list(self.mixture.values())), np.array(list(self.mixture))
        across, up = self.factor_density(pairs[:, 0], x[0]), self.factor_density(pairs[:, 1], y[:, 0])
        with np.errstate(divide="ignore"):
            return np.asarray(np.log((weights[:, None] * up).T @ across))

    def marginal(self, axis: int, values: np.ndarray) -> np.ndarray:
        """Return the density of x or of y alone, a mixture over all labellings, shape (values,)."""
        weights, pairs = np.array(list(self.mixture.values())), np.array(list(self.mixture))
        return weights @ self.factor_density(pairs[:, axis], np.asarray(values, float))


class TwoMeansPosterior(LabelledPlane):
    """The means of two Normal components with a deviation of 1 and equal weights, given ten points without labels.

    Each mean has the prior Normal(0, 3²). The two hills are one hill under two names.
    """

    items = len(TEN_POINTS)
    names = ("mean 1", "mean 2")
    reach = ((-17.0, 17.0), (-17.0, 17.0))

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        first, second = position.tolist()
        value = -0.5 * (first * first + second * second) / SPREAD**2 - LOG_TWO_PI - 2 * log(SPREAD)
        slope, other = -first / SPREAD**2, -second / SPREAD**2
        for point in TEN_POINTS:
            a, b = point - first, point - second
            odds = 0.5 * (b * b - a * a)
            if not isfinite(odds):
                return -inf, np.full(2, np.nan)
            share = _expit(odds)
            value += -0.5 * b * b - _log_expit(-odds) - log(2) - 0.5 * LOG_TWO_PI
            slope += share * a
            other += (1 - share) * b
        return value - self.log_evidence, np.array([slope, other])

    def given(self, labels: Sequence[int]) -> tuple[tuple[Factor, Factor], float]:
        """Return the densities of both means given labels, and the log joint of the points and the labels."""
        log_joint, factors = -self.items * log(2), []
        for label in (0, 1):
            own = [point for point, its in zip(TEN_POINTS, labels, strict=True) if its == label]
            precision = len(own) + SPREAD**-2
            centre = total(own) / precision
            factors.append(Factor(centre, 1 / sqrt(precision)))
            log_joint -= 0.5 * (len(own) * LOG_TWO_PI + log(SPREAD**2 * precision))
            log_joint -= 0.5 * (total(point * point for point in own) - centre * centre * precision)
        return (factors[0], factors[1]), log_joint

    def factor_density(self, factors: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the densities of Normals, shape (factors, values)."""
        return normal_density(values, *factors.T[:, :, None])

    def factor_moments(self, factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the means and the variances of Normals."""
        return factors[:, 0], factors[:, 1] ** 2


class WordPosterior(LabelledPlane):
    """The log odds of the word "prize" in two classes, given six messages without labels; all else is integrated out.

    With the uniform priors of the Stan programs. The log odds are the unconstrained numbers of a stick that is broken
    into this word and all others.
    """

    items = len(SIX_MESSAGES)
    names = ("log odds of “prize” in class 1", "the same in class 2")
    reach = ((-38.0, 14.0), (-38.0, 14.0))

    def log_density_and_gradient(self, position: np.ndarray) -> tuple[float, np.ndarray]:
        x, y = position.tolist()
        if not (isfinite(x) and isfinite(y)):
            return -inf, np.full(2, np.nan)
        parts = _log_expit(x), _log_expit(-x), _log_expit(y), _log_expit(-y)
        logs = [
            height + (a * parts[0] + b * parts[1]) + (c * parts[2] + d * parts[3]) for height, a, b, c, d in self._terms
        ]
        top = max(logs)
        shares = weights_of(logs)
        whole = total(shares)
        slopes = [
            total(
                share * (term[i] - (term[i] + term[i + 1]) * part)
                for share, term in zip(shares, self._terms, strict=True)
            )
            for i, part in ((1, _expit(x)), (3, _expit(y)))
        ]
        return top + log(whole), np.array(slopes) / whole

    @cached_property
    def _terms(self) -> list[tuple[float, float, float, float, float]]:
        """Log height and exponents of each product of two Betas."""
        return [
            (log(weight) - _log_beta(*first) - _log_beta(*second), *first, *second)
            for (first, second), weight in self.mixture.items()
        ]

    def given(self, labels: Sequence[int]) -> tuple[tuple[Factor, Factor], float]:
        """Return the exponents of the word's Beta in both classes given labels, and the log joint of all."""
        sizes = [sum(its == label for its in labels) for label in (0, 1)]
        log_joint, factors = _log_beta(1.0 + sizes[0], 1.0 + sizes[1]), []
        for label in (0, 1):
            own = [row for row, its in zip(SIX_MESSAGES, labels, strict=True) if its == label]
            counts = [sum(column) for column in zip(*own, strict=True)] or [0] * len(SIX_MESSAGES[0])
            words = len(counts)
            log_joint += lgamma(words) - lgamma(words + sum(counts)) + total(lgamma(1.0 + many) for many in counts)
            factors.append(Factor(1.0 + counts[PRIZE], words - 1.0 + sum(counts) - counts[PRIZE]))
        return (factors[0], factors[1]), log_joint

    def factor_density(self, factors: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the densities of log odds of Betas, shape (factors, values)."""
        a, b = factors.T[:, :, None]
        return np.exp(a * special.log_expit(values) + b * special.log_expit(-values) - special.betaln(a, b))

    def factor_moments(self, factors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the means and the variances of log odds of Betas."""
        a, b = factors.T
        return special.digamma(a) - special.digamma(b), special.polygamma(1, a) + special.polygamma(1, b)


def _log_expit(value: float) -> float:
    """Return the logarithm of 1 / (1 + e^-value)."""
    return -log1p(exp(-value)) if value >= 0 else value - log1p(exp(value))


def _expit(value: float) -> float:
    return 1 / (1 + exp(-value)) if value >= 0 else exp(value) / (1 + exp(value))


def _log_beta(first: float, second: float) -> float:
    return lgamma(first) + lgamma(second) - lgamma(first + second)


POSTERIOR_PLANES: dict[str, LabelledPlane] = {"two means": TwoMeansPosterior(), "a word": WordPosterior()}
"""The posteriors by name."""
