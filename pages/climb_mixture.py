"""The page of the topic climb_mixture."""

from pages.shell.topic import show

show("climb_mixture")
