"""A run on blobs, whose components can be given other names sweep by sweep."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.stages.points.model import Model
from pages.stages.points.run import PointsRun, means_of
from samplers import Chain
from samplers.diagnostics.label_switching import ranks_by_order, ranks_by_overlap, renamed
from samplers.mixtures.finite import FiniteMixture

TO_NAME = 30  # sweeps that are made before components are named by them


class BlobsRun(PointsRun):
    """The sweeps of one chain, with other names for its components on request.

    Parameters
    ----------
    chain, model
        As for `PointsRun`.

    Attributes
    ----------
    classes : int
        How many components have names; 0 in a CRP mixture, whose components come and go and keep their ids.
    """

    def __init__(self, chain: Chain[Any], model: Model) -> None:
        self.classes = chain.sampler.classes if isinstance(chain.sampler, FiniteMixture) else 0
        self._ranks: dict[str, np.ndarray] = {}
        super().__init__(chain, model)

    def named(self, start: int, stop: int, names: str = "off") -> tuple[np.ndarray, np.ndarray]:
        """Return labels and parameters of sweeps from `start` and below `stop`, with the names that are asked for."""
        labels, clusters = super().named(start, stop)
        if names == "off" or not self.classes or stop <= start:
            return labels, clusters
        ranks = self.ranks(stop, names)[start:]
        clusters = clusters.copy()
        shown = np.isfinite(clusters[:, :, 0])
        ids = np.where(shown, clusters[:, :, 0], 0).astype(int)
        clusters[:, :, 0] = np.where(shown, np.take_along_axis(ranks, ids, axis=1), np.nan)
        return renamed(labels, ranks).astype(np.int16), clusters

    def ranks(self, stop: int, names: str) -> np.ndarray:
        """Return the new name of each component at each sweep below `stop`, shape (stop, K)."""
        with self._lock:
            known = self._ranks.get(names, np.zeros((0, self.classes), int))
            start = len(known)
            if stop > start:
                if names == "by mean":
                    new = ranks_by_order(means_of(self.clusters[start:stop], self.classes))
                else:
                    new = ranks_by_overlap(self.labels[start:stop], self._reference(), self.classes)
                known = self._ranks[names] = np.concatenate([known, new])
        return known[:stop]

    def _reference(self) -> np.ndarray:
        """Return the labels of the most probable of the first sweeps: all of them are there before names are given."""
        reference: np.ndarray = self.labels[int(self.log_joint[: TO_NAME + 1].argmax())]
        return reference
