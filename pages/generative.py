"""The page of generative classification."""

from pages.shell.topic import show

show("generative")
