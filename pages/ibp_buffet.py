"""The page of the Indian buffet."""

from pages.shell.topic import show
from pages.stages.ibp_buffet import IBPBuffetStage

show(IBPBuffetStage())
