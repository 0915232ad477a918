"""A plane to walk on: HMC, NUTS and random-walk Metropolis over a density, path by path and leapfrog by leapfrog."""

from __future__ import annotations

from lessons.stages.walk_the_hill import WalkTheHillSettings
from pages.player.kept import RUNS
from pages.player.player import Film
from pages.shell.state import Topic
from pages.shell.topic import Stage
from pages.stages.close_up import opened, step_shown
from pages.stages.walk_the_hill import inspector
from pages.stages.walk_the_hill.film import FIRST_LOOK, Scene, path_film, run_film
from pages.stages.walk_the_hill.run import WalkRun


def scene_of(settings: WalkTheHillSettings, seed: int) -> Scene:
    """Return the run of these settings; sessions share it."""
    plain = settings.as_run()
    key = f"walk_the_hill {plain.model_dump_json()} {seed}"
    run = RUNS.shared(key, lambda: WalkRun(plain, seed))
    run.reach(FIRST_LOOK, "Making the first iterations")
    return Scene(settings, key, run)


class WalkTheHillStage(Stage[WalkTheHillSettings]):
    """The stage of the topic "Walk the hill"."""

    whole = "iteration"

    def film(self, settings: WalkTheHillSettings, seed: int) -> Film:
        """Return the film of these settings and this seed."""
        scene = scene_of(settings, seed)
        if settings.opened is None:
            return run_film(scene)
        scene.run.reach(settings.iteration)
        return path_film(scene, settings.iteration)

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        """Return a view of the inspector at frame t."""
        scene, iteration = scene_of(settings, seed), step_shown(settings, t)
        if not iteration:
            return inspector.start(scene) if view == "step" else inspector.code(scene, 0)
        path = opened(scene.key, scene.run, iteration)
        if settings.opened is None:
            return inspector.iteration(scene, path, t) if view == "step" else inspector.code(scene, t)
        return (inspector.leapfrog if view == "step" else inspector.code_of_step)(scene, path, t)

    def levels(self, settings: WalkTheHillSettings) -> tuple[str, ...]:
        """Return iterations, and what one is made of."""
        return ("Iteration", "Proposal" if settings.method == "Metropolis" else "Leapfrog")

    def zoom(self, place: Topic[WalkTheHillSettings], level: str) -> None:
        """Open this iteration, or go back to the whole run."""
        opened = place.settings.opened
        t = place.t if opened is None else opened
        close = level != "Iteration"
        place.change(**({"step_by": "leapfrog", "iteration": max(t, 1)} if close else {"step_by": "iteration"}))
        place.move(0 if close else t)
