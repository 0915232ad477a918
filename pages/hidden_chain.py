"""The page of the topic hidden_chain."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("hidden_chain"))
