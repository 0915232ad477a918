"""The page of samplers that walk over a density on a plane."""

from pages.shell.topic import show
from pages.stages.walk_the_hill import WalkTheHillStage

show(WalkTheHillStage())
