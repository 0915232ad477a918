"""The page on which instructors write lessons."""

from pages.studio.page import show

show()
