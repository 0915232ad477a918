"""Why one samples: all clusterings of a few points, listed with their exact posterior, and visited by a sampler."""

from typing import ClassVar

from lessons.topics.why_sample import WhySampleSettings
from pages.scenes.modes import ModeStage
from pages.topics.why_sample.one import One
from pages.topics.why_sample.past import Past
from pages.topics.why_sample.people import People
from pages.topics.why_sample.starts import Starts


class WhySampleStage(ModeStage[WhySampleSettings]):
    """The stage of the topic "Why sample?"."""

    opens = ("clustering",)
    modes: ClassVar = {"one": One(), "every": Starts(), "two": Starts(), "past": Past(), "class": People()}
