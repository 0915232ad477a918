"""A posterior predictive check of a chain's model: replicates from its sweeps, and their numbers beside the data's."""

import numpy as np

from lessons.settings.lineups import REPLICATED
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.drawing.cards import quiet
from pages.scenes.points.checks import compared
from pages.scenes.points.panels import kept_from
from pages.scenes.points.scene import MixtureScene

NO_REPLICATES = (
    "A check draws replicates of one chain with a fixed number of components, or a CRP. They are points: take "
    "<b>Gaussian</b> components, and compare with nothing."
)


def replicates(scene: MixtureScene[GibbsBlobsSettings], sweeps: np.ndarray) -> list[np.ndarray]:
    """Return a replicate of the data from each of some sweeps that are there, shape (N, D) each."""
    run, draw = scene.run, scene.settings.replicate
    return [draw(run.sampler, run.labels[sweep], (run.chain.seed, int(sweep))) for sweep in sweeps]


def check(scene: MixtureScene[GibbsBlobsSettings], sweep: int) -> str:
    """Return each statistic of the data beside those of replicates from the sweeps that count, as HTML."""
    if not scene.settings.replicable:
        return quiet(NO_REPLICATES)
    if not sweep:
        return quiet("Run some sweeps first.")
    first = kept_from(sweep)
    sweeps = np.unique(np.linspace(first, sweep, min(sweep - first + 1, REPLICATED)).round().astype(int))
    return compared(scene, sweeps, replicates(scene, sweeps))
