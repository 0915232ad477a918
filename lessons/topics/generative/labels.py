"""The mode in which hidden labels are redrawn, sweep by sweep."""

from typing import TYPE_CHECKING, Any

import numpy as np

from lessons.topics.generative.learning import Learning
from samplers import Chain
from samplers.mixtures.finite import FiniteMixture
from samplers.mixtures.labels import HIDDEN
from samplers.recipe import Kernel

if TYPE_CHECKING:
    from lessons.topics.generative import GenerativeSettings

SWEEPS = 200
KEPT_LESS = 6  # times, if labels of class 1 are mostly hidden


class HiddenLabels(Learning):
    """All labels but some are hidden, and a sweep redraws each hidden one."""

    counted_as = "sweep"
    controls = (*Learning.controls, "labelled", "lost")

    def steps(self, settings: "GenerativeSettings", examples: int) -> int:
        return SWEEPS if examples else 0

    def known(self, settings: "GenerativeSettings", labels: np.ndarray) -> np.ndarray:
        return all_but(settings, labels)

    def sampler(self, settings: "GenerativeSettings") -> Kernel[Any, Any]:
        found = settings.examples()
        if not len(found.labels):
            return super().sampler(settings)
        model = settings.model(found.features, len(found.classes))
        rows, known = settings.rows(found, model), self.known(settings, found.labels)
        return FiniteMixture(rows, model.family, model.classes, model.class_prior, labels=known)

    def labels(self, settings: "GenerativeSettings", chain: Chain[Any], t: int, labels: np.ndarray) -> np.ndarray:
        return np.array(chain[t].labels) if t else self.known(settings, labels)


def all_but(settings: "GenerativeSettings", labels: np.ndarray) -> np.ndarray:
    """Return labels with all but `labelled` of them hidden.

    The first ones are kept; or of each class the first ones, six times as many of another class as of class 1.
    """
    turn = np.arange(len(labels))
    if settings.lost == "mostly of class 1":
        of_class = labels[:, None] == labels
        turn = np.tril(of_class).sum(axis=1) * np.where(labels == 1, KEPT_LESS, 1)
    kept = np.isin(np.arange(len(labels)), np.argsort(turn, kind="stable")[: settings.labelled])
    return np.where(kept, labels, HIDDEN)
