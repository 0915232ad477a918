"""Topics in messages: Gibbs for the topic of every word, opened up update by update."""

from typing import ClassVar

from lessons.stages.gibbs_topics import GibbsTopicsSettings
from pages.stages.gibbs_topics.allocation import Allocation
from pages.stages.gibbs_topics.franchise import Franchise
from pages.stages.modes import ModeStage


class GibbsTopicsStage(ModeStage[GibbsTopicsSettings]):
    """The stage of the topic "Topics in messages"."""

    modes: ClassVar = {"fixed": Allocation(), "learned": Franchise()}
    whole = Allocation.whole
    opens = Allocation.opens
