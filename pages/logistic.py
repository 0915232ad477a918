"""The page of Bayesian logistic regression."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("logistic"))
