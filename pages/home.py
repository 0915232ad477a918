"""The course map."""

from pages.lesson.course import show

show()
