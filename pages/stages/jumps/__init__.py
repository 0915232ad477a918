"""Moves that jump: split–merge or a ladder beside Gibbs alone, moves opened beat by beat, compared with the truth."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, ClassVar

from lessons.stages.jumps import JumpsSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.drawing.plates import Diagram
from pages.shell.widgets import pressed
from pages.stages.close_up import CloseUp, opened
from pages.stages.gibbs_stage import BEATS
from pages.stages.jumps import cards, ladder
from pages.stages.jumps.auxiliary import AuxiliaryClusters, KeptClusters
from pages.stages.jumps.diagram import diagram
from pages.stages.jumps.film import move_film
from pages.stages.jumps.run import Clusters, JumpRun, OpenedMove
from pages.stages.ladder import cards as ladder_cards
from pages.stages.ladder.run import SWEPT, OpenedLadder
from pages.stages.points import panels
from pages.stages.points.film import close_up_film, sweeps_film
from pages.stages.points.model import Model
from pages.stages.points.scene import Scene
from pages.stages.points.stage import PointsStage, chains_of, points_of
from pages.stages.shared import key_of, shared
from samplers.jumps.tables import TablesWithMeans
from samplers.jumps.tempering import MixtureLadder

ONE = ("points", "many", "trace", "tables")
TWO = ("points", "second", "many", "tables")
ROOM = 0.35  # for whole clusters around the points, in their spans
NAMES = {
    "split-merge": "Split–merge and Gibbs",
    "gibbs": "Gibbs alone",
    "tempering": "Parallel tempering",
    "means": "Means kept",
    "auxiliary": "Auxiliary clusters",
}
OPENED: dict[type, Callable[[Any, Any], Film]] = {
    OpenedLadder: ladder.swap_film,
    OpenedMove: move_film,
    CloseUp: close_up_film,
}
CARDS: dict[str, dict[str, Callable[[Any, int], str]]] = {  # of what is no Gibbs sampling
    "split-merge": {"update": cards.move_cards, "code": cards.code},
    "tempering": {"update": lambda scene, t: ladder_cards.step(scene, t, ladder.WORDS), "code": ladder_cards.code},
}


@shared
def _scene(settings: JumpsSettings, seed: int) -> Scene[JumpsSettings]:
    """Make the chains of these settings."""
    data, columns = points_of(settings)
    samplers: list[Any] = [
        settings.sampler_of(data, second=second) for second in (False, True)[: 1 + settings.compared]
    ]
    model: Model
    if isinstance(samplers[0], TablesWithMeans):
        model = (KeptClusters if settings.method == "means" else AuxiliaryClusters)(samplers[0], columns)
    else:
        model = Clusters(settings.mixture(data), columns)
    runs = [
        (ladder.MixtureLadderRun if isinstance(sampler, MixtureLadder) else JumpRun)(sampler, model, seed)
        for sampler in samplers
    ]
    titles = NAMES[settings.method], NAMES["gibbs"]
    return Scene(settings, key_of(settings, seed), runs, settings.exact(data), ONE, TWO, titles, room=ROOM)


def scene_of(settings: JumpsSettings, seed: int) -> Scene[JumpsSettings]:
    """Return the chains of these settings; sessions share them."""
    return replace(chains_of(settings, seed, _scene), settings=settings)


def run_film(scene: Scene[JumpsSettings]) -> Film:
    """Return the film of a run, with the ladder if there is one."""
    return ladder.ladder_sweeps_film(scene) if scene.settings.tempered else sweeps_film(scene)


def opened_film(scene: Scene[JumpsSettings], close_up: Any) -> Film:
    """Return the film of a move, of the swaps of a sweep, or of a sweep of Gibbs alone."""
    return OPENED[type(close_up)](scene, close_up)


class JumpsStage(PointsStage[JumpsSettings]):
    """The stage of the topic "Moves that jump"."""

    makes = scene_of
    sweeps = run_film
    beats = opened_film
    about = ("cost", "truth")
    views: ClassVar = {
        "clusters": panels.clusters,
        "cost": cards.cost,
        "truth": partial(panels.truth, listed="put the points into clusters"),
    }

    def cards(self, settings: JumpsSettings, seed: int, view: str, t: int) -> str:
        if view not in BEATS or not settings.moves:
            return super().cards(settings, seed, view, t)
        scene = self.scene(settings, seed)
        scene.run.reach(scene.step(t))
        return CARDS[settings.method][view](scene, t)

    def model(self, settings: JumpsSettings, seed: int, t: int) -> Diagram:
        return diagram(settings, t)

    def levels(self, settings: JumpsSettings) -> tuple[str, ...]:
        return ("Sweep", "Beat") if settings.moves else super().levels(settings)

    def frames(self, scene: Scene[JumpsSettings], sweep: int) -> int:
        if not scene.settings.moves:
            return super().frames(scene, sweep)
        move: Any = opened(scene.key, scene.run, sweep)
        return int(move.total)

    def open(self, place: Place[JumpsSettings], mark: Open) -> None:
        """Open this sweep: a move where a point of its last scan is in hand; other marks as in `PointsStage`."""
        if mark.what == "count" or not place.settings.moves:
            super().open(place, mark)
            return
        scene = self.scene(place.settings, place.seed)
        sweep = max(1, scene.step(place.t))
        move: Any = opened(scene.key, scene.run, sweep)
        place.change(step_by="update", sweep=sweep)
        place.view = "update"
        if isinstance(move, OpenedLadder):
            place.move(SWEPT)
            return
        point = mark.which - 1
        place.move(move.first + move.move.points.index(point) if point in move.move.points else 1)

    def actions(self, place: Place[JumpsSettings]) -> None:
        """Draw the buttons beside the inspector's views; the updates of Gibbs alone have theirs."""
        if not place.settings.moves:
            super().actions(place)
        elif (
            place.view in BEATS
            and place.settings.opened is None
            and place.t
            and pressed("Open these swaps" if place.settings.tempered else "Open this move", icon=":material/zoom_in:")
        ):
            place.change(step_by="update", sweep=place.t)
            place.view = "update"
            place.move(0)
