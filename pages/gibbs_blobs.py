"""The page of Gibbs on Gaussian blobs."""

from pages.shell.topic import show

show("gibbs_blobs")
