"""The page of spam without labels."""

from pages.shell.topic import show
from pages.stages.gibbs_text import GibbsTextStage

show(GibbsTextStage())
