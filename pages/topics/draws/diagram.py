"""The model as a picture: that of one coin, whose θ is drawn."""

from dataclasses import replace

from lessons.topics.coin import CoinSettings
from lessons.topics.draws import DrawsSettings
from pages.drawing.plates import Diagram
from pages.topics import coin


def diagram(act: str, settings: DrawsSettings, t: int) -> Diagram:
    """Draw a probability, which a step's act is about, and tosses that depend on it."""
    return replace(coin.diagram(CoinSettings(), t), act=act)
