"""Draws from a posterior: what a draw is, how the mean of draws settles, and a chain of draws."""

from typing import ClassVar

from lessons.topics.draws import DrawsSettings
from pages.scenes.modes import ModeStage
from pages.topics.draws.chain import Chains
from pages.topics.draws.independent import Draws


class DrawsStage(ModeStage[DrawsSettings]):
    """The stage of the topic "Draws"."""

    modes: ClassVar = {"draws": Draws(), "chain": Chains()}
