"""The page of samplers that walk over a density on a plane."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("walk_the_hill"))
