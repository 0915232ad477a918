"""The page of labels that are summed out."""

from pages.parts.topic import show
from pages.stages.marginalise import MarginaliseStage

show(MarginaliseStage())
