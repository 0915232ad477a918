"""The page of the topic gibbs_topics."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("gibbs_topics"))
