"""Walks over a density: HMC, NUTS or Metropolis, alone or as two chains, or parallel tempering."""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from lessons.topics.walk_the_hill import WalkTheHillSettings
from pages.code.ways import code_of_step
from pages.contract.film import Film
from pages.contract.place import Place
from pages.scenes.close_up import opened, zoom_iteration
from pages.scenes.ladder import cards as ladder_cards
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.walk_the_hill import inspector, ladder, summary
from pages.topics.walk_the_hill.compared import Pair, pair_film
from pages.topics.walk_the_hill.film import FIRST_LOOK, WAYS, WalkScene, path_film, run_film
from pages.topics.walk_the_hill.run import WalkRun


@shared
def run_of(settings: WalkTheHillSettings, seed: int) -> WalkRun:
    """Return the run of these settings, which sessions share."""
    return WalkRun(settings, seed)


@shared
def ladder_of(settings: WalkTheHillSettings, seed: int) -> WalkRun:
    """Return the run of these settings with a ladder, which sessions share."""
    return ladder.WalkLadderRun(settings, seed)


def scene_of(
    settings: WalkTheHillSettings, seed: int, run_of: Callable[[WalkTheHillSettings, int], WalkRun] = run_of
) -> WalkScene:
    """Return the run of these settings, or two, each as `run_of` makes it."""
    key, run = key_of(settings, seed), run_of(settings, seed)
    if settings.doubled and settings.opened is None:
        return Pair(settings, key, (run, run_of(settings.of_second(), seed + 1)))
    run.reach(FIRST_LOOK, "Making the first iterations")
    return WalkScene(settings, key, (run,))


class Walks(SceneStage[WalkTheHillSettings, WalkScene]):
    """The stage of a walk."""

    makes = scene_of
    whole = "iteration"
    views: ClassVar = {
        "step": inspector.step,
        "code": lambda scene, t: code_of_step(scene.run, t),
        "summary": summary.so_far,
    }

    def film(self, settings: WalkTheHillSettings, seed: int) -> Film:
        scene = self.scene(settings, seed)
        if isinstance(scene, Pair):
            return pair_film(scene)
        if settings.opened is None:
            return self.of_run(scene)
        scene.run.reach(settings.iteration)
        return self.of_iteration(scene, settings.iteration)

    def of_run(self, scene: WalkScene) -> Film:
        """Return the film of a whole run."""
        return run_film(scene)

    def of_iteration(self, scene: WalkScene, iteration: int) -> Film:
        """Return the film of an opened iteration."""
        return path_film(scene, iteration)

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        if view == "summary" or settings.opened is None:
            return super().cards(settings, seed, view, t)
        scene = self.scene(settings, seed)
        path = opened(scene.key, scene.run, settings.iteration)
        return (inspector.leapfrog if view == "step" else inspector.code_of_path)(scene, path, t)

    def levels(self, settings: WalkTheHillSettings) -> tuple[str, ...]:
        return "Iteration", WAYS[settings.now.moves].opens

    def zoom(self, place: Place[WalkTheHillSettings], level: str) -> None:
        close = level != "Iteration"
        zoom_iteration(place, "leapfrog" if close else "iteration", 1 if close else None)


class Ladders(Walks):
    """The stage of parallel tempering."""

    makes = partial(scene_of, run_of=ladder_of)

    def of_run(self, scene: WalkScene) -> Film:
        return ladder.ladder_film(scene)

    def of_iteration(self, scene: WalkScene, iteration: int) -> Film:
        swaps: Any = opened(scene.key, scene.run, iteration)
        return ladder.swap_film(scene, swaps)

    def cards(self, settings: WalkTheHillSettings, seed: int, view: str, t: int) -> str:
        if view == "summary":
            return super().cards(settings, seed, view, t)
        scene = self.scene(settings, seed)
        scene.run.reach(scene.step(t))
        return ladder_cards.step(scene, t, ladder.WORDS) if view == "step" else ladder_cards.code(scene, t)
