"""A run of the CRP mixture: the concentration is kept of each sweep as well."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons.data.columns import AXES, Column
from lessons.settings.fields import SWEEPS
from pages.scenes.points.crp import Tables
from pages.scenes.points.matching import told_apart
from pages.scenes.points.run import PointsRun
from samplers import Chain
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.judge.written import right_of


class MixtureRun(PointsRun):
    """The sweeps of one chain.

    Parameters
    ----------
    chain : Chain
        At its start, or a branch.
    columns : sequence of Column, optional
        Of the data.
    renamed : bool, optional
        Whether its picture names tables anew if they would share a colour. Cards name those of the first chain, and a
        branch has its names.

    Attributes
    ----------
    mixture : CRPMixture
        The sampler.
    concentration : numpy.ndarray
        After each sweep, shape (SWEEPS + 1,).
    """

    def __init__(self, chain: Chain[Any], columns: Sequence[Column] = AXES, *, renamed: bool = False) -> None:
        self.renamed = renamed
        self.concentration = np.zeros(SWEEPS + 1)
        self.mixture: CRPMixture = right_of(chain.sampler)
        sampler: Any = chain.sampler
        super().__init__(chain, Tables(sampler, columns))

    def add(self, t: int, state: Any) -> None:
        super().add(t, state)
        self.concentration[t] = state.concentration

    def named(self, start: int, stop: int, names: str = "off") -> tuple[np.ndarray, np.ndarray]:
        labels, clusters = super().named(start, stop)
        if not self.renamed:
            return labels, clusters
        labels, clusters = labels.copy(), clusters.copy()
        for seats, tables in zip(labels, clusters[:, :, 0], strict=True):
            renamed, there = told_apart(np.unique(seats).tolist()), np.isfinite(tables)
            new = np.arange(seats.max() + 1)
            new[list(renamed)] = list(renamed.values())
            seats[:], tables[there] = new[seats], new[tables[there].astype(int)]
        return labels, clusters

    def rebuilt(self, t: int) -> MixtureState:
        """Return the state after sweep t, from its labels: sweeps of long ago need not be replayed."""
        state = self.mixture.state(self.labels[t])
        state.concentration = float(self.concentration[t])
        return state
