"""The page of the topic climb_mixture."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("climb_mixture"))
