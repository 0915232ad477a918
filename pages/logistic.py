"""The page of Bayesian logistic regression."""

from pages.parts.topic import show
from pages.stages.logistic import LogisticStage

show(LogisticStage())
