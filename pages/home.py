"""The course map."""

from pages.parts.course import show

show()
