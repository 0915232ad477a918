"""Moves that jump: split–merge or a ladder beside Gibbs alone, moves opened beat by beat, compared with the truth."""

from typing import ClassVar

from lessons.stages.jumps import JumpsSettings
from pages.stages.jumps.alone import Alone
from pages.stages.jumps.moves import Ladders, Moves
from pages.stages.modes import ModeStage


class JumpsStage(ModeStage[JumpsSettings]):
    """The stage of the topic "Moves that jump"."""

    modes: ClassVar = {"split-merge": Moves(), "tempering": Ladders()} | dict.fromkeys(
        ("gibbs", "means", "auxiliary"), Alone()
    )
    whole = Alone.whole
    about = ("cost", "truth")
    opens = Alone.opens
