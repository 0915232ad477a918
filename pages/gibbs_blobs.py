"""The page of Gibbs on Gaussian blobs."""

from pages.shell.topic import show
from pages.stages.gibbs_blobs import GibbsBlobsStage

show(GibbsBlobsStage())
