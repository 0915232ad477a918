"""A hidden chain: the states of a series, drawn one at a time or all as a block, beside their exact probabilities."""

from __future__ import annotations

from typing import Any, ClassVar

from lessons.stages.hidden_chain import HiddenChainSettings
from pages.contract.events import Open
from pages.contract.film import Film
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.stages.gibbs_stage import BEATS, GibbsStage
from pages.stages.hidden_chain import inspector
from pages.stages.hidden_chain.beats import beats_film
from pages.stages.hidden_chain.diagram import diagram
from pages.stages.hidden_chain.film import sweeps_film
from pages.stages.hidden_chain.run import ChainRun, Scene
from pages.stages.picks import pick_number


def scene_of(settings: HiddenChainSettings, seed: int) -> Scene:
    """Return the chain of these settings, and the other sampler's beside it; sessions share them."""
    run_of = settings.as_run()
    key = f"hidden_chain {run_of.model_dump_json()} {seed}"

    def made() -> tuple[ChainRun, ...]:
        methods = [settings.method, *([settings.other] if settings.compare == "other" else [])]
        return tuple(ChainRun(settings.sampler_by(method), seed) for method in methods)

    runs = RUNS.shared(f"{key} runs", lambda: _Runs(made()))
    return Scene(settings, key, runs.each, settings.exact())


class _Runs:
    """Runs that sessions share."""

    def __init__(self, each: tuple[ChainRun, ...]) -> None:
        self.each = each

    @property
    def nbytes(self) -> int:
        """About how many bytes they take."""
        return sum(run.nbytes for run in self.each)


class HiddenChainStage(GibbsStage[HiddenChainSettings, Scene]):
    """The stage of the topic "A hidden chain"."""

    one = "Hour"
    update = inspector.CARDS
    diagram = diagram
    views: ClassVar = {"cost": inspector.cost}
    opens = ("hour",)

    def scene(self, settings: HiddenChainSettings, seed: int) -> Scene:
        """Return the chains of these settings."""
        return scene_of(settings, seed)

    def sweeps(self, scene: Scene) -> Film:
        """Return the film of a run."""
        return sweeps_film(scene)

    def beats(self, scene: Scene, close_up: Any) -> Film:
        """Return the film of one sweep, beat by beat."""
        return beats_film(scene, close_up)

    def actions(self, place: Place[HiddenChainSettings]) -> None:
        """Draw the number of the hour that the cards describe."""
        if place.view in BEATS and place.settings.opened is None and not place.settings.many:
            pick_number(place, "hour", "Hour", place.settings.size, width=92, icon=":material/schedule:")

    def open(self, place: Place[HiddenChainSettings], mark: Open) -> None:
        """Describe the hour that was clicked, or go to its update."""
        hour = min(mark.which, place.settings.size)
        place.change(hour=hour)
        if place.settings.opened is not None:
            place.move(4 * inspector.update_of(place.settings, hour) + 1)
