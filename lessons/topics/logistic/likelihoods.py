"""The distributions that data have given the weights: what is there for each, as a row of a table."""

from collections.abc import Mapping
from math import nan, sqrt
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from samplers.data.planes import NOISE
from samplers.regression.laplace import Laplace
from samplers.regression.least_squares import LeastSquares
from samplers.regression.linear import LinearModel
from samplers.regression.logistic import LogisticRegression
from samplers.regression.predictives import PREDICTIVES, monte_carlo_error
from samplers.regression.softmax import SoftmaxRegression
from samplers.regression.wrong import WRONG_MODELS

if TYPE_CHECKING:
    from lessons.topics.logistic import LogisticSettings


class TwoClasses:
    """Two classes, which one vector of weights separates.

    Attributes
    ----------
    predictives : tuple of str
        The predictives that there are; the second is taken where another one is chosen.
    """

    predictives: ClassVar[tuple[str, ...]] = ("plug-in", "Monte Carlo", "probit", "MacKay", "quadrature", "exact")

    def features(self, settings: "LogisticSettings", places: np.ndarray) -> np.ndarray:
        """Return the features of places in the plane, shape (P, D)."""
        return settings.describing(places).made()

    def model(self, settings: "LogisticSettings", points: np.ndarray, labels: np.ndarray) -> LinearModel:
        """Build the regression of points, shape (N, 2), and labels."""
        rule = WRONG_MODELS.get(settings.rule, LogisticRegression)
        return rule(self.features(settings, points), labels, settings.prior_precision)

    def outcomes(self, settings: "LogisticSettings", found: Laplace) -> Mapping[str, float]:
        """Return outcomes that only these data have, of Laplace's Normal: here the probability of class 1 at the probe.

        ``scatter`` is its standard deviation over the Normal, and ``error`` that of an average over the draws.
        """
        at = np.array([[settings.probe_x, settings.probe_y]])
        there, by = (self.features(settings, at), found.mode, found.covariance), settings.averages
        scatter = float(monte_carlo_error(*there, 1)[0])
        return {
            "probability": float(settings.predictive_by(by)(*there)[0]) if by in PREDICTIVES else nan,
            "scatter": scatter,
            "error": scatter / sqrt(settings.draws),
        }


class ThreeClasses(TwoClasses):
    """Three classes, with a vector of weights for each."""

    predictives = ("plug-in", "Monte Carlo", "exact")

    def model(self, settings: "LogisticSettings", points: np.ndarray, labels: np.ndarray) -> LinearModel:
        return SoftmaxRegression(self.features(settings, points), labels, 3, settings.prior_precision)

    def outcomes(self, settings: "LogisticSettings", found: Laplace) -> Mapping[str, float]:
        return {}


class Numbers(TwoClasses):
    """Numbers around a line: of a point (x, t), its feature is x."""

    predictives = ("plug-in", "exact")

    def features(self, settings: "LogisticSettings", places: np.ndarray) -> np.ndarray:
        return np.column_stack([np.ones(len(places)), places[:, 0]])

    def model(self, settings: "LogisticSettings", points: np.ndarray, labels: np.ndarray) -> LinearModel:
        return LeastSquares(self.features(settings, points), points[:, 1], NOISE**-2, settings.prior_precision)

    def outcomes(self, settings: "LogisticSettings", found: Laplace) -> Mapping[str, float]:
        return {"slope": found.mode[1]}


LIKELIHOODS: Mapping[str, TwoClasses] = {"logistic": TwoClasses(), "softmax": ThreeClasses(), "normal": Numbers()}
