"""Climb instead of walk: k-means, EM and variational Bayes for a mixture, a half-step at a time."""

from typing import ClassVar

from lessons.topics.climb_mixture import ClimbMixtureSettings
from pages.scenes.modes import ModeStage
from pages.topics.climb_mixture.em import EM, MAP
from pages.topics.climb_mixture.k_means import KMeans
from pages.topics.climb_mixture.stick import Stick
from pages.topics.climb_mixture.variational import Variational


class ClimbMixtureStage(ModeStage[ClimbMixtureSettings]):
    """The stage of the topic "Climb instead of walk"."""

    modes: ClassVar = {"k-means": KMeans(), "EM": EM(), "MAP": MAP(), "VB": Variational(), "stick": Stick()}
    opens = KMeans.opens
