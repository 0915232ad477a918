"""The page on which instructors write lessons."""

from pages.editor.page import show

show()
