"""The page of spam without labels."""

from pages.parts.topic import show
from pages.stages.gibbs_text import GibbsTextStage

show(GibbsTextStage())
