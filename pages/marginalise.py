"""The page of labels that are summed out."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("marginalise"))
