"""A run of the CRP mixture: the concentration is kept of each sweep as well."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons.data.columns import AXES, Column
from lessons.settings.fields import SWEEPS
from pages.scenes.points.crp import Tables
from pages.scenes.points.run import PointsRun
from samplers import Chain
from samplers.crp.mixture import CRPMixture, MixtureState
from samplers.judge.written import right_of


class MixtureRun(PointsRun):
    """The sweeps of one chain.

    Attributes
    ----------
    mixture : CRPMixture
        The sampler.
    concentration : numpy.ndarray
        After each sweep, shape (SWEEPS + 1,).
    """

    def __init__(self, chain: Chain[Any], columns: Sequence[Column] = AXES) -> None:
        self.concentration = np.zeros(SWEEPS + 1)
        self.mixture: CRPMixture = right_of(chain.sampler)
        sampler: Any = chain.sampler
        super().__init__(chain, Tables(sampler, columns))

    def add(self, t: int, state: Any) -> None:
        super().add(t, state)
        self.concentration[t] = state.concentration

    def rebuilt(self, t: int) -> MixtureState:
        """Return the state after sweep t, from its labels: sweeps of long ago need not be replayed."""
        state = self.mixture.state(self.labels[t])
        state.concentration = float(self.concentration[t])
        return state
