"""The page of the Indian buffet."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("ibp_buffet"))
