"""The page of the museum of errors."""

from pages.lesson.museum import show

show()
