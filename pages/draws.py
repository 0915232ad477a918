"""The page of draws from a posterior."""

from pages.lesson.topic import show

show("draws")
