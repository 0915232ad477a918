"""The page of binary features."""

from pages.shell.topic import show

show("ibp_features")
