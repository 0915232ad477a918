"""A run of the linear-Gaussian model of features: what is kept of each sweep, and one sweep update by update."""

from typing import Any, Protocol

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.player.run import Run
from pages.scenes.close_up import CloseUp
from samplers import Chain
from samplers.buffet.exact import left_order
from samplers.buffet.exact_features import ExactFeatures, class_of
from samplers.buffet.linear_gaussian import FeatureState
from samplers.buffet.loadings import Parts
from samplers.buffet.spike_slab import SlabState

SHOWN = 8  # features that have a tile and a column of the matrix: those with the first names
DRAWN = 2 * SHOWN  # rows that have tiles: the first
GONE = 255  # the column of a feature that is not there
PARTS = ("bits", "counts", "by_name", "by_left", "amounts", "contents", "sums")  # of a picture
State = FeatureState | SlabState


class Sampler(Protocol):
    """A sampler whose states are rows as sums of parts."""

    data: np.ndarray

    def parts(self, state: Any) -> Parts:
        """Return the rows of a state as sums."""
        ...


def picture_of(parts: Parts) -> dict[str, np.ndarray]:
    """Return a state as the charts show it.

    Returns
    -------
    bits : numpy.ndarray
        Which row has which of the features that are shown, shape (N, SHOWN).
    counts : numpy.ndarray
        How many rows have each, shape (SHOWN,); 0 of a feature that is not there.
    by_name, by_left : numpy.ndarray
        The column of each in both orders, shape (SHOWN,), `GONE` where it is not there.
    amounts : numpy.ndarray
        How much of each a row has, shape (N, SHOWN): a bit, or a loading.
    contents : numpy.ndarray
        What an amount of 1 adds, shape (SHOWN, D), NaN where it is not there.
    sums : numpy.ndarray
        The first rows put together from all features, those without a tile as well, shape (at most DRAWN, D).
    """
    rows, columns = len(parts.amounts), parts.contents.shape[1]
    matrix = (parts.amounts != 0).astype(np.int8)
    bits, counts = np.zeros((rows, SHOWN), np.uint8), np.zeros(SHOWN, np.uint8)
    by_name, by_left = np.full(SHOWN, GONE, np.uint8), np.full(SHOWN, GONE, np.uint8)
    amounts = np.zeros((rows, SHOWN), np.float32)
    contents = np.full((SHOWN, columns), np.nan, np.float32)
    names = np.array(parts.names, int)
    shown = np.flatnonzero(names < SHOWN)
    bits[:, names[shown]], counts[names[shown]] = matrix[:, shown], matrix[:, shown].sum(axis=0)
    amounts[:, names[shown]], contents[names[shown]] = parts.amounts[:, shown], parts.contents[shown]
    for order, places in ((np.argsort(names), by_name), (left_order(matrix), by_left)):
        there = names[order][np.isin(order, shown)]
        places[there] = np.arange(len(there))
    sums = parts.amounts[:DRAWN] @ parts.contents
    return dict(zip(PARTS, (bits, counts, by_name, by_left, amounts, contents, sums), strict=True))


class FeaturesRun(Run[State]):
    """The sweeps of one chain.

    Parameters
    ----------
    chain : Chain
        At its start.
    exact : ExactFeatures or None
        The truth, where it can be listed.

    Attributes
    ----------
    bits, counts, by_name, by_left, amounts, contents, sums : numpy.ndarray
        Those of `picture_of`, after each sweep.
    features, noise : numpy.ndarray
        Number of features and σ_x after each sweep, shape (SWEEPS + 1,).
    classes : numpy.ndarray
        The place of the matrix's class among those that are listed, shape (SWEEPS + 1,); -1 if nothing is.
    """

    def __init__(self, chain: Chain[Any], exact: ExactFeatures | None) -> None:
        self.sampler: Sampler = chain.sampler  # type: ignore[assignment]
        rows, columns = self.sampler.data.shape
        self.bits = np.empty((SWEEPS + 1, rows, SHOWN), np.uint8)
        self.counts, self.by_name, self.by_left = (np.empty((SWEEPS + 1, SHOWN), np.uint8) for _ in range(3))
        self.amounts = np.empty((SWEEPS + 1, rows, SHOWN), np.float32)
        self.contents = np.empty((SWEEPS + 1, SHOWN, columns), np.float32)
        self.sums = np.empty((SWEEPS + 1, min(rows, DRAWN), columns), np.float32)
        self.features = np.empty(SWEEPS + 1, np.int16)
        self.noise = np.empty(SWEEPS + 1, np.float32)
        self.classes = np.full(SWEEPS + 1, -1, np.int32)
        self._listed = {columns: place for place, columns in enumerate(exact.classes)} if exact else {}
        super().__init__(chain)

    def add(self, t: int, state: State) -> None:
        parts = self.sampler.parts(state)
        for name, part in picture_of(parts).items():
            getattr(self, name)[t] = part
        self.features[t], self.noise[t] = len(parts.names), parts.noise
        if self._listed:
            self.classes[t] = self._listed.get(class_of(state.matrix), -1)

    def close_up(self, sweep: int) -> "FeaturesCloseUp":
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return FeaturesCloseUp(self.chain, sweep, self.state(sweep - 1))


class FeaturesCloseUp(CloseUp[State]):
    """One sweep, whose updates depend on what is drawn: a feature that goes is not visited again."""

    def visited(self) -> list[Any]:
        return [update.site for update in self.updates(self.before.copy())]
