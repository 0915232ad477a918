"""The page of generative classification."""

from pages.shell.topic import show
from pages.stages.generative import GenerativeStage

show(GenerativeStage())
