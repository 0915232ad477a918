"""The page of one coin."""

from pages.shell.topic import show

show("coin")
