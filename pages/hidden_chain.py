"""The page of the topic hidden_chain."""

from pages.lesson.topic import show

show("hidden_chain")
