"""The page of draws from a posterior."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("draws"))
