"""The page of one coin."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("coin"))
