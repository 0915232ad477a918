"""A plane to walk on: HMC, NUTS, Metropolis and parallel tempering on a density, path by path and step by step."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from lessons.stages.walk_the_hill import MOST_PUSH, SAMPLERS, WalkTheHillSettings
from pages.code.ways import code_of_step
from pages.contract.events import Touch
from pages.contract.film import Film
from pages.contract.moment import ShownChain
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.stages.close_up import opened, zoom_iteration
from pages.stages.ladder import cards as ladder_cards
from pages.stages.leapfrogs import LeapfrogPath
from pages.stages.scene_stage import SceneStage
from pages.stages.walk_the_hill import charts, inspector, ladder, summary
from pages.stages.walk_the_hill.compared import Pair, Race, pair_film, race_film
from pages.stages.walk_the_hill.film import FIRST_LOOK, Scene, path_film, run_film, throw_film
from pages.stages.walk_the_hill.run import WalkRun
from samplers import Chain

FILMS: dict[type[Scene], Callable[[Any], Film]] = {Race: race_film, Pair: pair_film, Scene: run_film}  # of whole runs


def _key(settings: WalkTheHillSettings, seed: int) -> str:
    return f"walk_the_hill {settings.as_run().model_dump_json()} {seed}"


def run_of(settings: WalkTheHillSettings, seed: int) -> WalkRun:
    """Return the run of these settings, which sessions share."""
    kind = ladder.WalkLadderRun if settings.tempered else WalkRun
    return RUNS.shared(_key(settings, seed), lambda: kind(settings.as_run(), seed))


def scene_of(settings: WalkTheHillSettings, seed: int) -> Scene:
    """Return the run of these settings, or two or three runs; there is none of a throw, which involves no chance."""
    key = _key(settings, seed)
    if settings.compared:
        return Race(settings, key, [run_of(settings.of_sampler(name), seed) for name in SAMPLERS])
    if settings.doubled and settings.opened is None:
        return Pair(settings, key, (run_of(settings, seed), run_of(settings.of_second(), seed + 1)))
    if settings.method == "hand":
        return Scene(settings, key, ())
    run = run_of(settings, seed)
    run.reach(FIRST_LOOK, "Making the first iterations")
    return Scene(settings, key, (run,))


def thrown(settings: WalkTheHillSettings) -> LeapfrogPath:
    """Return the path of the learner's own throw."""
    throw = settings.throw()
    chain = Chain(throw, 0)
    return LeapfrogPath(1, throw.trajectory([chain[t] for t in range(settings.leapfrog_steps + 1)]))


class WalkTheHillStage(SceneStage[WalkTheHillSettings, Scene]):
    """The stage of the topic "Walk the hill"."""

    makes = scene_of
    whole = "iteration"
    views: ClassVar = {
        "step": inspector.step,
        "code": lambda scene, t: code_of_step(scene.run, t),
        "summary": summary.so_far,
    }
    compared: ClassVar = {
        "step": summary.race,
        "code": lambda race, _: code_of_step(race.runs[SAMPLERS.index(race.settings.method)], 0),
        "summary": summary.race,
    }

    def film(self, settings: WalkTheHillSettings, seed: int) -> Film:
        """Return the film of these settings and this seed."""
        scene = self.scene(settings, seed)
        if scene.thrown:
            return throw_film(scene, thrown(settings))
        if settings.opened is None:
            return (ladder.ladder_film if type(scene) is Scene and settings.tempered else FILMS[type(scene)])(scene)
        scene.run.reach(settings.iteration)
        if settings.tempered:
            swaps: Any = opened(scene.key, scene.run, settings.iteration)
            return ladder.swap_film(scene, swaps)
        return path_film(scene, settings.iteration)

    def chains(self, settings: WalkTheHillSettings, seed: int, t: int) -> list[ShownChain]:
        """Return the throw, or the chains."""
        if settings.method == "hand":
            return [ShownChain(settings.throw(), 0, t)]
        return super().chains(settings, seed, t)

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at frame t."""
        scene = self.scene(settings, seed)
        if settings.tempered and view != "summary":
            scene.run.reach(scene.step(t))
            return ladder_cards.step(scene, t, ladder.WORDS) if view == "step" else ladder_cards.code(scene, t)
        if view == "summary" or (settings.opened is None and not scene.thrown):
            return super().cards(settings, seed, view, t)
        path = thrown(settings) if scene.thrown else opened(scene.key, scene.run, settings.iteration)
        return (inspector.leapfrog if view == "step" else inspector.code_of_path)(scene, path, t)

    def levels(self, settings: WalkTheHillSettings) -> tuple[str, ...]:
        """Return iterations, and what one is made of."""
        if settings.method == "hand" or settings.compared:
            return ()
        return ("Iteration", "Beat" if settings.tempered else "Leapfrog" if settings.rolls else "Proposal")

    def zoom(self, place: Place[WalkTheHillSettings], level: str) -> None:
        """Open this iteration, or go back to the whole run."""
        close = level != "Iteration"
        zoom_iteration(place, "leapfrog" if close else "iteration", 1 if close else None)

    def follows(self, settings: WalkTheHillSettings) -> bool:
        """Return that the path follows what is dragged."""
        return settings.method == "hand"

    def touched(self, place: Place[WalkTheHillSettings], touch: Touch) -> None:
        """Throw from where the puck was dragged, or as hard as its arrow was; the whole path is shown."""
        settings = place.settings
        if touch.hand == "start":
            across, up = settings.share_of((touch.x, touch.y))
            place.change(start_x=across, start_y=up)
        elif touch.moved:
            push = (np.array([touch.x, touch.y]) - settings.start) / charts.arm(settings.window)
            across, up = np.clip(push, -MOST_PUSH, MOST_PUSH).round(2).tolist()
            place.change(push_x=across, push_y=up)
        place.move(settings.iterations)
