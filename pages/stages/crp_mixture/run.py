"""A run of the mixture's chain: what is kept of each sweep, and one sweep seen update by update."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons.reader.stages.crp_mixture import SWEEPS
from pages.parts.run import Run
from samplers import Chain, Conditional, Update
from samplers.crp_mixture import CRPMixture, MixtureState
from samplers.families import Normal

SHOWN = 16  # clusters that get an ellipse or a curve: the largest
PARAMETERS = 7  # of a cluster: id, share of the points, mean (2), and three numbers of its spread


class MixtureRun(Run[MixtureState]):
    """The sweeps of one chain. Its arrays take less than 4 MB for 500 points.

    Parameters
    ----------
    chain : Chain
        At its start, or a branch.

    Attributes
    ----------
    labels : numpy.ndarray
        Table id of each point after each sweep, shape (SWEEPS + 1, N).
    tables, log_joint, concentration : numpy.ndarray
        After each sweep, shape (SWEEPS + 1,).
    clusters : numpy.ndarray
        Parameters of the largest clusters, shape (SWEEPS + 1, SHOWN, PARAMETERS), filled up with NaN.
    """

    def __init__(self, chain: Chain[MixtureState]) -> None:
        self.sampler: CRPMixture = chain.sampler
        points = len(self.sampler.data)
        self.labels = np.zeros((SWEEPS + 1, points), np.int16)
        self.tables = np.zeros(SWEEPS + 1, np.int16)
        self.log_joint = np.zeros(SWEEPS + 1, np.float32)
        self.concentration = np.zeros(SWEEPS + 1, np.float32)
        self.clusters = np.full((SWEEPS + 1, SHOWN, PARAMETERS), np.nan, np.float32)
        super().__init__(chain)

    def add(self, t: int, state: MixtureState) -> None:
        """Keep what the charts need of sweep t."""
        self.labels[t] = state.labels
        self.tables[t] = len(state.clusters)
        self.log_joint[t] = self.sampler.log_joint(state)
        self.concentration[t] = state.concentration
        self.clusters[t] = parameters(state)

    def close_up(self, sweep: int) -> CloseUp:
        """Return one sweep, from 1, update by update."""
        with self._lock:
            return CloseUp(self.chain, sweep)


def parameters(state: MixtureState) -> np.ndarray:
    """Return the parameters of the largest clusters, shape (SHOWN, PARAMETERS), filled up with NaN.

    They are the table's id, its share of the points, its mean, and three numbers of its covariance L Lᵀ: those of L,
    which is lower triangular, by rows. In one dimension the second coordinate and what belongs to it are 0.
    """
    rows = np.full((SHOWN, PARAMETERS), np.nan, np.float32)
    points = max(1, sum(state.counts))
    largest = sorted(state.clusters.items(), key=lambda item: -item[1].count)[:SHOWN]
    for row, (table, cluster) in enumerate(largest):
        law = cluster.posterior().typical()
        assert isinstance(law, Normal)
        rows[row] = (table, cluster.count / points, *_mean_and_factor(law))
    return rows


def _mean_and_factor(law: Normal) -> tuple[float, float, float, float, float]:
    a = float(law.covariance[0, 0]) ** 0.5
    if law.mean.size == 1:
        return float(law.mean[0]), 0.0, a, 0.0, 0.0
    b = float(law.covariance[1, 0]) / a
    c = max(float(law.covariance[1, 1]) - b * b, 0.0) ** 0.5
    return float(law.mean[0]), float(law.mean[1]), a, b, c


@dataclass(frozen=True)
class Beat:
    """The four beats of one update.

    Attributes
    ----------
    update : Update
        The site, its law and the option that was drawn.
    before, lifted, after : MixtureState
        The state before the site was forgotten, without it, and with its new value.
    """

    update: Update
    before: MixtureState
    lifted: MixtureState
    after: MixtureState

    @property
    def is_point(self) -> bool:
        """Whether it is a point that moved, and not the concentration."""
        return isinstance(self.update.conditional, Conditional)

    @property
    def options(self) -> list[int]:
        """Table ids of the options, without the new table, which is the last."""
        return self.lifted.tables


class CloseUp:
    """One sweep, update by update: the same updates that the chain made, replayed.

    Parameters
    ----------
    chain : Chain
        Whose sweep it is.
    sweep : int
        Which, from 1.
    """

    def __init__(self, chain: Chain[MixtureState], sweep: int) -> None:
        self.sweep = sweep
        before = chain[sweep - 1]
        self.beats: list[Beat] = []
        for update, state in chain.replay(sweep):
            lifted, after = before.copy(), state.copy()
            chain.sampler.forget(lifted, update.site)
            self.beats.append(Beat(update, before, lifted, after))
            before = after
