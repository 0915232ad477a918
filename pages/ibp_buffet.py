"""The page of the Indian buffet."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("ibp_buffet"))
