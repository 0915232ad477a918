"""A hidden chain: the states of a series, drawn one at a time or all as a block, beside their exact probabilities."""

from dataclasses import replace
from typing import ClassVar

from lessons.stages.hidden_chain import HiddenChainSettings
from pages.contract.events import Open
from pages.contract.place import Place
from pages.player.kept import RUNS
from pages.stages.gibbs_stage import BEATS, GibbsStage
from pages.stages.hidden_chain import inspector
from pages.stages.hidden_chain.beats import beats_film
from pages.stages.hidden_chain.diagram import diagram
from pages.stages.hidden_chain.film import sweeps_film
from pages.stages.hidden_chain.own import UPLOAD
from pages.stages.hidden_chain.run import ChainRun, Scene
from pages.stages.hidden_chain.truth import truth
from pages.stages.picks import pick_number


def scene_of(settings: HiddenChainSettings, seed: int) -> Scene:
    """Return the chain of these settings, and the other sampler's beside it; sessions share them."""
    plain = settings.as_run()
    key = f"hidden_chain {plain.model_dump_json()} {seed}"

    def made() -> Scene:
        series = plain.series()
        methods = [plain.method, *([plain.other] if plain.compare == "other" else [])]
        runs = tuple(ChainRun(plain.sampler_by(method, series), seed) for method in methods)
        return Scene(plain, key, runs, series, plain.exact())

    return replace(RUNS.shared(key, made), settings=settings)


class HiddenChainStage(GibbsStage[HiddenChainSettings, Scene]):
    """The stage of the topic "A hidden chain"."""

    one = "Hour"
    update = inspector.CARDS
    diagram = diagram
    makes = scene_of
    sweeps = sweeps_film
    beats = beats_film
    own = UPLOAD
    views: ClassVar = {"cost": inspector.cost, "truth": truth}
    about = ("truth",)
    opens = ("hour",)

    def actions(self, place: Place[HiddenChainSettings]) -> None:
        """Draw the number of the hour that the cards describe."""
        if place.view in BEATS and place.settings.opened is None and not place.settings.many:
            pick_number(place, "hour", "Hour", len(place.settings.series()), width=92, icon=":material/schedule:")

    def open(self, place: Place[HiddenChainSettings], mark: Open) -> None:
        """Describe the hour that was clicked, or go to its update."""
        scene = scene_of(place.settings, place.seed)
        hour = min(mark.which, len(scene.values))
        place.change(hour=hour)
        if place.settings.opened is not None:
            place.move(4 * inspector.update_of(scene, hour - 1) + 1)
