"""The course map."""

from pages.shell.course import show

show()
