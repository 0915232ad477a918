"""The page of binary features."""

from pages.shell.topic import show
from pages.stages.ibp_features import IBPFeaturesStage

show(IBPFeaturesStage())
