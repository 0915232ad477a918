"""The page on which instructors write lessons."""

from pages.desk.page import show

show()
