"""A run of a chain that gives points their labels: what is kept of each sweep."""

import math
from typing import Any

import numpy as np

from lessons.settings.fields import SWEEPS
from pages.player.run import Run
from pages.scenes.close_up import CloseUp
from pages.scenes.points.model import PARAMETERS, SHOWN, Model
from samplers import Chain
from samplers.crp.mixture import CRPMixture
from samplers.mixtures.finite import FiniteMixture


class PointsRun(Run[Any]):
    """The sweeps of one chain: fewer than 1.5 kB each for 500 points, beside the states that are kept.

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
    heights : numpy.ndarray
        The highest curve over points on a line in any sweep until each, shape (SWEEPS + 1,); 0 in a plane.
    """

    def __init__(self, chain: Chain[Any], model: Model) -> None:
        self.sampler: CRPMixture | FiniteMixture = model.sampler
        self.model = model
        self.labels = np.empty((SWEEPS + 1, len(model.sampler.data)), np.int16)
        self.tables = np.empty(SWEEPS + 1, np.int16)
        self.log_joint = np.empty(SWEEPS + 1, np.float32)
        self.clusters = np.empty((SWEEPS + 1, SHOWN, PARAMETERS), np.float32)
        self.heights = np.zeros(SWEEPS + 1, np.float32)
        super().__init__(chain)

    def add(self, t: int, state: Any) -> None:
        self.labels[t] = state.labels
        self.tables[t] = self.model.occupied(state)
        self.log_joint[t] = self.sampler.log_joint(state)
        self.clusters[t] = self.model.parameters(state)
        if self.sampler.data.shape[1] == 1:
            means = self.clusters[t, :, 2:3]  # where a density of several curves is highest, or close by
            peak = self.model.density(state, means[np.isfinite(means[:, 0])]).max()
            self.heights[t] = max(self.heights[t - 1] if t else 0, peak, highest(self.clusters[t]))

    def named(self, start: int, stop: int, names: str = "off") -> tuple[np.ndarray, np.ndarray]:
        """Return labels and parameters of sweeps from `start` and below `stop`, with the names that are asked for."""
        return self.labels[start:stop], self.clusters[start:stop]

    def close_up(self, sweep: int) -> CloseUp[Any]:
        """Return one sweep, from 1, update by update; see `state` for what this raises."""
        return CloseUp(self.chain, sweep, self.state(sweep - 1))


def highest(clusters: np.ndarray) -> float:
    """Return the height of the highest curve of components on a line, each by its share; shape (…, PARAMETERS)."""
    return float(np.nanmax(clusters[..., 1] / clusters[..., 4], initial=0)) / math.sqrt(2 * math.pi)


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
    return np.where(hits.any(axis=1), found, np.nan).astype(np.float32)
