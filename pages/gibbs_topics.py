"""The page of the topic gibbs_topics."""

from pages.lesson.topic import show

show("gibbs_topics")
