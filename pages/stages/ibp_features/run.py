"""A run of the linear-Gaussian model of features: what is kept of each sweep, and one sweep update by update."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from lessons.stages.fields import SWEEPS
from lessons.stages.ibp_features import IBPFeaturesSettings
from pages.contract.film import Film
from pages.player.run import Run
from pages.stages.close_up import CloseUp
from pages.stages.scene import RunScene
from samplers import Chain
from samplers.buffet.exact import left_order
from samplers.buffet.exact_features import ExactFeatures, class_of
from samplers.buffet.linear_gaussian import FeatureState, LinearGaussian

SHOWN = 8  # features that have a tile and a column of the matrix: those with the first names
GONE = 255  # the column of a feature that is not there


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows of numbers, and how they are drawn.

    Attributes
    ----------
    data : numpy.ndarray
        Shape (N, D).
    tile : (int, int)
        Rows and columns in which the D numbers of a row are drawn.
    names : tuple of str
        Of the rows.
    one, many : str
        What a row is called.
    columns : tuple of str
        Names of the D numbers; none of pixels.
    """

    data: np.ndarray
    tile: tuple[int, int]
    names: tuple[str, ...]
    one: str
    many: str
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Picture:
    """A state as the charts show it.

    Attributes
    ----------
    bits : numpy.ndarray
        Which row has which of the features that are shown, shape (N, SHOWN).
    counts : numpy.ndarray
        How many rows have each, shape (SHOWN,); 0 of a feature that is not there.
    by_name, by_left : numpy.ndarray
        The column of each in both orders, shape (SHOWN,), `GONE` where it is not there.
    loadings : numpy.ndarray
        What each is expected to add, shape (SHOWN, D), NaN where it is not there.
    """

    bits: np.ndarray
    counts: np.ndarray
    by_name: np.ndarray
    by_left: np.ndarray
    loadings: np.ndarray


def picture_of(sampler: LinearGaussian, state: FeatureState) -> Picture:
    """Return a state as the charts show it."""
    rows, columns = sampler.data.shape
    bits, counts = np.zeros((rows, SHOWN), np.uint8), np.zeros(SHOWN, np.uint8)
    by_name, by_left = np.full(SHOWN, GONE, np.uint8), np.full(SHOWN, GONE, np.uint8)
    loadings = np.full((SHOWN, columns), np.nan, np.float32)
    names, found = np.array(state.features, int), sampler.loadings(state)
    shown = np.flatnonzero(names < SHOWN)
    bits[:, names[shown]], counts[names[shown]] = state.matrix[:, shown], state.counts[shown]
    loadings[names[shown]] = found[shown]
    for order, places in ((np.argsort(names), by_name), (left_order(state.matrix), by_left)):
        there = names[order][np.isin(order, shown)]
        places[there] = np.arange(len(there))
    return Picture(bits, counts, by_name, by_left, loadings)


class FeaturesRun(Run[FeatureState]):
    """The sweeps of one chain.

    Parameters
    ----------
    chain : Chain
        At its start.
    exact : ExactFeatures or None
        The truth, where it can be listed.

    Attributes
    ----------
    bits, counts, by_name, by_left, loadings : numpy.ndarray
        Those of `Picture`, after each sweep.
    features, noise : numpy.ndarray
        Number of features and σ_x after each sweep, shape (SWEEPS + 1,).
    classes : numpy.ndarray
        The place of the matrix's class among those that are listed, shape (SWEEPS + 1,); -1 if nothing is.
    """

    def __init__(self, chain: Chain[Any], exact: ExactFeatures | None) -> None:
        self.sampler: LinearGaussian = chain.sampler  # type: ignore[assignment]
        rows, columns = self.sampler.data.shape
        self.bits = np.empty((SWEEPS + 1, rows, SHOWN), np.uint8)
        self.counts, self.by_name, self.by_left = (np.empty((SWEEPS + 1, SHOWN), np.uint8) for _ in range(3))
        self.loadings = np.empty((SWEEPS + 1, SHOWN, columns), np.float32)
        self.features = np.empty(SWEEPS + 1, np.int16)
        self.noise = np.empty(SWEEPS + 1, np.float32)
        self.classes = np.full(SWEEPS + 1, -1, np.int32)
        self._listed = {columns: place for place, columns in enumerate(exact.classes)} if exact else {}
        super().__init__(chain)

    def add(self, t: int, state: FeatureState) -> None:
        """Keep what the charts need of sweep t."""
        for name, part in vars(picture_of(self.sampler, state)).items():
            getattr(self, name)[t] = part
        self.features[t], self.noise[t] = len(state.features), state.noise
        if self._listed:
            self.classes[t] = self._listed.get(class_of(state.matrix), -1)

    def close_up(self, sweep: int) -> FeaturesCloseUp:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return FeaturesCloseUp(self.chain, sweep, self.state(sweep - 1))


class FeaturesCloseUp(CloseUp[FeatureState]):
    """One sweep, whose updates depend on what is drawn: a feature that goes is not visited again."""

    def visited(self) -> list[Any]:
        """Return the visits of the sweep."""
        return [update.site for update in self.updates(self.before.copy())]


@dataclass(frozen=True)
class Scene(RunScene[IBPFeaturesSettings, FeaturesRun]):
    """The parts of a film.

    Attributes
    ----------
    rows : Rows
        The data.
    exact : ExactFeatures or None
        The truth, where it can be listed.
    films : dict of str to Film
        Of the whole run, once it has been made.
    """

    rows: Rows
    exact: ExactFeatures | None
    films: dict[str, Film] = field(default_factory=dict, repr=False, compare=False)

    @property
    def row(self) -> int:
        """The row that the cards describe, from 0."""
        return min(self.settings.row, len(self.rows.data)) - 1

    @cached_property
    def reach(self) -> float:
        """The number that has the full colour."""
        return float(np.quantile(np.abs(self.rows.data), 0.98)) or 1.0
