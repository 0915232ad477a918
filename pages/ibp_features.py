"""The page of binary features."""

from pages.contract.stage import stage_of
from pages.shell.topic import show

show(stage_of("ibp_features"))
