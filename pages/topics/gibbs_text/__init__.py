"""Spam without labels: Gibbs for the classes of messages, opened up update by update, and what the draws add up to."""

from typing import ClassVar

from lessons.topics.gibbs_text import GibbsTextSettings
from pages.scenes.modes import ModeStage
from pages.topics.gibbs_text.documents import Documents, Statistics
from pages.topics.gibbs_text.opened import OpenedSweep
from pages.topics.gibbs_text.three_times import Compared


class GibbsTextStage(ModeStage[GibbsTextSettings]):
    """The stage of the topic "Spam without labels"."""

    modes: ClassVar = {
        "documents": Documents(),
        "statistics": Statistics(),
        "three_times": Compared(),
        "opened": OpenedSweep(),
    }
    whole = Documents.whole
    about = ("counts", "new", "surprises", "truth")
    opens = Documents.opens
