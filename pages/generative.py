"""The page of generative classification."""

from pages.lesson.topic import show

show("generative")
