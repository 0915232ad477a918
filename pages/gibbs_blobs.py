"""The page of Gibbs on Gaussian blobs."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("gibbs_blobs"))
