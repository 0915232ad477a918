"""The page of the CRP mixture."""

from pages.lesson.topic import show

show("crp_mixture")
