"""The page of the museum of errors."""

from pages.shell.museum import show

show()
