"""The page on how the app teaches."""

from pages.lesson.teaching import show

show()
