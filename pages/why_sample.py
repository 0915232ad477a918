"""The page of why one samples."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("why_sample"))
