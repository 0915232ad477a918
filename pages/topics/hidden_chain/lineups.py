"""The mode in which the series is one of twenty tiles, and the others are replicates, each from a draw of the chain."""

import numpy as np

from lessons.topics.hidden_chain import HiddenChainSettings
from pages.code.watch import Way, names
from pages.scenes.lineups import Lineups, Marks, PlainRound, shares
from samplers.hmm.model import HiddenMarkov

SMALL = 0.055  # radius of a value, in units of the wall


def steps_between(series: np.ndarray) -> float:
    """Return the mean distance from a value of a series, shape (T,), to the next: small if states last."""
    return float(np.abs(np.diff(series)).mean())


class SeriesLineups(Lineups[HiddenChainSettings]):
    """Lineups of series of the same length."""

    number = "The mean distance from one value to the next", steps_between
    way = Way((HiddenMarkov.replicate,), names("label rows", "labels", "dart", "drawn return"))
    inside = "a series, from left to right,"
    rim = "Values beyond a tile are at its rim."

    def marks(self, made: PlainRound[HiddenChainSettings]) -> Marks:
        y = shares(made.tiles())
        x = np.broadcast_to((np.arange(y.shape[1]) + 0.5) / y.shape[1], y.shape)
        return Marks(x, y, np.zeros(y.shape), np.full(y.shape, SMALL))
