"""The page of the learner's work."""

from pages.shell.mine import show

show()
