"""The page of samplers that walk over a density on a plane."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("walk_the_hill"))
