"""The page of Bayesian logistic regression."""

from pages.lesson.topic import show

show("logistic")
