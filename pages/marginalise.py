"""The page of labels that are summed out."""

from pages.shell.topic import show

show("marginalise")
