"""A model whose labels are summed out: its run, one iteration of it, Gibbs beside it, and what the inspector shows."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from lessons.topics.marginalise import MarginaliseSettings
from pages.contract.film import Film
from pages.contract.moment import Moment, ShownChain
from pages.contract.place import Place
from pages.contract.tools import Number, Tool
from pages.player.run import Run
from pages.scenes.close_up import opened, zoom_iteration
from pages.scenes.scene_stage import SceneStage
from pages.scenes.shared import key_of, shared
from pages.topics.marginalise import (
    gibbs_comparison,
    inspector,
    log_sum_exp_panel,
    run_film,
    sum_film,
    trajectory_film,
    truth,
)
from pages.topics.marginalise.run import FIRST_LOOK, GibbsRun, MarginalRun
from pages.topics.marginalise.scene import MarginaliseScene
from samplers.mixtures.exact_labellings import ExactLabels

FILMS: dict[str, Callable[[MarginaliseScene], Film]] = {
    "walk": run_film.film,
    "beside Gibbs": gibbs_comparison.film,
    "sums": sum_film.film,
}  # of a run, by what is shown


class CloseUp(NamedTuple):
    """A close-up of an iteration."""

    made: Callable[[MarginaliseScene], Any]  # opens it
    film: Callable[[MarginaliseScene, Any], Film]
    views: Mapping[str, Callable[[MarginaliseScene, Any, int], str]]  # of the inspector
    replays: bool = True  # whether a download replays it; terms are added up at the state of the iteration


@shared
def _run(settings: MarginaliseSettings, seed: int) -> MarginalRun:
    return MarginalRun(settings, seed)


@shared
def _truth(settings: MarginaliseSettings) -> ExactLabels | None:
    return settings.exact()


@shared
def _gibbs(settings: MarginaliseSettings, seed: int, kind: str) -> GibbsRun:
    return GibbsRun(settings.model_copy(update={"gibbs": kind}), seed)


class Marginalised(SceneStage[MarginaliseSettings, MarginaliseScene]):
    """The stage of a model.

    Attributes
    ----------
    shows : type of MarginaliseScene
        The model's scene.
    steps : tuple of str
        What *Step* can go by.
    close_ups : mapping
        The close-ups of an iteration, by what a step is.
    """

    whole = "iteration"
    shows: ClassVar[type[MarginaliseScene]]
    steps: ClassVar[tuple[str, ...]] = ("Iteration", "Leapfrog")
    views: ClassVar = {
        "step": inspector.step,
        "code": inspector.code,
        "gamma": log_sum_exp_panel.panel,
        "gibbs": gibbs_comparison.panel,
        "truth": truth.panel,
    }
    close_ups: ClassVar = {
        "leapfrog": CloseUp(
            lambda scene: opened(scene.key, scene.run, scene.iteration),
            trajectory_film.film,
            {"step": inspector.leapfrog, "code": inspector.code_of_path},
        ),
    }

    def scene(self, settings: MarginaliseSettings, seed: int) -> MarginaliseScene:
        run = _run(settings, seed)
        runs: list[Run[Any]] = [run]
        if settings.shown == "beside Gibbs":
            runs.append(_gibbs(settings.as_gibbs(), seed, settings.gibbs))
        run.reach(FIRST_LOOK, "Making the first iterations")
        return self.shows(settings, key_of(settings, seed), runs, _truth(settings))

    def missing(self, settings: MarginaliseSettings) -> str | None:
        """Return a sentence on the labels that are missing; None if there are enough to sample."""
        if settings.size == 0:
            return (
                "**Nothing to learn from:** the supervised program uses only labelled documents, and no label is "
                "shown. Show some labels."
            )
        return None

    def extra(self, place: Place[MarginaliseSettings]) -> Iterable[Tool]:
        return ()

    def film(self, settings: MarginaliseSettings, seed: int) -> Film:
        scene, close_up = self.scene(settings, seed), self.close_ups.get(settings.close_up)
        return close_up.film(scene, close_up.made(scene)) if close_up else FILMS[settings.shown](scene)

    def moment(self, settings: MarginaliseSettings, seed: int, t: int) -> Moment:
        found, close_up = super().moment(settings, seed, t), self.close_ups.get(settings.close_up)
        return replace(found, frame=None) if close_up and not close_up.replays else found

    def chains(self, settings: MarginaliseSettings, seed: int, t: int) -> list[ShownChain]:
        found = [ShownChain(settings.sampler(), seed, t)]
        if settings.close_up == "iteration" and settings.shown == "beside Gibbs":
            found.append(ShownChain(settings.now.gibbs(settings.as_gibbs()), seed, t, "gibbs"))
        return found

    def cards(self, settings: MarginaliseSettings, seed: int, view: str, t: int) -> str:
        close_up = self.close_ups.get(settings.close_up)
        if close_up is None or view not in close_up.views:
            return super().cards(settings, seed, view, t)
        scene = self.scene(settings, seed)
        made = close_up.made(scene)
        return close_up.views[view](scene, made, min(t, made.total))

    def levels(self, settings: MarginaliseSettings) -> tuple[str, ...]:
        return self.steps

    def zoom(self, place: Place[MarginaliseSettings], level: str) -> None:
        zoom_iteration(place, level.lower(), {"Term": 0, "Leapfrog": 1}.get(level))

    def choose_items(self, place: Place[MarginaliseSettings]) -> Iterable[Tool]:
        """Ask for the item that is looked at, and beside Gibbs for the other one."""
        settings = place.settings
        icons = {"document": ":material/looks_one:", "partner": ":material/looks_two:"}
        for name, icon in list(icons.items())[: (1 + (place.view == "gibbs")) * bool(settings.size)]:
            title = str(type(settings).model_fields[name].title)
            yield Number(name, title, settings.size, width=120, icon=icon, help=title)
