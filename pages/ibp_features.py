"""The page of binary features."""

from pages.lesson.topic import show

show("ibp_features")
