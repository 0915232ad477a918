"""The page of Bayesian logistic regression."""

from pages.shell.topic import show

show("logistic")
