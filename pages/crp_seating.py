"""The page of the Chinese restaurant."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("crp_seating"))
