"""The page of the CRP mixture."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("crp_mixture"))
