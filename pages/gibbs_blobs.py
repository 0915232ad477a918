"""The page of Gibbs on Gaussian blobs."""

from pages.lesson.topic import show

show("gibbs_blobs")
