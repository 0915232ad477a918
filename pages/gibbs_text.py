"""The page of spam without labels."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("gibbs_text"))
