"""The page of one coin."""

from pages.shell.topic import show
from pages.stages.coin import CoinStage

show(CoinStage())
