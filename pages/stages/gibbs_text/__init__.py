"""Spam without labels: Gibbs for the classes of messages, opened up update by update, and what the draws add up to."""

from typing import ClassVar

from lessons.stages.gibbs_text import GibbsTextSettings
from pages.stages.gibbs_text.documents import Documents, Statistics
from pages.stages.gibbs_text.three_times import Compared
from pages.stages.modes import ModeStage


class GibbsTextStage(ModeStage[GibbsTextSettings]):
    """The stage of the topic "Spam without labels"."""

    modes: ClassVar = {"documents": Documents(), "statistics": Statistics(), "three_times": Compared()}
    whole = Documents.whole
    about = ("counts", "new", "surprises", "truth")
    opens = Documents.opens
