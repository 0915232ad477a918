"""A run of a chain that gives points their labels: what is kept of each sweep, and one sweep seen update by update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from lessons.reader.stages.fields import SWEEPS
from pages.parts.run import Run
from pages.stages.points.model import PARAMETERS, SHOWN, Model
from samplers import Chain, Update


class PointsRun(Run[Any]):
    """The sweeps of one chain. Its arrays take less than 4 MB for 500 points.

    Parameters
    ----------
    chain : Chain
        At its start, or a branch.
    model : Model
        Of the chain's sampler.

    Attributes
    ----------
    labels : numpy.ndarray
        Label of each point after each sweep, shape (SWEEPS + 1, N).
    tables, log_joint : numpy.ndarray
        How many components have points, and the log joint, after each sweep, shape (SWEEPS + 1,).
    clusters : numpy.ndarray
        Parameters of the largest components, shape (SWEEPS + 1, SHOWN, PARAMETERS), filled up with NaN.
    """

    def __init__(self, chain: Chain[Any], model: Model) -> None:
        self.sampler = chain.sampler
        self.model = model
        self.labels = np.zeros((SWEEPS + 1, len(model.sampler.data)), np.int16)
        self.tables = np.zeros(SWEEPS + 1, np.int16)
        self.log_joint = np.zeros(SWEEPS + 1, np.float32)
        self.clusters = np.full((SWEEPS + 1, SHOWN, PARAMETERS), np.nan, np.float32)
        super().__init__(chain)

    def add(self, t: int, state: Any) -> None:
        """Keep what the charts need of sweep t."""
        self.labels[t] = state.labels
        self.tables[t] = self.model.occupied(state)
        self.log_joint[t] = self.sampler.log_joint(state)
        self.clusters[t] = self.model.parameters(state)

    def named(self, start: int, stop: int, names: str = "off") -> tuple[np.ndarray, np.ndarray]:
        """Return labels and parameters of sweeps from `start` and below `stop`, with the names that are asked for."""
        return self.labels[start:stop], self.clusters[start:stop]

    def close_up(self, sweep: int) -> CloseUp:
        """Return one sweep, from 1, update by update."""
        with self._lock:
            return CloseUp(self.chain, self.model, sweep)


def means_of(clusters: np.ndarray, components: int) -> np.ndarray:
    """Return the first coordinate of the mean of each component by id, shape (sweeps, components); NaN where not there.

    Parameters
    ----------
    clusters : numpy.ndarray
        Parameters, shape (sweeps, SHOWN, PARAMETERS).
    components : int
        How many ids, from 0.
    """
    hits = clusters[:, :, 0, None] == np.arange(components)
    found = np.where(hits, clusters[:, :, 2, None], 0).sum(axis=1)
    means: np.ndarray = np.where(hits.any(axis=1), found, np.nan).astype(np.float32)
    return means


@dataclass(frozen=True)
class Beat:
    """The four beats of one update.

    Attributes
    ----------
    update : Update
        The site, its law and the option that was drawn.
    before, lifted, after : State
        The state before the site was forgotten, without it, and with its new value.
    model : Model
        Of the sampler.
    """

    update: Update
    before: Any
    lifted: Any
    after: Any
    model: Model

    @property
    def is_point(self) -> bool:
        """Whether it is a point that moved, and not a block."""
        return not isinstance(self.update.site, str)

    @property
    def options(self) -> list[int]:
        """Ids of the options, without the new one, which is the last if there is one."""
        return self.model.options(self.lifted)


class CloseUp:
    """One sweep, update by update: the same updates that the chain made, replayed.

    Parameters
    ----------
    chain : Chain
        Whose sweep it is.
    model : Model
        Of its sampler.
    sweep : int
        Which, from 1.
    """

    def __init__(self, chain: Chain[Any], model: Model, sweep: int) -> None:
        self.sweep = sweep
        before = chain[sweep - 1]
        self.beats: list[Beat] = []
        for update, state in chain.replay(sweep):
            lifted, after = before.copy(), state.copy()
            chain.sampler.forget(lifted, update.site)
            self.beats.append(Beat(update, before, lifted, after, model))
            before = after
