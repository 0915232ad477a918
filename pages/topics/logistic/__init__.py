"""Bayesian logistic regression: the mode, Laplace's Normal around it, and predictions averaged over the weights."""

from typing import ClassVar

from lessons.topics.logistic import LogisticSettings
from pages.scenes.modes import ModeStage
from pages.topics.logistic.chain import Chains
from pages.topics.logistic.lineups import LabelLineups
from pages.topics.logistic.points import Points
from pages.topics.logistic.steps import Gradient, Newton

RUNS = {"newton": Newton(), "gradient": Gradient(), "chain": Chains(), "points": Points()}


class LogisticStage(ModeStage[LogisticSettings]):
    """The stage of the topic "Logistic regression"."""

    modes: ClassVar = {**RUNS, "lineup": LabelLineups(RUNS)}
    about = ("evidence",)
    opens = LabelLineups.opens
