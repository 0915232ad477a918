"""The page of the topic jumps."""

from pages.shell.topic import show

show("jumps")
