"""The page of the topic jumps."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("jumps"))
