"""The page file: the page on which instructors write lessons."""

from pages.studio.page import show

show()
