"""Generative classification: a story of labels and features, run forwards, and backwards by Bayes' rule."""

from typing import ClassVar

from lessons.topics.generative import GenerativeSettings
from pages.scenes.modes import ModeStage
from pages.topics.generative.asking import Asks
from pages.topics.generative.labels import Redraws
from pages.topics.generative.learning import Learns
from pages.topics.generative.lineups import ExampleLineups
from pages.topics.generative.story import Tells

RUNS = {"story": Tells(), "examples": Learns(), "labels": Redraws(), "ask": Asks()}


class GenerativeStage(ModeStage[GenerativeSettings]):
    """The stage of the topic "Tell the story backwards"."""

    opens = ("point", *ExampleLineups.opens)
    modes: ClassVar = {**RUNS, "lineup": ExampleLineups(RUNS)}
