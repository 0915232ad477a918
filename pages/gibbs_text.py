"""The page of spam without labels."""

from pages.lesson.topic import show

show("gibbs_text")
