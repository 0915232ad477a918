"""A plane to walk on: HMC, NUTS, Metropolis and parallel tempering on a density, path by path; or one's own chains."""

from typing import ClassVar

from lessons.topics.walk_the_hill import WalkTheHillSettings
from lessons.topics.walk_the_hill.walks import ALL_THREE
from pages.scenes.modes import ModeStage
from pages.topics.walk_the_hill.brought.stage import Brought
from pages.topics.walk_the_hill.gist import Gists
from pages.topics.walk_the_hill.races import Races
from pages.topics.walk_the_hill.throws import Throws
from pages.topics.walk_the_hill.walks import Ladders, Walks


class WalkTheHillStage(ModeStage[WalkTheHillSettings]):
    """The stage of the topic "Walk the hill"."""

    modes: ClassVar = {
        **dict.fromkeys(ALL_THREE, Walks()),
        "tempering": Ladders(),
        "GIST": Gists(),
        "three samplers": Races(),
        "hand": Throws(),
        "own": Brought(),
    }
    whole = Walks.whole
