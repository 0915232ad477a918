"""Generative classification: a story of labels and features, run forwards, and backwards by Bayes' rule."""

from typing import ClassVar

from lessons.stages.generative import GenerativeSettings
from pages.stages.generative.labels import Redraws
from pages.stages.generative.learning import Learns
from pages.stages.generative.story import Tells
from pages.stages.modes import ModeStage


class GenerativeStage(ModeStage[GenerativeSettings]):
    """The stage of the topic "Tell the story backwards"."""

    modes: ClassVar = {"story": Tells(), "examples": Learns(), "labels": Redraws()}
