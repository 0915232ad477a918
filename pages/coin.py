"""The page of one coin."""

from pages.lesson.topic import show

show("coin")
