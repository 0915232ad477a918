"""The page of spam without labels."""

from pages.shell.topic import show
from pages.stages import stage_of

show(stage_of("gibbs_text"))
