"""Wrong rules for naive Bayes with the labels summed out, and for GIST, each close to the right one.

All of them run, and each has the gradient of what it takes for the density, so that a sampler sees nothing amiss.
`WRONG_MARGINALS` has them by name, and `WRONG_PATHS` those of GIST.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from samplers.gradient.gist import GIST
from samplers.gradient.hmc import Point, acceptance
from samplers.gradient.naive_bayes_marginal import NaiveBayesMarginal
from samplers.gradient.stan_programs import Line, Variant
from samplers.mixtures.labels import HIDDEN


class WrongMarginal(NaiveBayesMarginal):
    """A marginal density with one rule that is wrong.

    Attributes
    ----------
    where : mapping of str to str
        The settings of `NaiveBayesMarginal` under which the rule is not the right one. Under others it changes nothing.
    """

    where: ClassVar[Mapping[str, str]] = {}


class JacobianForgotten(WrongMarginal):
    """The density of the probabilities is taken for that of the unconstrained numbers, as if nothing were stretched.

    The log-Jacobian is the sum of all log probabilities, so that each pseudo-count is one too few: a prior of 1 is used
    as if it were 0, which is no distribution at all. A word that no document of a class has then drifts off to
    probability 0, and never comes back.
    """

    @staticmethod
    def _log_jacobian(log_weights: np.ndarray, log_word_probs: np.ndarray) -> tuple[float, float]:
        return 0.0, 0.0


class SumOfLogs(WrongMarginal):
    """The logs of a document's terms are summed, not the terms: log Σ exp γ is lost, and Σ γ stays.

    That is ``target += sum(gamma[m])`` in Stan: the density of a document that was written once by every class. Each
    class then learns from all documents alike, and all get the same words: nothing is left to separate them.
    Weighting the logs by the class weights mends nothing. It gives a lower bound of the right term (Jensen), and still
    shares each document out without looking at its words.
    """

    @staticmethod
    def sum_out(gamma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return each document's Σ γ, and its slope, which is 1 in each class."""
        return gamma.sum(axis=1), np.ones_like(gamma)

    @classmethod
    def program(cls, variant: Variant, *, local: bool = False) -> tuple[Line, ...]:
        """Return the program with ``sum`` in the place of ``log_sum_exp``."""
        lines = super().program(variant, local=local)
        return tuple(line._replace(text=line.text.replace("log_sum_exp(", "sum(")) for line in lines)


class TestDocumentsTeach(WrongMarginal):
    """Documents that are only to be classified are left in the model block, where they update the classifier.

    It is what becomes of prediction without model updates when ``target += log_sum_exp(gamma[m])`` stays behind: full
    Bayes, under another name. A score on these documents is then no longer one on data that the classifier has not met.
    """

    __test__ = False  # pytest takes the name for a test's
    where: ClassVar[Mapping[str, str]] = {"unlabelled": "generated quantities"}

    @classmethod
    def program(cls, variant: Variant, *, local: bool = False) -> tuple[Line, ...]:
        """Return the program of full Bayes for that of prediction."""
        return super().program("full Bayes" if variant == "prediction" else variant, local=local)

    def _summed_out(self) -> np.ndarray:
        return np.flatnonzero(self.labels == HIDDEN)


WRONG_MARGINALS: dict[str, type[WrongMarginal]] = {
    "Jacobian forgotten": JacobianForgotten,
    "sum of logs": SumOfLogs,
    "test documents teach": TestDocumentsTeach,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""


class BackwardWeightForgotten(GIST):
    """The end is accepted as in HMC, by its energy alone: as if each length had the same weight on the way back.

    Places from which paths turn soon give each length a large weight; they are left as often as ever, and entered by
    lengths that the way back would hardly draw, or never.
    """

    def ratio(self, start: Point, end: Point, weight: float, back: float) -> float:
        """Return the acceptance probability of HMC."""
        return acceptance(start, end)


class PlaceChosenEvenly(GIST):
    """The place that was drawn is taken, each on the path alike, without a look at the energy or the way back."""

    def ratio(self, start: Point, end: Point, weight: float, back: float) -> float:
        """Return 1: every place is accepted."""
        return 1.0


WRONG_PATHS: dict[str, type[GIST]] = {
    "backward weight forgotten": BackwardWeightForgotten,
    "place chosen evenly": PlaceChosenEvenly,
}
"""The wrong rules of GIST by name."""
