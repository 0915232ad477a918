"""Wrong rules for the naive Bayes sampler, and for the worth of a label: what the lessons ask learners to find.

All of them run. `WRONG_LABEL_RULES` has them by name, and `samplers.mixtures.exact_labellings` says what each changes;
`WRONG_GAINS` has those of a label's worth.
"""

from collections.abc import Iterator, Mapping
from math import exp, inf, log, nan
from typing import Any, ClassVar

import numpy as np

from samplers.mixtures.asking import Asking, Outlook
from samplers.mixtures.labels import WEIGHTS
from samplers.mixtures.naive_bayes import WORD_PROBS, DocumentsState, NaiveBayes
from samplers.recipe import Conditional, Distribution, Site


class WrongNaiveBayes(NaiveBayes):
    """A naive Bayes sampler with one rule that is wrong.

    Attributes
    ----------
    where : mapping of str to str
        The settings of `NaiveBayes` under which the rule is not the right one. Under others it may change nothing.
    """

    where: ClassVar[Mapping[str, str]] = {}


class OneTooFew(WrongNaiveBayes):
    """One is taken off the count although the document is out of it already: a class that empties never comes back.

    The -1 belongs to counts that still include the document. With a prior of 1 an empty class then weighs 0; with less
    it would weigh less than nothing, and gets 0 as well.
    """

    where: ClassVar[Mapping[str, str]] = {"weights": "collapsed"}
    taken_off = 1

    def class_terms(self, state: DocumentsState) -> list[float]:
        """Weigh each class by one less than it should."""
        less = (self.class_prior + state.counts - self.taken_off).tolist()
        return [log(weight) if weight > 0 else -inf for weight in less]


class Products(Conditional):
    """A conditional made of probabilities that were multiplied without logarithms; all may have underflowed to 0."""

    __slots__ = ()

    @property
    def undefined(self) -> bool:
        """Whether no option has a product above 0, so that dividing by their sum is 0/0."""
        return max(self.log_weights) == -inf

    @property
    def probabilities(self) -> np.ndarray:
        """Probabilities of the options, shape (options,); all NaN where they are 0/0."""
        return np.full(len(self.log_weights), nan) if self.undefined else super().probabilities

    def pick(self, uniform: float) -> int:
        """Pick an option; if all weights underflowed (0/0), return option 0.

        So does ``numpy.searchsorted(probabilities.cumsum(), rng.random())`` with NaN, without a warning.
        """
        return 0 if self.undefined else super().pick(uniform)


class NoLogarithms(WrongNaiveBayes):
    """Word probabilities are multiplied as they are: a few hundred words make 0 in every class, and then 0/0.

    Short documents get the right conditional. A long one goes to the first class whatever its words; it was drawn from
    a `Products`, whose ``undefined`` says so.
    """

    def score(self, state: DocumentsState, site: Site) -> Distribution:
        """Return the conditional of a label by products in floating point; the blocks' conditionals are right."""
        conditional = super().score(state, site)
        if not isinstance(conditional, Conditional):
            return conditional
        products = [
            exp(fit) for fit in conditional.terms[self.fit]
        ]  # 0 where the product of the probabilities underflows
        return Products(
            dict(conditional.terms) | {self.fit: [log(product) if product else -inf for product in products]}
        )


class WeightsDrawnOnce(WrongNaiveBayes):
    """The weights are drawn before the first sweep and then kept: they never hear what the labels have become."""

    where: ClassVar[Mapping[str, str]] = {"weights": "explicit"}

    def sites(self, state: DocumentsState) -> Iterator[Site]:
        """Leave the weights out of the sweep."""
        return (site for site in super().sites(state) if site != WEIGHTS)


class RepeatsAsPowers(WrongNaiveBayes):
    """A word that comes c times is scored as (n + β)^c: each time as if it had not just been seen in the document."""

    where: ClassVar[Mapping[str, str]] = {"word_probs": "collapsed"}

    @staticmethod
    def _occurrences_before(times: np.ndarray) -> np.ndarray:
        return np.zeros(int(times.sum()))


class WordProbsOneSweepLate(WrongNaiveBayes):
    """Labels are drawn against the word probabilities of the sweep before, while counts and word probabilities move on.

    It is what a table of the documents' log probabilities does that is filled too early: before the sweep's word
    probabilities are drawn. Labels and word probabilities are then both drawn given each other's old values.
    """

    where: ClassVar[Mapping[str, str]] = {"word_probs": "explicit"}

    def sites(self, state: DocumentsState) -> Iterator[Site]:
        """Visit the blocks first, and then the labels."""
        yield from self.blocks
        yield from (site for site in super().sites(state) if site not in self.blocks)

    def remember(self, state: DocumentsState, site: Site, value: Any) -> None:
        """Set new word probabilities, but fill the table of log probabilities by the old ones."""
        before = state.log_word_probs
        super().remember(state, site, value)
        if site == WORD_PROBS:
            state.fits = (self.counts @ before.T).tolist()


WRONG_LABEL_RULES: dict[str, type[WrongNaiveBayes]] = {
    "one too few": OneTooFew,
    "no logarithms": NoLogarithms,
    "weights drawn once": WeightsDrawnOnce,
    "repeated words as powers": RepeatsAsPowers,
    "word probabilities a sweep late": WordProbsOneSweepLate,
}
"""The wrong rules by name; the first line of a class's docstring says what it gets wrong."""


class AnswersAlike(Asking):
    """All answers count alike, however improbable: a label that is nearly sure seems to promise a loss.

    An improbable answer leaves more bits than there are now. By its probability it hardly counts; here it counts as
    much as the probable one, so that gains become negative, which an expected gain of information never is.
    """

    def gains(self, outlook: Outlook) -> np.ndarray:
        """Return the drop of the bits, averaged over the answers without their probabilities."""
        found: np.ndarray = outlook.bits.sum() - outlook.after.mean(axis=1)
        return found


class MostProbableOnly(Asking):
    """Only the most probable answer is looked at: the surprise, from which most is learned or lost, is left out."""

    def gains(self, outlook: Outlook) -> np.ndarray:
        """Return the drop of the bits if the answer is the one that is expected."""
        likely = outlook.chances.argmax(axis=1)[:, None]
        found: np.ndarray = outlook.bits.sum() - np.take_along_axis(outlook.after, likely, axis=1)[:, 0]
        return found


WRONG_GAINS: dict[str, type[Asking]] = {
    "answers count alike": AnswersAlike,
    "most probable answer only": MostProbableOnly,
}
"""The wrong rules of a label's worth by name."""
