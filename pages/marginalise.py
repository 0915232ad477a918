"""The page of labels that are summed out."""

from pages.lesson.topic import show

show("marginalise")
