"""Moves that jump: split–merge or a ladder beside Gibbs alone, moves opened beat by beat, compared with the truth."""

from typing import ClassVar

from lessons.topics.jumps import JumpsSettings
from pages.scenes.modes import ModeStage
from pages.topics.jumps.alone import Alone
from pages.topics.jumps.moves import Ladders, Moves


class JumpsStage(ModeStage[JumpsSettings]):
    """The stage of the topic "Moves that jump"."""

    modes: ClassVar = {"split-merge": Moves(), "tempering": Ladders()} | dict.fromkeys(
        ("gibbs", "means", "auxiliary"), Alone()
    )
    whole = Alone.whole
    about = ("cost", "truth")
    opens = Alone.opens
