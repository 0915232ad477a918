"""The page of Gibbs on Gaussian blobs."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("gibbs_blobs"))
