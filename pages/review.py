"""The page of questions that come back."""

from pages.shell.review import show

show()
