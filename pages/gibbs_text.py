"""The page of spam without labels."""

from pages.shell.topic import show

show("gibbs_text")
