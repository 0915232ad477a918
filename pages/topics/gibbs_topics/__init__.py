"""Topics in messages: Gibbs for the topic of every word, opened up update by update."""

from typing import ClassVar

from lessons.topics.gibbs_topics import GibbsTopicsSettings
from pages.scenes.modes import ModeStage
from pages.topics.gibbs_topics.allocation import Allocation
from pages.topics.gibbs_topics.franchise import Franchise
from pages.topics.gibbs_topics.lineups import ImageLineups

RUNS = {"fixed": Allocation(), "learned": Franchise()}


class GibbsTopicsStage(ModeStage[GibbsTopicsSettings]):
    """The stage of the topic "Topics in messages"."""

    modes: ClassVar = {**RUNS, "lineup": ImageLineups(RUNS)}
    whole = Allocation.whole
    opens = (*Allocation.opens, *ImageLineups.opens)
