"""The page of the CRP mixture."""

from pages.shell.topic import show

show("crp_mixture")
