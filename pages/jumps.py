"""The page of the topic jumps."""

from pages.lesson.topic import show

show("jumps")
