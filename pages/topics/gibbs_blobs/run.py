"""A run on blobs, whose components can be given other names sweep by sweep."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from lessons.data.columns import AXES, Column
from pages.drawing.numbers import probability
from pages.scenes.points.components import ComponentsModel
from pages.scenes.points.crp import Tables
from pages.scenes.points.model import Model
from pages.scenes.points.run import PointsRun, means_of
from samplers import Chain
from samplers.crp.mixture import CRPMixture
from samplers.diagnostics.label_switching import ranks_by_order, ranks_by_overlap, renamed
from samplers.judge.written import right_of
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.unknown_number import UnknownNumber

TO_NAME = 30  # sweeps that are made before components are named by them


class BlobsRun(PointsRun):
    """The sweeps of one chain, with other names for its components on request.

    Attributes
    ----------
    classes : int
        How many components have names; 0 in a CRP mixture, whose components come and go and keep their ids.
    """

    def __init__(self, chain: Chain[Any], model: Model) -> None:
        self.classes = getattr(chain.sampler, "classes", 0)
        self._ranks: dict[str, np.ndarray] = {}
        super().__init__(chain, model)

    def named(self, start: int, stop: int, names: str = "off") -> tuple[np.ndarray, np.ndarray]:
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
                    # the labels of the most probable of the first sweeps, all of which are there before names are given
                    reference = self.labels[int(self.log_joint[: TO_NAME + 1].argmax())]
                    new = ranks_by_overlap(self.labels[start:stop], reference, self.classes)
                known = self._ranks[names] = np.concatenate([known, new])
        return known[:stop]


# ---- how states on blobs are read ------------------------------------------------------------------------------------


class Opened(Tables):
    """A CRP mixture, whose tables are called components here."""

    one, many = "component", "components"
    formula = "p(component | the rest) ∝ points there / (N − 1 + α) · fit"
    joins = Model.joins


class Unknown(Opened):
    """A mixture whose number of components has a prior."""

    formula = "p(component | the rest) ∝ (points there + a) · fit"
    sampler: UnknownNumber

    def weights(self, beat: Any) -> list[str]:
        return [f"{math.exp(weight):.4g}" for weight in beat.update.conditional.terms[self.sampler.already_there]]

    def note(self, state: Any) -> str:
        """Return the posterior of K given how many components have points."""
        used = len(state.clusters)
        given = self.sampler.number_given(used)
        listed = " · ".join(f"{number}: {probability(share)}" for number, share in enumerate(given, 1) if share > 0)
        return f"{used} components have points. Given that, K is {listed}. Ids are only names."


MODELS: dict[type[Any], type[Model]] = {FiniteMixture: ComponentsModel, CRPMixture: Opened, UnknownNumber: Unknown}


def model_of(sampler: Any, columns: Sequence[Column] = AXES) -> Model:
    """Return the adapter from a sampler's states on these columns to charts and cards."""
    return MODELS[type(right_of(sampler))](sampler, columns)
