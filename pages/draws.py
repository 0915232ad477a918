"""The page of draws from a posterior."""

from pages.shell.topic import show

show("draws")
