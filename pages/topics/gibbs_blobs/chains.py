"""Gibbs sampling of a mixture of a fixed number of components, of a CRP, or with a prior on K."""

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import ClassVar, NamedTuple

from lessons.data.columns import Column
from lessons.topics.gibbs_blobs import GibbsBlobsSettings
from pages.contract.place import Place
from pages.contract.tools import Tool
from pages.player.run import KEPT, reach
from pages.scenes.points import panels
from pages.scenes.points.scene import MixtureScene
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


class Look(NamedTuple):
    """A model as it is shown: its chart beside the points, and its title before the components' name."""

    beside: str
    title: str = ""


class Second(NamedTuple):
    """A second chain as it is shown: its title and the first one's, how far ahead its seed is, and the last chart."""

    title: str
    first: str = ""  # "" for the model's title
    ahead: int = 0
    last: str = "tables"


LOOKS = {"finite": Look("means"), "CRP": Look("many", "CRP, "), "MFM": Look("many", "A prior on K, ")}
SECOND = {
    "none": Second(""),
    "seed": Second("The next seed", "First chain", 1, "trace"),
    "multinomial": Second("Multinomial components"),
    "gaussian": Second("Gaussian components"),
    "CRP": Second("CRP, Gaussian components"),
    "MFM": Second("A prior on K, Gaussian components"),
}


@shared
def chains_only(settings: GibbsBlobsSettings, seed: int) -> MixtureScene[GibbsBlobsSettings]:
    """Return the chains of these settings without the sweeps that set their axes."""
    points, columns = points_of(settings)
    data = settings.taken(points) if settings.data == "own" else points
    if data is not points:  # counts have no other units
        columns = tuple(Column(column.name) for column in columns)
    look, second, samplers = LOOKS[settings.model], SECOND[settings.second], [settings.sampler_of(data)]
    if settings.compared:
        samplers.append(settings.sampler_of(data, second=True))
    runs = [
        BlobsRun(Chain(sampler, own, keep=KEPT), model_of(sampler, columns))
        for sampler, own in zip(samplers, (seed, (seed + second.ahead) % 2**32), strict=False)
    ]
    one, two = ("points", look.beside, "trace", "tables"), ("points", "second", look.beside, second.last)
    titles = (second.first or f"{look.title}{settings.components.capitalize()} components", second.title)
    return MixtureScene(settings, key_of(settings, seed), runs, settings.exact(samplers[0]), one, two, titles)


def scene_of(settings: GibbsBlobsSettings, seed: int) -> MixtureScene[GibbsBlobsSettings]:
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

    def opening(self, place: Place[GibbsBlobsSettings]) -> Iterable[Tool]:
        yield experiments(place)
