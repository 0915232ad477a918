"""The page of the CRP mixture."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("crp_mixture"))
