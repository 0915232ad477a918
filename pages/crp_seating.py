"""The page of the Chinese restaurant."""

from pages.lesson.topic import show

show("crp_seating")
