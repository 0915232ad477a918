"""The page of generative classification."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("generative"))
