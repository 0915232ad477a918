"""The page of the topic gibbs_topics."""

from pages.shell.topic import show

show("gibbs_topics")
