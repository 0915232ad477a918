"""Gibbs sampling of a mixture of a fixed number of components, of a CRP, or with a prior on K."""

from dataclasses import replace
from functools import partial
from typing import ClassVar

from lessons.data.columns import Column
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.contract.place import Place
from pages.player.run import KEPT, reach
from pages.scenes.points import panels
from pages.scenes.points.scene import Scene
from pages.scenes.points.stage import PointsStage, chains_of, points_of
from pages.scenes.shared import key_of, shared
from pages.topics.gibbs_blobs.annealing import runs
from pages.topics.gibbs_blobs.check import check
from pages.topics.gibbs_blobs.diagram import diagram
from pages.topics.gibbs_blobs.experiments import experiments
from pages.topics.gibbs_blobs.how_many import fits, how_many
from pages.topics.gibbs_blobs.invariants import switching
from pages.topics.gibbs_blobs.run import TO_NAME, BlobsRun, model_of
from samplers import Chain

FINITE = ("points", "means", "trace", "tables")
OPEN = ("points", "many", "trace", "tables")
SECOND = {
    "none": "",
    "seed": "The next seed",
    "multinomial": "Multinomial components",
    "gaussian": "Gaussian components",
    "CRP": "CRP, Gaussian components",
    "MFM": "A prior on K, Gaussian components",
}
MODELS = {"CRP": "CRP", "MFM": "A prior on K"}


@shared
def chains_only(settings: GibbsBlobsSettings, seed: int) -> Scene[GibbsBlobsSettings]:
    """Return the chains of these settings without the sweeps that set their axes."""
    points, columns = points_of(settings)
    data = settings.taken(points) if settings.data == "own" else points
    if data is not points:  # counts have no other units
        columns = tuple(Column(column.name) for column in columns)
    samplers, other = [settings.sampler_of(data)], (seed + 1) % 2**32 if settings.second == "seed" else seed
    if settings.second != "none":
        samplers.append(settings.sampler_of(data, second=True))
    runs = [
        BlobsRun(Chain(sampler, own, keep=KEPT), model_of(sampler, columns))
        for sampler, own in zip(samplers, (seed, other), strict=False)
    ]
    finite = settings.model == "finite"
    third, fourth = "means" if finite else "many", "trace" if settings.second == "seed" else "tables"
    titles = ("First chain" if settings.second == "seed" else _title(settings), SECOND[settings.second])
    charts = (FINITE if finite else OPEN, ("points", "second", third, fourth))
    return Scene(settings, key_of(settings, seed), runs, settings.exact(samplers[0]), *charts, titles)


def _title(settings: GibbsBlobsSettings) -> str:
    kind = settings.components.capitalize()
    return f"{kind} components" if settings.model == "finite" else f"{MODELS[settings.model]}, {kind} components"


def scene_of(settings: GibbsBlobsSettings, seed: int) -> Scene[GibbsBlobsSettings]:
    """Return the chains of these settings, on the points that they name or the learner's own; sessions share them."""
    made = chains_of(settings, seed, chains_only)
    if settings.relabel == "by overlap":
        reach(made.runs, TO_NAME)
    return replace(made, settings=settings, key=f"{made.key} {settings.relabel}", names=settings.relabel)


class Chains(PointsStage[GibbsBlobsSettings]):
    """One chain, or two."""

    makes = scene_of
    diagram = diagram
    views: ClassVar = {
        "components": panels.clusters,
        "check": check,
        "fits": lambda scene, _: fits(scene),
        "runs": lambda scene, _: runs(scene),
        "evidence": lambda scene, _: how_many(scene),
        "switching": switching,
        "truth": partial(panels.truth, listed="label the points"),
    }

    def opening(self, place: Place[GibbsBlobsSettings]) -> None:
        experiments(place)
