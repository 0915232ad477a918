"""The page of why one samples."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("why_sample"))
