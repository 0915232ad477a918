"""The page of questions that come back."""

from pages.lesson.review import show

show()
