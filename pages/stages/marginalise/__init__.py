"""Labels summed out: what Stan does with a mixture, term by term, leapfrog by leapfrog, and beside Gibbs."""

from typing import ClassVar

from lessons.stages.marginalise import MarginaliseSettings
from pages.stages.marginalise.documents import NaiveBayes, OfThreeWords
from pages.stages.marginalise.two_means import TwoMeans
from pages.stages.modes import ModeStage


class MarginaliseStage(ModeStage[MarginaliseSettings]):
    """The stage of the topic "Sum the labels out"."""

    modes: ClassVar = {"naive Bayes": NaiveBayes(), "three words": OfThreeWords(), "two means": TwoMeans()}
    whole = NaiveBayes.whole
    about = ("gamma",)
