"""Bayesian logistic regression: the mode, Laplace's Normal around it, and predictions averaged over the weights."""

from typing import ClassVar

from lessons.stages.logistic import LogisticSettings
from pages.stages.logistic.chain import Chains
from pages.stages.logistic.points import Points
from pages.stages.logistic.steps import Gradient, Newton
from pages.stages.modes import ModeStage


class LogisticStage(ModeStage[LogisticSettings]):
    """The stage of the topic "Logistic regression"."""

    modes: ClassVar = {"newton": Newton(), "gradient": Gradient(), "chain": Chains(), "points": Points()}
    about = ("evidence",)
