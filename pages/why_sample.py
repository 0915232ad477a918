"""The page of why one samples."""

from pages.shell.topic import show
from pages.stages.why_sample import WhySampleStage

show(WhySampleStage())
