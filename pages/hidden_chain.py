"""The page of the topic hidden_chain."""

from pages.shell.topic import show

show("hidden_chain")
