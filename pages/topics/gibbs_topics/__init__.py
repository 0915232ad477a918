"""Topics in messages: Gibbs for the topic of every word, opened up update by update."""

from typing import ClassVar

from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.scenes.modes import ModeStage
from pages.topics.gibbs_topics.allocation import Allocation
from pages.topics.gibbs_topics.franchise import Franchise


class GibbsTopicsStage(ModeStage[GibbsTopicsSettings]):
    """The stage of the topic "Topics in messages"."""

    modes: ClassVar = {"fixed": Allocation(), "learned": Franchise()}
    whole = Allocation.whole
    opens = Allocation.opens
