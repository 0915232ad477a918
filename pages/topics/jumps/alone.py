"""Sweeps that move one point at a time: Gibbs alone, with means that are kept, or with auxiliary clusters."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from lessons.data.columns import Column
from lessons.topics.jumps import JumpsSettings
from pages.drawing.models import Kind
from pages.drawing.plates import Diagram
from pages.scenes.points import panels
from pages.scenes.points.model import Model
from pages.scenes.points.scene import MixtureScene
from pages.scenes.points.stage import PointsStage, chains_of, points_of
from pages.scenes.shared import key_of, shared
from pages.topics.jumps import cards, ladder
from pages.topics.jumps.auxiliary import AuxiliaryClusters, KeptClusters
from pages.topics.jumps.diagram import diagram
from pages.topics.jumps.run import Clusters, JumpRun

ONE = ("points", "many", "trace", "tables")
TWO = ("points", "second", "many", "tables")
ROOM = 0.35  # for whole clusters around the points, in their spans


def _clusters(settings: JumpsSettings, _: Any, data: np.ndarray, columns: Sequence[Column]) -> Model:
    return Clusters(settings.mixture(data), columns)


class Method(NamedTuple):
    """The way a chain moves: its name, what draws its clusters, and its run."""

    name: str
    model: Callable[[JumpsSettings, Any, np.ndarray, Sequence[Column]], Model] = _clusters
    run: Callable[[Any, Model, int], JumpRun] = JumpRun
    content: Kind = "out"  # of the clusters' parameters in the diagram


METHODS = {
    "split-merge": Method("Split–merge and Gibbs"),
    "gibbs": Method("Gibbs alone"),
    "tempering": Method("Parallel tempering", run=ladder.MixtureLadderRun),
    "means": Method("Means kept", lambda _, sampler, data, columns: KeptClusters(sampler, columns), content="drawn"),
    "auxiliary": Method(
        "Auxiliary clusters", lambda _, sampler, data, columns: AuxiliaryClusters(sampler, columns), content="drawn"
    ),
}


@shared
def _scene(settings: JumpsSettings, seed: int) -> MixtureScene[JumpsSettings]:
    """Make the chains of these settings; the second one is Gibbs alone."""
    (data, columns), method, alone = points_of(settings), METHODS[settings.method], METHODS["gibbs"]
    sampler = settings.sampler_of(data)
    model = method.model(settings, sampler, data, columns)
    runs = [method.run(sampler, model, seed)]
    if settings.compared:
        runs.append(alone.run(settings.sampler_of(data, second=True), model, seed))
    titles = method.name, alone.name
    return MixtureScene(settings, key_of(settings, seed), runs, settings.exact(data), ONE, TWO, titles, room=ROOM)


def scene_of(settings: JumpsSettings, seed: int) -> MixtureScene[JumpsSettings]:
    """Return the chains of these settings; sessions share them."""
    return replace(chains_of(settings, seed, _scene), settings=settings)


class Alone(PointsStage[JumpsSettings]):
    """The stage of sweeps without other moves."""

    makes = scene_of
    views: ClassVar = {
        "clusters": panels.clusters,
        "cost": cards.cost,
        "truth": partial(panels.truth, listed="put the points into clusters"),
    }

    def model(self, settings: JumpsSettings, seed: int, t: int) -> Diagram:
        return diagram(METHODS[settings.method].content, t)
