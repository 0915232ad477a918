"""The page of labels that are summed out."""

from pages.shell.topic import show
from pages.stages.marginalise import MarginaliseStage

show(MarginaliseStage())
