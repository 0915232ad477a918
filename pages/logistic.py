"""The page of Bayesian logistic regression."""

from pages.shell.topic import show
from pages.stages.logistic import LogisticStage

show(LogisticStage())
