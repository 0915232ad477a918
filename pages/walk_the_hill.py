"""The page of samplers that walk over a density on a plane."""

from pages.lesson.topic import show

show("walk_the_hill")
