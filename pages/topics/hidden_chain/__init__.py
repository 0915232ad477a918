"""A hidden chain: the states of a series, drawn one at a time or all as a block, beside their exact probabilities."""

from typing import ClassVar

from lessons.topics.hidden_chain import HiddenChainSettings
from pages.scenes.modes import ModeStage
from pages.topics.hidden_chain.lineups import SeriesLineups
from pages.topics.hidden_chain.states import States
from pages.topics.hidden_chain.sticky import Learned

RUNS = {"fixed": States(), "learned": Learned()}


class HiddenChainStage(ModeStage[HiddenChainSettings]):
    """The stage of the topic "A hidden chain"."""

    modes: ClassVar = {**RUNS, "lineup": SeriesLineups(RUNS)}
    whole = States.whole
    about = ("truth",)
    opens = (*States.opens, *SeriesLineups.opens)
