"""The page of the learner's work."""

from pages.lesson.mine import show

show()
