"""Labels summed out: what Stan does with a mixture, term by term, leapfrog by leapfrog, and beside Gibbs."""

from typing import ClassVar

from lessons.topics.marginalise import MarginaliseSettings
from pages.scenes.modes import ModeStage
from pages.topics.marginalise.documents import NaiveBayes, OfThreeWords
from pages.topics.marginalise.two_means import TwoMeans


class MarginaliseStage(ModeStage[MarginaliseSettings]):
    """The stage of the topic "Sum the labels out"."""

    modes: ClassVar = {"naive Bayes": NaiveBayes(), "three words": OfThreeWords(), "two means": TwoMeans()}
    whole = NaiveBayes.whole
    about = ("gamma",)
