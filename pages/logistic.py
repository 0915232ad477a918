"""The page of Bayesian logistic regression."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("logistic"))
