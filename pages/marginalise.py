"""The page of labels that are summed out."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("marginalise"))
