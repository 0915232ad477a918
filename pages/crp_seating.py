"""The page of the Chinese restaurant."""

from pages.shell.topic import show

show("crp_seating")
