"""The page of the topic climb_mixture."""

from pages.lesson.topic import show

show("climb_mixture")
